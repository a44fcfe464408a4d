#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/export/ModelExplorer.h"
#include "core/graph/export/Picture.h"
#include "core/graph/scene/JudgeEdges.h"
#include "core/graph/scene/Scene.h"
#include "core/registration/Registration.h"
#include "core/run/bundles/ResultsFile.h"
#include "core/support/OutputFile.h"

namespace fuselage::cli {

namespace {
/// What is drawn, and the module to judge its edges by.
struct Drawn {
  Graph graph;
  mlir::ModuleOp module;
};
} // namespace

/// Printing takes as long as reading: a picture shows none of what it gives.
static Drawn draw(mlir::ModuleOp module, bool isPicture) {
  return {isPicture ? buildGraph(module) : buildGraphWithText(module), module};
}

/// The graph at a step of a log; without a number at the last one that was dumped.
static llvm::Expected<Drawn> drawStep(const Recording &log, std::optional<unsigned> at, bool before, int &exitCode) {
  auto snapshot = snapshotAt(log, at, before);
  if (!snapshot)
    return snapshot.takeError();
  auto module = moduleOf(**snapshot, exitCode);
  if (!module)
    return module.takeError();
  return Drawn{buildGraph(*module, (*snapshot)->printed()), *module};
}

static llvm::Error writePicture(const Drawn &drawn, const SceneOptions &scene, const FusionPolicy &policy,
                                llvm::StringRef output, llvm::StringRef format, const PictureOptions &picture) {
  registerAllPasses(); // verdicts try transforms; what is no picture does without
  auto verdicts = judgeEdges(drawn.module, policy);
  if (!verdicts) {
    llvm::errs() << "note: edges are drawn without verdicts: " << takeFailure(verdicts.takeError()).message << '\n';
    return exportGraph(drawn.graph, scene, output, format, nullptr, picture);
  }
  return exportGraph(drawn.graph, scene, output, format, &*verdicts, picture);
}

/// What a run measured, beside the graph.
static llvm::Error writeNodeData(const Graph &graph, const SceneOptions &scene, llvm::StringRef times,
                                 llvm::StringRef output) {
  auto results = readResultsFile(times);
  if (!results)
    return results.takeError();
  auto functions = selectFunctions(graph, scene);
  if (!functions)
    return functions.takeError();
  TimedRun run =
      timedRun(static_cast<const message::RunReport<> &>(*results), [](const std::string &text) { return text; });
  ModelExplorerTimes data = modelExplorerTimes(*functions, run);
  if (data.matched == 0)
    return fail("'" + times.str() + "' has no time of a dispatch of this graph: both must come from one file");
  if (data.unmatched > 0)
    llvm::errs() << "note: " << data.unmatched << " of " << data.unmatched + data.matched << " dispatches of '" << times
                 << "' are not in the graph\n";
  return writeOutputFile(output, data.json);
}

int graphCommand(Arguments arguments) {
  std::string output = "-", format, level = "ops", engine = "layered", function, repeats = "auto", pages = "one",
              theme = "light", times, nodeData;
  bool constants = false, plain = false;
  FusionPolicy policy;
  std::string side = "after";
  std::optional<unsigned> at;
  Options options(
      "graph", "FILE",
      "Writes the dispatch graph of a module. If the module has no flow.dispatch.region, ops are grouped as "
      "fuselage-form-dispatches would group them. For a pass log or a directory of dumps, it is the graph of the last "
      "dump, or of the one selected by --at. For a debug folder of torch.compile, it is what Inductor made.\n\nParts "
      "of the model are named by its weights and locations ('scopes' "
      "and 'repeats' in JSON). In pictures an edge is solid if it is fused, dashed if it can be fused, "
      "dash-dotted if that was tried without success, and dotted if it cannot be fused; 'fuselage explain' gives the "
      "reasons.");
  options.text("output", "OUT",
               "the file to write; its ending selects dot, svg, png, pdf, json or model-explorer.json; - is standard "
               "output",
               output, 'o');
  options.choice(
      "format", {"dot", "svg", "png", "pdf", "json", "model-explorer"},
      "the format, if the name of OUT does not select it; model-explorer is a graph for Model Explorer, with "
      "layers and dispatches as namespaces and verdicts as edge overlays",
      format);
  options.text("times", "RUN.json", "what 'fuselage run FILE --format json' wrote, for --node-data", times);
  options.text("node-data", "OUT.json", "also write the times of the dispatches as node data for Model Explorer",
               nodeData);
  options.choice("level", {"ops", "dispatches"}, "a node per op, or per dispatch (default: ops)", level);
  options.choice("layout", {"layered", "dot"}, "the built-in layout, or Graphviz (default: layered)", engine);
  options.text("function", "NAME", "only this function (default: all)", function);
  options.choice("repeats", {"auto", "collapse", "expand"},
                 "draw layers and other parts of the model as boxes with their names, and only the first of equal "
                 "layers without a name; or draw every op (default: auto, by size)",
                 repeats);
  options.choice("pages", {"one", "a4", "a3"},
                 "pdf: one page as large as the picture (default), or numbered sheets with marks for joining them",
                 pages);
  options.choice("theme", {"light", "dark"}, "the background of svg, png and pdf (default: light)", theme);
  options.custom("at", "N", "log: the IR at step N, as 'fuselage step' numbers it",
                 [&](llvm::StringRef value) { return parseStepNumber(value, at); });
  options.choice("side", {"before", "after"}, "the IR before or after step N (default: after)", side);
  options.flag("constants",
               "draw weights, constants and tensor.empty as nodes instead of ports of the ops that read them",
               constants);
  options.custom("policy", "POLICY", "the policy for the verdicts on edges: conservative, aggressive (default) or none",
                 [&](llvm::StringRef value) {
                   llvm::Expected<FusionPolicy> parsed = parseFusionPolicy(value);
                   if (!parsed)
                     return takeFailure(parsed.takeError()).message;
                   policy = *parsed;
                   return std::string();
                 });
  options.flag("no-verdicts", "draw all edges alike", plain);
  declarePlugins(options);
  options.example("fuselage graph samples/softmax.mlir -o softmax.svg");
  options.example("fuselage graph samples/bert_attention.mlir --level dispatches -o bert.pdf");
  options.example("fuselage graph model.mlir --pages a4 -o model.pdf");
  options.example(
      "fuselage graph model.mlir --format json | jq '.functions[] | select(.outlined | not).dispatches[].name'");
  options.example(
      "fuselage graph model.mlir --format json | jq -r '.functions[].scopes[] | select(.kind == \"layer\").path'");
  options.example("fuselage graph model.mlir -o model.model-explorer.json --times run.json --node-data times.json");
  if (auto code = options.parse(arguments))
    return *code;
  if (times.empty() != nodeData.empty())
    return usageError("graph", "--times and --node-data go together");
  if (output == "-" && format.empty())
    format = "json";

  Session session(allDialects());
  int exitCode = ExitOk;
  auto input = openInput(session, options.positional(), exitCode);
  if (!input)
    return reportFailure(input.takeError());
  if (at && !input->log)
    return usageError("graph", "--at is a step of a log, and '" + options.positional() + "' is a module");
  SceneOptions scene;
  scene.level = level == "ops" ? SceneOptions::Level::Ops : SceneOptions::Level::Dispatches;
  scene.engine = engine == "layered" ? LayoutEngine::Layered : LayoutEngine::Dot;
  scene.foldConstants = !constants;
  scene.repeats = repeats == "auto"       ? SceneOptions::Repeats::Auto
                  : repeats == "collapse" ? SceneOptions::Repeats::Collapse
                                          : SceneOptions::Repeats::Expand;
  scene.function = function;
  llvm::Expected<Drawn> drawn = input->log ? drawStep(*input->log, at, side == "before", exitCode)
                                           : draw(*input->module.module, isPicture(output, format));
  if (!drawn)
    return reportFailure(drawn.takeError());
  PictureOptions picture;
  picture.sheet = pages == "a4" ? Sheet::A4 : pages == "a3" ? Sheet::A3 : Sheet::None;
  picture.ground = theme == "dark" ? Ground::Dark : Ground::Light;
  if (!nodeData.empty())
    if (llvm::Error error = writeNodeData(drawn->graph, scene, times, nodeData))
      return reportFailure(std::move(error));
  llvm::Error error = plain || !showsVerdicts(output, format)
                          ? exportGraph(drawn->graph, scene, output, format, nullptr, picture)
                          : writePicture(*drawn, scene, policy, output, format, picture);
  if (error)
    return reportFailure(std::move(error));
  endWorker(exitCode);
  return exitCode;
}

} // namespace fuselage::cli
