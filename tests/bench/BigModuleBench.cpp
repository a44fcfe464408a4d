// Stages from a file of 100,000 ops to the picture, each beside MLIR's bare parse of the same text.
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/scene/Scene.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/support/LargeStack.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "tests/bench/Inputs.h"
#include "tests/bench/Measure.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::bench {

namespace {

double timeOf(llvm::function_ref<void()> work) { return bestOf(3, work); }

void printStage(const char *what, double ours, double parse) {
  llvm::outs() << llvm::format("  %-44s %9.1f ms   %-34s %9.1f ms   ratio %.2f\n", what, ours,
                               "mlir: parse and verify it", parse, ours / parse);
  llvm::outs().flush();
}

double parseTime(llvm::StringRef text) {
  return timeOf([&] {
    Session session(allDialects());
    mlir::ParserConfig config(&session.context());
    (void)mlir::parseSourceString<mlir::ModuleOp>(text, config);
  });
}

void printMemory(llvm::StringRef file, llvm::StringRef empty, size_t bytes) {
  llvm::StringRef fuselage = FUSELAGE_BIN_DIR "/fuselage";
  double size = static_cast<double>(bytes) / (1 << 20);
  double ours = peakMemory({fuselage, "graph", file, "--format", "svg", "-o", "/dev/null"}) -
                peakMemory({fuselage, "graph", empty, "--format", "svg", "-o", "/dev/null"});
  double theirs = peakMemory({MLIR_OPT, file, "-o", "/dev/null"}) - peakMemory({MLIR_OPT, empty, "-o", "/dev/null"});
  llvm::outs() << llvm::format("  %-44s %9.1f MiB  %-34s %9.1f MiB  %.1f and %.1f times the file\n",
                               "peak memory over that of an empty module", ours, "mlir-opt", theirs, ours / size,
                               theirs / size);
}

} // namespace

void benchBigModule(llvm::StringRef name, const std::string &text, const std::string &file, const std::string &empty) {
  double parse = parseTime(text);
  llvm::outs() << llvm::format("%s, %.1f MB\n", name.str().c_str(), static_cast<double>(text.size()) * 1e-6);
  Session session(allDialects());
  llvm::Expected<ReadResult> read = session.readText(text, file);
  if (!read)
    return llvm::logAllUnhandledErrors(read.takeError(), llvm::errs());
  printStage("read", timeOf([&] {
               Session fresh(allDialects());
               auto again = fresh.readText(text, file);
               if (again)
                 runOnLargeStack([&] { again->module = nullptr; });
               else
                 llvm::consumeError(again.takeError());
             }),
             parse);
  Graph graph;
  printStage("graph", timeOf([&] { graph = buildGraph(*read->module); }), parse);
  for (auto repeats : {SceneOptions::Repeats::Auto, SceneOptions::Repeats::Expand}) {
    SceneOptions options;
    options.repeats = repeats;
    llvm::Expected<Scene> scene = buildScene(graph, options);
    if (!scene)
      return llvm::logAllUnhandledErrors(scene.takeError(), llvm::errs());
    llvm::outs() << "  " << scene->nodes.size() << " nodes and " << scene->edges.size() << " edges:\n";
    printStage("  scene and layout", timeOf([&] { llvm::consumeError(buildScene(graph, options).takeError()); }),
               parse);
    std::string message;
    printStage("  encode for the window", timeOf([&] {
                 message.clear();
                 llvm::raw_string_ostream(message) << toPackedJSON(*scene);
               }),
               parse);
    llvm::outs() << llvm::format("  the message has %.1f MB\n", static_cast<double>(message.size()) * 1e-6);
  }
  printStage("print (when the text is looked at)", timeOf([&] { PrintedModule printed(*read->module); }), parse);
  printMemory(file, empty, text.size());
}

} // namespace fuselage::bench
