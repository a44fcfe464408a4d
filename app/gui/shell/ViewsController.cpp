#include "app/gui/shell/ViewsController.h"

using namespace Qt::StringLiterals;

namespace fuselage {

ViewsController::ViewsController(Shell &shell)
    : Controller(shell), textBelowGraph_(toggle(tr("IR &Below the Graph"), {}, {QKeySequence(u"Ctrl+T"_s)})) {
  QAction *graph = command(tr("&Graph"), u"graph"_s, {QKeySequence(u"Ctrl+1"_s)});
  QAction *text = command(tr("&IR Text"), u"text"_s, {QKeySequence(u"Ctrl+2"_s)});
  QAction *diff = command(tr("&Diff"), u"diff"_s, {QKeySequence(u"Ctrl+3"_s)});
  QAction *schedule = command(tr("&Schedule"), u"steps"_s, {QKeySequence(u"Ctrl+4"_s)});
  on(graph, [this] { this->shell().showView(View::Graph); });
  on(text, [this] { this->shell().showView(View::Text); });
  on(diff, [this] { this->shell().showView(View::Diff); });
  on(schedule, [this] { this->shell().showView(View::Schedule); });
  connect(textBelowGraph_, &QAction::toggled, &shell.centre(), &Centre::setTextBelowGraph);
  remember(textBelowGraph_, u"splitText"_s);
  shell.menus().add(Place::ViewTabs, {graph, text, diff, schedule, textBelowGraph_});
}

} // namespace fuselage
