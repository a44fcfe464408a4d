#include "app/gui/Features.h"
#include "app/gui/baselines/BaselinesController.h"
#include "app/gui/blame/BlameController.h"
#include "app/gui/buffers/BuffersController.h"
#include "app/gui/bundles/BundleResultsController.h"
#include "app/gui/compare/CompareController.h"
#include "app/gui/document/DocumentController.h"
#include "app/gui/edit/EditController.h"
#include "app/gui/engine/EngineController.h"
#include "app/gui/export/ExportController.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/graph/NumbersController.h"
#include "app/gui/help/HelpController.h"
#include "app/gui/hosts/HostsController.h"
#include "app/gui/kernel/KernelController.h"
#include "app/gui/layout/LayoutController.h"
#include "app/gui/learn/LearnController.h"
#include "app/gui/log/LogController.h"
#include "app/gui/mesh/MeshController.h"
#include "app/gui/navigation/ChangesController.h"
#include "app/gui/navigation/NamesController.h"
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/notes/NotesController.h"
#include "app/gui/outcome/OutcomeController.h"
#include "app/gui/outline/OutlineController.h"
#include "app/gui/pipeline/PipelineController.h"
#include "app/gui/plugins/PluginsController.h"
#include "app/gui/preferences/PreferencesController.h"
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/remarks/RemarksController.h"
#include "app/gui/rewrites/Breakpoints.h"
#include "app/gui/rewrites/OpPatterns.h"
#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/rewrites/RewritesPanel.h"
#include "app/gui/rewrites/WhatIf.h"
#include "app/gui/run/RunController.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScheduleWriter.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/search/HistoryController.h"
#include "app/gui/search/LocatorController.h"
#include "app/gui/search/SearchController.h"
#include "app/gui/shell/MainWindow.h"
#include "app/gui/shell/ViewsController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/SaveIrController.h"
#include "app/gui/text/SidesController.h"
#include "app/gui/text/TextController.h"
#include "app/gui/text/WrittenController.h"
#include "app/gui/theme/ThemeController.h"
#include "app/gui/tiles/TileController.h"
#include "app/gui/traces/TraceController.h"
#include "app/gui/tuning/TuningController.h"
#include "app/gui/values/ValuesController.h"
#include "app/gui/watch/WatchController.h"
#include "app/gui/workspace/TabsController.h"
#include "app/gui/workspace/Workspace.h"
#include "views/panels/StepsPanel.h"

using namespace Qt::StringLiterals;

