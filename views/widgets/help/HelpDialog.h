// Help: tutorials and reference pages of resources/docs, and what the program says of itself (shortcuts, steps, passes,
// normal forms). A list at the side selects the page.
#pragma once
#include "views/messages/DocumentTypes.h"
#include "views/messages/ScheduleTypes.h"
#include <QDialog>
#include <QKeySequence>

class QListWidget;
class QStackedWidget;
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
  /// In the order of the list.
  enum Page {
    Fusion,
    Tiles,
    Rewrites,
    Schedules,
    Tuning,
    Shortcuts,
    Panels,
    Steps,
    Passes,
    Forms,
    Models,
    Files,
    Compilers,
    Inductor,
    Xla,
    Editors,
    Mcp,
    Remote,
    PullRequests,
    Remarks,
    ModelExplorer,
    Exactness,
    Lessons,
    CommandLine,
    Json,
    Glossary
  };
  /// Shows a page, scrolled to the paragraph with this text, such as a heading. Without a paragraph, or if the page has
  /// none with this text, the page stays where it is.
  void showPage(Page page, const QString &paragraph = {});

protected:
  void changeEvent(QEvent *event) override;

private:
  void addHeading(const QString &title);
  QTextBrowser *addPage(Page page, const QString &title);
  /// A page of resources/docs, such as "tutorials/tiles.md".
  void addFile(Page page, const QString &title, const QString &file);
  void fillFiles();
  void follow(const QUrl &link);

  QListWidget *list_;
  QStackedWidget *pages_;
  QHash<Page, QString> files_; ///< of the pages that are files
  QTextBrowser *shortcuts_;
  QTextBrowser *steps_;
  QTextBrowser *passes_;
  QTextBrowser *formPages_;
  QList<protocol::FormHelp> forms_;
};

} // namespace fuselage
