// Shortcuts, steps, passes and other compilers to read up on.
#pragma once
#include "views/messages/DocumentTypes.h"
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
  enum Page { Shortcuts, Schedules, Steps, Passes, Compilers };
  void showPage(Page page);

protected:
  void changeEvent(QEvent *event) override;

private:
  void fillSchedules();
  QTextBrowser *addPage(const QString &title);
  QTabWidget *tabs_;
  QTextBrowser *shortcuts_;
  QTextBrowser *schedules_;
  QTextBrowser *steps_;
  QTextBrowser *passes_;
};

} // namespace fuselage