namespace fuselage {

void addFeatures(MainWindow &window) {
  // In the order of the panels in the menu; of two docks in one place, the first has the first tab.
  window.add<ThemeController>();
  window.add<LayoutController>();
  auto &views = window.add<ViewsController>();
  auto &documents = window.add<DocumentController>();
  auto &steps = window.add<StepsController>();
  auto &graph = window.add<GraphController>();
  window.add<NumbersController>(graph);
  auto &text = window.add<TextController>(views, steps, graph);
  auto &navigation = window.add<NavigationController>(steps, graph, text);
  window.add<ChangesController>(steps, graph, text);
  auto &names = window.add<NamesController>(text, navigation);
  window.add<SidesController>(steps, graph, text);
  auto &written = window.add<WrittenController>(text);
  auto &problems = window.add<ProblemsController>(steps, graph, navigation);
  auto &run = window.add<RunController>(steps, graph, text, problems);
  window.add<RemarksController>(steps, graph, problems);
  auto &pipeline = window.add<PipelineController>(documents, steps, problems);
  auto &log = window.add<LogController>();
  auto &tiles = window.add<TileController>(steps, text, run, pipeline);
  window.add<KernelController>(steps, graph, text, run);
  auto &fusion = window.add<FusionController>(steps, graph, text, problems, run);
  auto &baselines = window.add<BaselinesController>(steps, run);
  window.add<OutcomeController>(steps, graph, text, run, fusion, baselines);
  window.add<ValuesController>(steps, graph, text, fusion, run);
  auto &buffers = window.add<BuffersController>(steps, graph, text, run);
  window.add<TraceController>(steps); // before the results, which take all JSON that is left
  window.add<BundleResultsController>(graph, text, run);
  window.add<MeshController>(graph, text);
  auto &compare = window.add<CompareController>(steps, graph, text, navigation);
  auto &scripts = window.add<ScriptController>();
  auto &schedule = window.add<ScheduleController>(scripts, steps, graph, text);
  auto &rewrites = window.add<RewritesController>(steps, text);
  auto &patterns = window.add<OpPatternsController>(rewrites, steps, text);
  window.add<BreakpointsController>(rewrites, steps);
  auto &whatIf = window.add<WhatIfController>(rewrites);
  window.add<LearnController>(documents, steps, graph, text, schedule, tiles);
  window.add<ScheduleWriter>(scripts, schedule, graph, text, tiles);
  window.add<TuningController>(graph, text, run, scripts, schedule, tiles);
  window.add<WatchController>(documents, steps, scripts, compare);
  window.add<OutlineController>(steps, graph, text);
  auto &notes = window.add<NotesController>(steps, graph, text, navigation, fusion);
  auto &search = window.add<SearchController>(graph, text, scripts);
  auto &exports = window.add<ExportController>(steps, graph, fusion);
  window.add<SaveIrController>(text);
  window.add<EditController>(graph, fusion, exports);
  auto &preferences = window.add<PreferencesController>();
  auto &plugins = window.add<PluginsController>(preferences);
  window.add<EngineController>(graph, log, exports, plugins);
  window.add<HostsController>(preferences, steps, graph, text);
  window.add<BlameController>(navigation, steps, run, rewrites); // whose buttons stand after those of the engine
  auto &help = window.add<HelpController>(pipeline);
  auto &history = window.add<HistoryController>(navigation, steps, graph, text);
  QObject::connect(&history, &HistoryController::rewriteChosen, &rewrites, &RewritesController::goTo);
  const LocatorController::Places places{navigation, steps,    graph, text,   fusion,
                                         buffers,    pipeline, help,  search, history};
  window.add<LocatorController>(places);

  QObject::connect(&graph.scenes(), &GraphScenes::shown, &window.shell(), &Shell::graphShown);
  QObject::connect(
      &scripts, &ScriptController::problemsChanged, &problems.model(),
      [&problems](const QList<protocol::Diagnostic> &list) { problems.model().setDiagnostics(u"script"_s, list); });
  problems.setShowLine([&scripts](const QString &file, int line) { return scripts.showLine(file, line); });
  QObject::connect(&schedule, &ScheduleController::traced, &pipeline, &PipelineController::setScheduleRan);
  QObject::connect(&schedule, &ScheduleController::recordRequested, &pipeline, &PipelineController::recordSchedule);
  QObject::connect(&pipeline, &PipelineController::scheduleWanted, &schedule, &ScheduleController::recordAsSteps);
  QObject::connect(&whatIf, &WhatIfController::changed, &compare, [&whatIf, &compare] {
    QList<QPair<QString, int>> rows;
    for (const WhatIf &each : whatIf.whatIfs())
      rows.append({each.name, each.snapshot});
    compare.setWhatIfs(rows);
  });
  QObject::connect(&fusion, &FusionController::patternsRequested, &patterns,
                   [&text, &rewrites, &patterns](qint64 op, bool tried) {
                     text.select(op, true);
                     if (tried)
                       rewrites.raise(RewritesPanel::SelectedOp);
                     else
                       patterns.show();
                   });
  names.follow(written.view());
  QObject::connect(&notes, &NotesController::linesNoted, &written, &WrittenController::setNoted);
  QObject::connect(&graph.outline(), &ModelOutline::changed, &steps, [&graph, &steps] {
    QStringList dispatches;
    for (const protocol::OutlineRow &row : graph.outline().rows())
      if (row.kind == protocol::OutlineKind::Dispatch)
        dispatches.append(row.label);
    steps.panel().setDispatches(dispatches);
  });
  QObject::connect(&text, &TextController::selectionChanged, &graph, [&graph](int, qint64 id) { graph.showPlace(id); });
  QObject::connect(&graph.scenes(), &GraphScenes::removedOps, &steps, &StepsController::nameRemoved);
}

void addFeaturesOfTab(MainWindow &window, Workspace &workspace) {
  addFeatures(window);
  window.add<TabsController>(workspace, window.controller<CompareController>());
  window.controller<PipelineController>().setMakeTab([&workspace]() -> PipelineController & {
    workspace.addTab();
    return workspace.current().controller<PipelineController>();
  });
}

} // namespace fuselage
