// Prints what the program promises about its speed, each figure beside a known tool's.
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/scene/Scene.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/registration/Registration.h"
#include "core/stepping/diff/TextDiff.h"
#include "core/stepping/record/DumpTimeline.h"
#include "tests/bench/Inputs.h"
#include "tests/bench/Measure.h"
#include "tests/support/LayeredModel.h"
#include "tests/support/LinalgChain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <algorithm>

using namespace fuselage;
using namespace fuselage::bench;
using namespace mlir;

namespace {

const std::string samples = FUSELAGE_SOURCE_DIR "/samples/";

void print(llvm::StringRef what, double ours, llvm::StringRef beside, double theirs) {
  llvm::outs() << llvm::format("%-46s %9.1f ms   %-34s %9.1f ms   ratio %.2f\n", what.str().c_str(), ours,
                               beside.str().c_str(), theirs, theirs > 0 ? ours / theirs : 0.0);
  llvm::outs().flush();
}

std::string temporaryFile(llvm::StringRef suffix, llvm::StringRef text) {
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("fuselage-bench", suffix, path))
    return "";
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << text;
  return std::string(path);
}

void benchStart() {
  const std::string file = samples + "bert_attention.mlir";
  double ours = bestOf(5, [&] {
    runQuietly({FUSELAGE_BIN_DIR "/fuselage", "graph", file, "-o", "-", "--format", "svg"});
  });
  double theirs = bestOf(5, [&] { runQuietly({MLIR_OPT, file, "-o", "/dev/null"}); });
  print("start, open, lay out, draw bert_attention", ours, "mlir-opt: parse and print it", theirs);
}

/// What `fuselage-gui --measure-start` prints: from the start of the process to the painted graph.
double windowStart(llvm::StringRef file) {
  std::string output = temporaryFile("txt", "");
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(output), llvm::StringRef("")};
  llvm::StringRef program = FUSELAGE_BIN_DIR "/fuselage-gui";
  int code = llvm::sys::ExecuteAndWait(program, {program, file, "--measure-start"}, std::nullopt, redirects, 60);
  auto text = llvm::MemoryBuffer::getFile(output);
  llvm::sys::fs::remove(output);
  double milliseconds = 1e30;
  if (code == 0 && text)
    (*text)->getBuffer().split("after ").second.split(' ').first.getAsDouble(milliseconds);
  return milliseconds;
}

void benchWindow() {
  setenv("QT_QPA_PLATFORM", "offscreen", /*overwrite=*/0);
  const std::string file = samples + "bert_attention.mlir";
  double ours = 1e30;
  for (int run = 0; run < 5; ++run)
    ours = std::min(ours, windowStart(file));
  double theirs = bestOf(5, [&] { runQuietly({MLIR_OPT, file, "-o", "/dev/null"}); });
  print("window: start to graph of bert_attention", ours, "mlir-opt: parse and print it", theirs);
}

void benchLayout(unsigned nodes) {
  LayoutGraph graph = bench::transformerGraph(nodes);
  double ours = bestOf(3, [&] { llvm::consumeError(layout(graph, LayoutEngine::Layered).takeError()); });
  LayoutGraph small = bench::transformerGraph(600);
  static double dot = bestOf(1, [&] { llvm::consumeError(layout(small, LayoutEngine::Dot).takeError()); });
  print(llvm::formatv("layered layout, {0} nodes", graph.nodes.size()).str(), ours, "dot, 600 nodes", dot);
}

/// The recorded steps as one pipeline of one pass manager, run on a fresh copy without recording.
double bareTime(ModuleOp input, const Recording &recording) {
  std::string joined;
  for (const Step &step : recording.steps) {
    llvm::StringRef passes = step.pipeline;
    if (passes.consume_front("builtin.module(") && passes.consume_back(")"))
      joined += (joined.empty() ? "" : ",") + passes.str();
  }
  joined = "builtin.module(" + joined + ")";
  return bestOf(5, [&] {
    OwningOpRef<ModuleOp> copy(input.clone());
    llvm::logAllUnhandledErrors(runPipeline(*copy, joined), llvm::errs());
  });
}

