#include "app/gui/shell/ViewsController.h"
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

ViewsController::ViewsController(Shell &shell)
    : Controller(shell), textBelowGraph_(toggle(tr("IR &Below the Graph"), {}, {QKeySequence(u"Ctrl+T"_s)})) {
  QAction *graph = command(tr("&Graph"), u"graph"_s, {QKeySequence(u"Ctrl+1"_s)});
  QAction *text = command(tr("&IR Text"), u"text"_s, {QKeySequence(u"Ctrl+2"_s)});
  QAction *diff = command(tr("&Diff"), u"diff"_s, {QKeySequence(u"Ctrl+3"_s)});
  QAction *schedule = command(tr("&Schedule"), u"steps"_s, {QKeySequence(u"Ctrl+4"_s)});
  for (const auto &[action, view] :
       {std::pair{graph, View::Graph}, {text, View::Text}, {diff, View::Diff}, {schedule, View::Schedule}})
    on(action, [this, wanted = view] {
      this->shell().showView(wanted);
      this->shell().centre().currentView()->setFocus(Qt::ShortcutFocusReason); // also where the steps would keep it
    });
  QAction *message = command(tr("Go to the &Message"), {}, {QKeySequence(u"Ctrl+Shift+M"_s)});
  on(message, [this] {
    if (!this->shell().centre().focusBanner())
      this->shell().tell(tr("There is no message above the views"));
  });
  connect(textBelowGraph_, &QAction::toggled, &shell.centre(), &Centre::setTextBelowGraph);
  remember(textBelowGraph_, u"splitText"_s);
  shell.menus().add(Place::ViewTabs, {graph, text, diff, schedule, textBelowGraph_, message});
}

/// By the names of the tabs, which the start page shows.
static const QList<QPair<View, QString>> &viewNames() {
  static const QList<QPair<View, QString>> names{
      {View::Graph, u"Graph"_s}, {View::Text, u"IR"_s}, {View::Diff, u"Diff"_s}, {View::Schedule, u"Schedule"_s}};
  return names;
}

void ViewsController::saveDocument(QJsonObject &state) const {
  for (const auto &[view, name] : viewNames())
    if (view == shell().centre().shownView())
      state.insert("view"_L1, name);
}

void ViewsController::restoreDocument(const QJsonObject &state) {
  for (const auto &[view, name] : viewNames())
    if (name == state["view"_L1].toString() && view != shell().centre().shownView())
      shell().showView(view);
}

} // namespace fuselage
