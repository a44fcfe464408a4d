// initialize, document/*, pipeline/*.
#include "core/engine/Engine.h"
#include "core/engine/StepJson.h"
#include "core/graph/model/GraphBuilder.h"
#include "core/stepping/pipeline/DefaultPipeline.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

namespace fuselage {
namespace {

constexpr int64_t protocolVersion = 1;

llvm::Expected<llvm::json::Value> initialize(Engine &, Params &params) {
  int64_t version = params.integer("version", 0, INT32_MAX);
  if (llvm::Error error = params.check())
    return error;
  if (version != protocolVersion)
    return fail("this engine speaks protocol version " + std::to_string(protocolVersion) +
                ", the client asked for " + std::to_string(version) +
                "; install the same release of both");
  return llvm::json::Object{{"version", protocolVersion},
                            {"engine", FUSELAGE_VERSION},
                            {"mlir", LLVM_VERSION_STRING},
                            {"pid", int64_t(getpid())}};
}

/// What there is to say of a module without looking deeper: its functions, and how many ops it has.
void describeModule(Document &document, llvm::json::Object &json) {
  llvm::json::Array functions;
  int64_t ops = 0;
  if (auto module = document.input()) {
    ops = countOps(*module);
    (*module)->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (auto function = mlir::dyn_cast<mlir::FunctionOpInterface>(op))
        functions.push_back(llvm::json::fixUTF8(function.getName()));
    });
  } else {
    llvm::consumeError(module.takeError());
  }
  json["functions"] = std::move(functions);
  json["ops"] = ops;
}

/// -1 for a large module: printing it takes as long as reading it, and text/lines says it, too.
int64_t lineCount(Document &document) {
  constexpr uint64_t large = 1 << 20;
  return document.isLog() || document.fileBytes() < large ? int64_t(document.lines(0).lineCount()) : -1;
}

llvm::json::Value describe(Document &document) {
  llvm::json::Array diagnostics;
  for (const Diagnostic &diagnostic : document.diagnostics())
    diagnostics.push_back(toJSON(diagnostic));
  llvm::json::Object json{
      {"path", llvm::json::fixUTF8(document.path())},
      {"name", llvm::json::fixUTF8(llvm::sys::path::filename(llvm::StringRef(document.path()).rtrim('/')))},
      {"log", document.isLog()},
      {"lines", lineCount(document)},
      {"bytes", int64_t(document.fileBytes())},
      {"gaps", int64_t(document.gaps())},
      {"tolerated", int64_t(document.tolerated())},
      {"diagnostics", std::move(diagnostics)}};
  // The dumps of a log are parsed when somebody looks at them.
  if (document.isLog()) {
    json["functions"] = llvm::json::Array();
    json["ops"] = 0;
    json["steps"] = stepsToJSON(document);
  } else {
    describeModule(document, json);
  }
  return json;
}

llvm::Expected<llvm::json::Value> open(Engine &engine, Params &params) {
  std::string path = params.string("path");
  if (llvm::Error error = params.check())
    return error;
  if (path == "-")
    return fail("the engine's stdin is the protocol; open a file");
  engine.notify("document/progress", llvm::json::Object{{"phase", "reading"}});
  auto document = Document::open(path, &engine.cancelled);
  if (!document)
    return document.takeError();
  engine.current = std::move(*document);
  return describe(*engine.current);
}

llvm::json::Object preset(llvm::StringRef name, llvm::StringRef pipeline,
                          llvm::StringRef description) {
  return llvm::json::Object{
      {"name", name}, {"pipeline", pipeline}, {"description", description}};
}

llvm::Expected<llvm::json::Value> listPipelines(Engine &engine, Params &) {
  if (engine.passes.empty()) {
    engine.passes = listRegisteredPasses();
  }
  llvm::json::Array passes;
  for (const CatalogEntry &pass : engine.passes)
    passes.push_back(llvm::json::Object{{"argument", pass.argument},
                                        {"description", llvm::json::fixUTF8(pass.description)}});
  llvm::json::Array presets;
  presets.push_back(preset("Tile and fuse", "",
                           "The default pipeline: from dispatches to kernels, in steps that teach"));
  presets.push_back(preset("Form dispatches",
                           "builtin.module(canonicalize,cse,func.func(fuselage-form-dispatches))",
                           "Clean up and group ops into dispatches, nothing more"));
  presets.push_back(
      preset("Fuse elementwise ops",
             "builtin.module(func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops),"
             "canonicalize,cse)",
             "Upstream's elementwise fusion, without dispatches"));
  presets.push_back(preset(
      "Bufferize",
      "builtin.module(canonicalize,eliminate-empty-tensors,empty-tensor-to-alloc-tensor,"
      "one-shot-bufferize{bufferize-function-boundaries=1},canonicalize,cse)",
      "Upstream's one-shot bufferization of the untiled module"));
  presets.push_back(
      preset("Loops on the host",
             "builtin.module(eliminate-empty-tensors,empty-tensor-to-alloc-tensor,"
             "one-shot-bufferize{bufferize-function-boundaries=1},"
             "func.func(convert-linalg-to-loops),canonicalize,cse)",
             "Bufferize, then a loop nest an op: what the host runs"));
  return llvm::json::Object{{"presets", std::move(presets)}, {"passes", std::move(passes)}};
}

llvm::Expected<llvm::json::Value> recordPipeline(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  RecordOptions options;
  options.pipeline = params.string("pipeline", "");
  options.schedule = params.string("schedule", "");
  options.target = params.string("target", "spirv");
  options.limit = params.integer("limit", 0, UINT32_MAX, UINT32_MAX);
  int64_t from = params.integer("from", -1, int64_t((*document)->startCount()) - 1, -1);
  if (llvm::Error error = params.check())
    return error;
  options.cancelled = &engine.cancelled;
  options.beforeStep = [&](unsigned index, unsigned total, const Step &step) {
    engine.notify("step/started", llvm::json::Object{{"index", index},
                                                     {"total", total},
                                                     {"name", llvm::json::fixUTF8(step.name)},
                                                     {"pass", llvm::json::fixUTF8(step.pass)},
                                                     {"pipeline", llvm::json::fixUTF8(step.pipeline)}});
  };
  options.afterStep = [&](unsigned index, unsigned, const Step &step) {
    engine.notify("step/finished", toJSON(step, index));
  };
  std::optional<unsigned> start;
  if (from >= 0)
    start = unsigned(from);
  if (llvm::Error error = (*document)->record(options, start))
    return error;
  const Recording &recording = (*document)->recording();
  llvm::json::Object json = historyToJSON(**document);
  json["failed"] = !recording.steps.empty() && recording.steps.back().failed;
  llvm::json::Array notes;
  for (const Diagnostic &note : recording.notes)
    notes.push_back(toJSON(note));
  json["notes"] = std::move(notes);
  return json;
}

} // namespace

void addDocumentMethods(MethodTable &table) {
  table["initialize"] = initialize;
  table["document/open"] = open;
  table["pipeline/list"] = listPipelines;
  table["pipeline/record"] = recordPipeline;
}

} // namespace fuselage