void benchRecording(llvm::StringRef name) {
  Session session(allDialects());
  auto module = session.open(samples + name.str());
  if (!module)
    return llvm::logAllUnhandledErrors(module.takeError(), llvm::errs());
  Recording last;
  double ours = bestOf(5, [&] {
    auto recording = record(session, **module, {});
    if (recording)
      last = std::move(*recording);
    else
      llvm::logAllUnhandledErrors(recording.takeError(), llvm::errs());
  });
  DiagnosticCapture quiet(session.context());
  print(("record the default pipeline, " + name).str(), ours, "the same passes, bare", bareTime(**module, last));
}

void benchStockPipeline() {
  const std::string pipeline = "builtin.module(canonicalize,cse,func.func(linalg-fuse-elementwise-ops),"
                               "one-shot-bufferize{bufferize-function-boundaries})";
  const std::string file = samples + "bert_attention.mlir";
  double ours = bestOf(3, [&] {
    runQuietly(
        {FUSELAGE_BIN_DIR "/fuselage", "step", file, "--pipeline", pipeline, "--format", "json", "-o", "/dev/null"});
  });
  std::string option = "--pass-pipeline=" + pipeline;
  double theirs = bestOf(3, [&] { runQuietly({MLIR_OPT, file, option, "-o", "/dev/null"}); });
  print("fuselage step, 4 stock passes, whole process", ours, "mlir-opt, the same passes", theirs);
}

void benchDiff(unsigned percent) {
  constexpr unsigned lines = 100000;
  std::string before = bench::irText(lines), after = bench::editedIrText(lines, percent);
  double ours = bestOf(3, [&] { diffTexts(before, after); });
  std::string file = temporaryFile("mlir", after);
  double theirs = bestOf(3, [&] { runQuietly({MLIR_OPT, file, "-o", "/dev/null"}); });
  llvm::sys::fs::remove(file);
  print(llvm::formatv("diff of 100k lines, {0} % edited", percent).str(), ours, "mlir-opt: parse and print one side",
        theirs);
}

void benchGraph() {
  Session session(allDialects());
  std::string text = bench::irText(100000);
  std::string file = temporaryFile("mlir", text);
  auto module = session.open(file);
  if (!module)
    return llvm::logAllUnhandledErrors(module.takeError(), llvm::errs());
  double ours = bestOf(3, [&] { buildGraph(**module, PrintedModule(**module)); });
  double theirs = bestOf(3, [&] { runQuietly({MLIR_OPT, file, "-o", "/dev/null"}); });
  llvm::sys::fs::remove(file);
  print("print and graph a module of 100k ops", ours, "mlir-opt: parse and print it", theirs);
}

/// Indexing alone, in a process of its own for its memory; the mapped log counts as memory there.
int indexLog(llvm::StringRef path) {
  Session session(allDialects());
  double milliseconds = bestOf(1, [&] {
    auto recording = openTimeline(session, path);
    if (recording)
      llvm::outs() << recording->steps.size() << " steps\n";
    else
      llvm::logAllUnhandledErrors(recording.takeError(), llvm::errs());
  });
  llvm::outs() << llvm::format("%.0f ms\n", milliseconds);
  return 0;
}

void benchDumpLog() {
  constexpr size_t bytes = 200'000'000;
  std::string log = temporaryFile("log", bench::dumpLog(bytes));
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&indexLog));
  double ours = bestOf(3, [&] { runQuietly({self, "index", log}); });
  double theirs = bestOf(3, [&] { runQuietly({"/usr/bin/wc", "-l", log}); }); // grep would stop at its first find
  double peak = peakMemory({self, "index", log}), base = peakMemory({self, "index", "/dev/null"});
  llvm::sys::fs::remove(log);
  print("index a log of 200 MB, whole process", ours, "wc: count its lines", theirs);
  llvm::outs() << llvm::format("%-46s %9.0f MiB  (%.0f with nothing to index)\n",
                               "  its peak memory, the mapped log included", peak, base);
}

