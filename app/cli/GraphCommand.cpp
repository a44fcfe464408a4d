#include "app/cli/Commands.h"
#include "core/graph/GraphBuilder.h"
#include "core/graph/Scene.h"
#include "core/ir/Session.h"

namespace fuselage::cli {

int graphCommand(Arguments arguments) {
  std::string output = "-", format, level = "ops", engine = "layered", function;
  bool constants = false;
  Options options("graph", "FILE",
                  "Writes the dispatch graph of a module. Where the module has no flow.dispatch.region,\n"
                  "ops are grouped as fuselage-form-dispatches would group them.");
  options.text("output", "OUT", "dot, svg, png, pdf or json by its ending; - is stdout", output, 'o');
  options.choice("format", {"dot", "svg", "png", "pdf", "json"}, "the format, where OUT's ending does not say", format);
  options.choice("level", {"ops", "dispatches"}, "every op, or a node a dispatch (default: ops)", level);
  options.choice("layout", {"layered", "dot"}, "our linear layout, or Graphviz (default: layered)", engine);
  options.text("function", "NAME", "only this function (default: all)", function);
  options.flag("constants", "draw constants and tensor.empty, too", constants);
  options.example("fuselage graph samples/softmax.mlir -o softmax.svg");
  options.example("fuselage graph samples/bert_attention.mlir --level dispatches -o bert.pdf");
  options.example("fuselage graph model.mlir --format json | jq '.functions[].dispatches[].name'");
  if (auto code = options.parse(arguments))
    return *code;
  if (output == "-" && format.empty())
    format = "json";

  Session session;
  auto module = session.open(options.positional());
  if (!module)
    return reportFailure(module.takeError());
  SceneOptions scene;
  scene.level = level == "ops" ? SceneOptions::Level::Ops : SceneOptions::Level::Dispatches;
  scene.engine = engine == "layered" ? LayoutEngine::Layered : LayoutEngine::Dot;
  scene.foldConstants = !constants;
  scene.function = function;
  Graph graph = buildGraph(**module, PrintedModule(**module));
  if (llvm::Error error = exportGraph(graph, scene, output, format))
    return reportFailure(std::move(error));
  return ExitOk;
}

} // namespace fuselage::cli
