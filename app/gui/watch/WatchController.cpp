#include "app/gui/watch/WatchController.h"
#include "app/gui/compare/CompareController.h"
#include "app/gui/document/DocumentController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/watch/TextComparison.h"
#include "views/widgets/Banner.h"
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fuselage {

WatchController::WatchController(Shell &shell, DocumentController &documents, StepsController &steps,
                                 ScriptController &scripts, CompareController &compare)
    : Controller(shell), documents_(documents), steps_(steps), scripts_(scripts), compare_(compare) {
  connect(&watch_, &FileWatch::changed, this, &WatchController::fileChanged);
  connect(&watch_, &FileWatch::gone, this, &WatchController::fileGone);
  connect(&watch_, &FileWatch::back, this, &WatchController::fileBack);
  connect(&scripts, &ScriptController::saved, this, [this](const QString &path) {
    watch_.accept(path);
    done(Kind::Script);
  });
  connect(&scripts, &ScriptController::scriptChanged, this, [this] {
    done(Kind::Script);
    follow();
    watch_.accept(scripts_.path());
    if (scripts_.differsFromDisk()) // a draft of another version
      report({.kind = Kind::Script, .path = scripts_.path(), .isGone = false});
  });
  connect(&session(), &EngineSession::recorded, this, [this] {
    done(Kind::Recorded);
    follow();
    watch_.accept(pathOf(Kind::Recorded));
  });
  connect(&session(), &EngineSession::openFailed, this, [this](const QString &path) {
    if (path != pathOf(Kind::Document))
      return;
    watch_.accept(path); // it was read again; what is open stays
    done(Kind::Document);
  });
}

/// A tool's log goes with the window, and its input is the user's file.
QString WatchController::pathOf(Kind kind) const {
  const protocol::Document &document = session().document();
  switch (kind) {
  case Kind::Document:
    return document.tool.isEmpty() ? document.path : document.source;
  case Kind::Script:
    return scripts_.path();
  case Kind::Recorded:
    return session().recordRequest().schedule;
  }
  return {};
}

void WatchController::follow() {
  watch_.setFiles({pathOf(Kind::Document), pathOf(Kind::Script), pathOf(Kind::Recorded)});
}

void WatchController::opened(const protocol::Document &) {
  keptLogs_.clear();
  done(Kind::Document);
  follow();
  watch_.accept(pathOf(Kind::Document));
}

void WatchController::fileChanged(const QString &path) {
  if (keptLogs_.contains(path))
    return watch_.accept(path);
  for (const Kind kind : {Kind::Document, Kind::Script, Kind::Recorded})
    if (pathOf(kind) == path)
      report({.kind = kind, .path = path, .isGone = false});
}

void WatchController::fileGone(const QString &path) {
  if (scripts_.path() == path)
    scripts_.edit().document()->setModified(true); // the editor has the only copy
  for (const Kind kind : {Kind::Document, Kind::Script, Kind::Recorded})
    if (pathOf(kind) == path)
      report({.kind = kind, .path = path, .isGone = true});
}

void WatchController::fileBack(const QString &path) {
  for (const Kind kind : {Kind::Document, Kind::Script, Kind::Recorded})
    if (pathOf(kind) == path)
      done(kind);
  if (scripts_.path() == path && !scripts_.differsFromDisk() && scripts_.isAsOnDisk())
    scripts_.edit().setUnmodified();
}

void WatchController::report(const News &news) {
  const auto known =
      std::find_if(news_.begin(), news_.end(), [&](const News &other) { return other.kind == news.kind; });
  if (known != news_.end())
    *known = news;
  else
    news_.append(news);
  showFirst();
}

void WatchController::done(Kind kind) {
  if (news_.removeIf([kind](const News &news) { return news.kind == kind; }) > 0)
    showFirst();
}

void WatchController::showFirst() {
  Banner &banner = shell().centre().fileBanner();
  if (news_.isEmpty()) {
    const bool hadKeyboard = banner.isAncestorOf(QApplication::focusWidget());
    banner.hide();
    if (hadKeyboard)
      shell().centre().currentView()->setFocus();
    return;
  }
  const News news = news_.first();
  const QString name = QFileInfo(news.path).fileName();
  const bool isEdited = news.kind == Kind::Script && scripts_.edit().isModified();
  QString text = news.isGone ? tr("%1 was deleted or moved. What is open here stays.").arg(name)
                 : isEdited  ? tr("%1 changed on disk, and you have unsaved changes in it").arg(name)
                             : tr("%1 changed on disk").arg(name);
  if (news_.size() > 1)
    text += tr(" (1 of %1 files)").arg(news_.size());
  banner.showMessage(news.isGone ? Banner::Kind::Warning : Banner::Kind::Info, text);
  banner.setToolTip(news.path);
  if (news.isGone) {
    banner.addButton(tr("OK"), this, [this, kind = news.kind] { done(kind); });
    return;
  }
  banner.addButton(tr("Reload"), this, [this, news] { reload(news); });
  banner.addButton(tr("Keep"), this, [this, news] { keep(news); });
  if (news.kind != Kind::Recorded)
    banner.addButton(tr("Compare"), this, [this, news] { compareWith(news); });
}

/// The banner goes when the file was read; a busy engine does not read it.
void WatchController::reload(const News &news) {
  const protocol::Document &document = session().document();
  switch (news.kind) {
  case Kind::Document:
    if (document.tool.isEmpty())
      documents_.reload();
    else
      session().runTool(document.source, document.tool);
    break;
  case Kind::Script:
    scripts_.takeFromDisk();
    watch_.accept(news.path);
    done(news.kind);
    break;
  case Kind::Recorded:
    steps_.record(session().recordRequest(), steps_.currentRow());
    break;
  }
}

void WatchController::keep(const News &news) {
  if (news.kind == Kind::Script)
    scripts_.keepOverDisk();
  if (news.kind == Kind::Document && session().document().log) // it goes on growing
    keptLogs_.insert(news.path);
  watch_.accept(news.path);
  done(news.kind);
}

void WatchController::compareWith(const News &news) {
  if (news.kind == Kind::Document) {
    if (!session().showsLog())
      steps_.select(0); // what was read then with what would be read now
    return compare_.compareWithFile(news.path);
  }
  QFile file(news.path);
  if (!file.open(QIODevice::ReadOnly)) {
    shell().tell(tr("%1 cannot be read: %2").arg(news.path, file.errorString()));
    return;
  }
  showComparison(shell().window(), tr("Compare %1").arg(QFileInfo(news.path).fileName()), tr("On disk"),
                 QString::fromUtf8(file.readAll()), tr("In the editor"), scripts_.text());
}

} // namespace fuselage