/// Of twelve layers, which are a BERT's.
void benchRewritesOfLayers() {
  constexpr unsigned ops = 12 * 122;
  std::string file = temporaryFile("mlir", bench::layeredModule(ops));
  bench::benchRewrites(file, "12 layers");
  llvm::sys::fs::remove(file);
}

/// Verdicts and reasons on all edges of a module, beside MLIR's own elementwise fusion of it.
void benchExplain() {
  for (unsigned ops : {2500u, 5000u, 10000u}) {
    std::string file = temporaryFile("mlir", linalgChain(ops));
    for (llvm::StringRef policy : {"aggressive", "conservative"}) {
      double ours = bestOf(3, [&] {
        runQuietly(
            {FUSELAGE_BIN_DIR "/fuselage", "explain", file, "--policy", policy, "--format", "json", "-o", "/dev/null"});
      });
      double theirs = bestOf(3, [&] {
        runQuietly({MLIR_OPT, file, "--linalg-fuse-elementwise-ops", "-o", "/dev/null"});
      });
      print(llvm::formatv("explain {0} linalg ops, {1}", ops, policy).str(), ours, "mlir-opt: fuse elementwise ops",
            theirs);
    }
    llvm::sys::fs::remove(file);
  }
}

/// What is equal is looked at, proven, fused and compiled once: ten times as many layers cost little more than reading
/// them. What mlir-opt takes longer to read and print them is left aside.
void benchLayers() {
  constexpr unsigned layer = 122;
  std::string many = temporaryFile("mlir", bench::layeredModule(80 * layer));
  std::string few = temporaryFile("mlir", bench::layeredModule(8 * layer));
  double graph = bestOf(5, [&] {
    runQuietly({FUSELAGE_BIN_DIR "/fuselage", "graph", many, "--format", "json", "-o", "/dev/null"});
  });
  double parse = bestOf(5, [&] { runQuietly({MLIR_OPT, many, "-o", "/dev/null"}); });
  print("graph of 10k ops", graph, "mlir-opt: parse and print it", parse);
  double reading = parse - bestOf(5, [&] { runQuietly({MLIR_OPT, few, "-o", "/dev/null"}); });
  auto timeOf = [](std::vector<llvm::StringRef> command, const std::string &file) {
    command.insert(command.begin(), FUSELAGE_BIN_DIR "/fuselage");
    command.insert(command.end(), {file, "-o", "/dev/null"});
    return bestOf(3, [&] { runQuietly(command); });
  };
  for (const std::vector<llvm::StringRef> &command :
       {std::vector<llvm::StringRef>{"explain"}, {"fuse", "--all", "--no-check"}, {"step"}})
    print(llvm::formatv("{0}, 80 equal layers, reading aside", command.front()).str(), timeOf(command, many) - reading,
          "8 layers", timeOf(command, few));
  llvm::sys::fs::remove(many);
  llvm::sys::fs::remove(few);
}

/// 100,000 ops: stages, memory, and the window's time to the picture beside mlir-opt's whole run.
void benchBig() {
  setenv("QT_QPA_PLATFORM", "offscreen", /*overwrite=*/0);
  const std::string empty = temporaryFile("mlir", "module {}\n");
  for (auto [name, text] : {std::pair("layers of 122 ops, 100k in all", bench::layeredModule(100000)),
                            std::pair("100k ops at random", bench::flatModule(100000))}) {
    std::string file = temporaryFile("mlir", text);
    bench::benchBigModule(name, text, file, empty);
    double ours = 1e30;
    for (int run = 0; run < 3; ++run)
      ours = std::min(ours, windowStart(file));
    double theirs = bestOf(3, [&] { runQuietly({MLIR_OPT, file, "-o", "/dev/null"}); });
    print("  window: start to graph on screen", ours, "mlir-opt: parse and print it", theirs);
    llvm::sys::fs::remove(file);
  }
  llvm::sys::fs::remove(empty);
}

