// Shortcuts, panels, exactness, steps, passes, normal forms and other compilers to read up on.
#pragma once
#include "views/messages/DocumentTypes.h"
#include "views/messages/ScheduleTypes.h"
#include <QDialog>
#include <QKeySequence>

class QTabWidget;
class QTextBrowser;

namespace fuselage {

/// One line of the table of shortcuts.
struct ShortcutEntry {
  QString group;
  QString text;
  QList<QKeySequence> keys;
};

class HelpDialog : public QDialog {
  Q_OBJECT
public:
  explicit HelpDialog(QWidget *parent = nullptr);
  void setShortcuts(const QList<ShortcutEntry> &entries);
  void setSteps(const QList<protocol::Step> &steps);
  void setPasses(const QList<protocol::Pass> &passes);
  void setForms(const QList<protocol::FormHelp> &forms);
  enum Page { Shortcuts, Panels, Schedules, Tuning, Exactness, Steps, Passes, Forms, Compilers };
  /// From a paragraph on, such as a heading; empty or not there: as it is.
  void showPage(Page page, const QString &paragraph = {});

protected:
  void changeEvent(QEvent *event) override;

private:
  void fillSchedules();
  QTextBrowser *addPage(const QString &title);
  QTabWidget *tabs_;
  QTextBrowser *shortcuts_;
  QTextBrowser *panels_;
  QTextBrowser *schedules_;
  QTextBrowser *steps_;
  QTextBrowser *passes_;
  QTextBrowser *formPages_;
  QList<protocol::FormHelp> forms_;
};

} // namespace fuselage
