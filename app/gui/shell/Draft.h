// What one editor of a tab holds that is not saved yet.
#pragma once
#include "app/gui/shell/Drafts.h"

namespace fuselage {

class Shell;

/// Keeps it under the name of the tab, and brings it back when the tab gets that name again.
class Draft {
public:
  Draft(Shell &shell, const QString &editor) : shell_(shell), editor_(editor) {}

  /// What the editor holds now; empty: it was saved, or thrown away on purpose.
  void keep(const QJsonObject &draft);
  /// The tab has another name, or its first one. Returns what was kept under it and is to be shown; empty: there is
  /// none, or the editor holds something of its own, which stays, and keeps the place that it has.
  QJsonObject restore(const QString &tab);
  /// The editor holds nothing any more; what was kept stays for the next restore() of its tab.
  void leave();

private:
  Shell &shell_;
  QString editor_;
  QString tab_; ///< empty: nothing was kept yet
  QJsonObject held_;
};

} // namespace fuselage
