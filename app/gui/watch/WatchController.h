// Files that are open here and that another program changes: says so, and lets the user choose.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/watch/FileWatch.h"
#include <QSet>

namespace fuselage {

class CompareController;
class DocumentController;
class ScriptController;
class StepsController;

/// Watches the document, the script in the editor, and the script that is recorded as a pipeline. The banner has a
/// file at a time.
class WatchController : public Controller {
  Q_OBJECT
public:
  WatchController(Shell &shell, DocumentController &documents, StepsController &steps, ScriptController &scripts,
                  CompareController &compare);

  void opened(const protocol::Document &document) override;

private:
  enum class Kind { Document, Script, Recorded };
  struct News {
    Kind kind;
    QString path;
    bool isGone;
  };
  QString pathOf(Kind kind) const;
  void follow();
  void fileChanged(const QString &path);
  void fileGone(const QString &path);
  void fileBack(const QString &path);
  void report(const News &news);
  void done(Kind kind);
  void showFirst();
  void reload(const News &news);
  void keep(const News &news);
  void compareWith(const News &news);

  DocumentController &documents_;
  StepsController &steps_;
  ScriptController &scripts_;
  CompareController &compare_;
  FileWatch watch_;
  QList<News> news_;
  QSet<QString> keptLogs_; ///< that may grow without a word
};

} // namespace fuselage