/// All that stands beside a known tool; figures.py compares it with what is recorded.
void benchRatios() {
  benchStart();
  benchWindow();
  benchLayout(10000);
  benchLayout(100000);
  benchRecording("matmul_transpose_bias.mlir");
  benchRecording("bert_attention.mlir");
  benchRewritesOfLayers();
  benchStockPipeline();
  benchDiff(2);
  benchDiff(30);
  benchGraph();
  benchDumpLog();
  benchExplain();
  benchLayers();
  benchBig();
}

int explainUsage() {
  llvm::errs()
      << "usage: fuselage-bench [ratios | parse | diff | explain | layers | rewrites [FILE] | tiles | tune | big]\n"
         "       fuselage-bench write layers|flat|foreign OPS FILE | write experts LAYERS FILE | write dispatches "
         "COUNT FILE\n"
         "       fuselage-bench index LOG | peak COMMAND [ARGUMENT ...]\n";
  return 2;
}

/// `fuselage-bench write layers|flat|foreign OPS FILE`: the synthetic modules, for a look at them; of `experts`, layers
/// with 64 experts each are counted, of `dispatches`, dispatches of 100 ops each.
int writeModule(llvm::StringRef kind, llvm::StringRef ops, llvm::StringRef path) {
  constexpr unsigned expertsOfLayer = 64;
  unsigned count = 0;
  if (!llvm::is_contained({"layers", "flat", "foreign", "experts", "dispatches"}, kind) || ops.getAsInteger(10, count))
    return explainUsage();
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << (kind == "layers"       ? bench::layeredModule(count)
         : kind == "flat"       ? bench::flatModule(count)
         : kind == "experts"    ? test::layeredModel({.layers = count, .experts = expertsOfLayer})
         : kind == "dispatches" ? bench::dispatchesModule(count, 100)
                                : bench::foreignModule(count));
  return error ? 1 : 0;
}

void benchDiffs() {
  benchDiff(2);
  benchDiff(30);
}

void benchTuning() {
  registerAllPasses();
  bench::benchTune();
}

void benchRatiosOfAll() {
  registerAllPasses();
  benchRatios();
}

void benchAll() {
  benchRatiosOfAll();
  bench::benchTiles();
  bench::benchTune();
}

} // namespace

int main(int argc, char **argv) {
  const llvm::ArrayRef<char *> arguments(argv + 1, argc - 1);
  const llvm::StringRef what = arguments.empty() ? "" : arguments.front();
  if (what == "write" && arguments.size() == 4)
    return writeModule(arguments[1], arguments[2], arguments[3]);
  if (what == "index" && arguments.size() == 2)
    return indexLog(arguments[1]);
  if (what == "peak" && arguments.size() > 1)
    return printPeakMemory(arguments.drop_front());
  if (what == "rewrites" && arguments.size() == 2) {
    bench::benchRewrites(arguments[1], llvm::sys::path::stem(arguments[1]));
    return 0;
  }
  constexpr std::pair<llvm::StringLiteral, void (*)()> parts[] = {
      {"", benchAll},       {"ratios", benchRatiosOfAll},        {"parse", bench::benchParse},
      {"diff", benchDiffs}, {"explain", benchExplain},           {"layers", benchLayers},
      {"big", benchBig},    {"rewrites", benchRewritesOfLayers}, {"tiles", bench::benchTiles},
      {"tune", benchTuning}};
  for (const auto &[name, part] : parts)
    if (arguments.size() <= 1 && what == name) {
      part();
      return 0;
    }
  return explainUsage();
}
