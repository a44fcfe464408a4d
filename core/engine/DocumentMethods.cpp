// initialize, document/*, plugin/*, pipeline/*.
#include "core/protocol/methods/DocumentMethods.h"
#include "core/engine/DocumentMessage.h"
#include "core/engine/MethodTable.h"
#include "core/engine/ScriptParams.h"
#include "core/engine/StepMessages.h"
#include "core/plugins/Plugins.h"
#include "core/protocol/Document.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/stepping/pipeline/DefaultPipeline.h"
#include "core/support/Expendable.h"
#include "core/tuning/library/TunedSteps.h"
#include "llvm/Config/llvm-config.h"
#include <unistd.h>

namespace fuselage {
namespace {

llvm::Expected<message::Initialized<>> initialize(Engine &, const method::Initialize::Request<> &request) {
  if (request.version != message::version)
    return fail("this engine speaks protocol version " + std::to_string(message::version) + ", the client asked for " +
                std::to_string(request.version) + "; install the same release of both");
  return message::Initialized<>{
      .version = message::version, .engine = FUSELAGE_VERSION, .mlir = LLVM_VERSION_STRING, .pid = int64_t(getpid())};
}

llvm::Expected<message::Document<>> open(Engine &engine, const method::OpenDocument::Request<> &request) {
  if (request.path == "-")
    return fail("the engine's stdin is the protocol; open a file");
  engine.notify(message::DocumentProgress<>{.phase = "reading"});
  std::optional<ExpendableScope> expendable;
  if (request.expendable)
    expendable.emplace();
  auto document = Document::open(request.path, &engine.cancelled);
  if (!document)
    return document.takeError();
  if (engine.current && engine.current->path() == request.path)
    (*document)->keep(*engine.current);
  engine.current = std::move(*document);
  return documentMessage(*engine.current);
}

llvm::Expected<message::Plugins<>> listPlugins(Engine &, const method::ListPlugins::Request<> &) {
  message::Plugins<> list;
  for (const Plugin &plugin : plugins())
    list.plugins.push_back({.path = plugin.path,
                            .name = llvm::json::fixUTF8(plugin.name),
                            .version = llvm::json::fixUTF8(plugin.version),
                            .passes = plugin.passes,
                            .dialects = plugin.dialects,
                            .problem = llvm::json::fixUTF8(plugin.problem),
                            .crashed = plugin.crashed});
  return list;
}

llvm::Expected<message::Catalog<>> listPipelines(Engine &engine, const method::ListPipelines::Request<> &) {
  message::Catalog<> catalog;
  for (const CatalogEntry &pass : engine.passes())
    catalog.passes.push_back({.argument = pass.argument, .description = pass.description});
  catalog.presets = {{.name = "Tile and fuse",
                      .pipeline = "",
                      .description = "The default pipeline: from dispatches to kernels, in steps that teach"},
                     {.name = "Form dispatches",
                      .pipeline = "builtin.module(canonicalize,cse,func.func(fuselage-form-dispatches))",
                      .description = "Clean up and group ops into dispatches, nothing more"},
                     {.name = "Fuse elementwise ops",
                      .pipeline = "builtin.module(func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops),"
                                  "canonicalize,cse)",
                      .description = "Upstream's elementwise fusion, without dispatches"},
                     {.name = "Bufferize",
                      .pipeline = "builtin.module(canonicalize,eliminate-empty-tensors,empty-tensor-to-alloc-tensor,"
                                  "one-shot-bufferize{bufferize-function-boundaries=1},canonicalize,cse)",
                      .description = "Upstream's one-shot bufferization of the untiled module"},
                     {.name = "Lower to Host",
                      .pipeline = "builtin.module(canonicalize,cse,fuselage-lower-to-host)",
                      .description = "Kernels on vectors and threads, loops and LLVM's dialect: what a run on the host "
                                     "compiles"},
                     {.name = "Loops on the host",
                      .pipeline = "builtin.module(eliminate-empty-tensors,empty-tensor-to-alloc-tensor,"
                                  "one-shot-bufferize{bufferize-function-boundaries=1},"
                                  "func.func(convert-linalg-to-loops),canonicalize,cse)",
                      .description = "Bufferize, then a loop nest an op: what the host runs"}};
  return catalog;
}

llvm::Expected<message::Recording<>> recordPipeline(Engine &engine, Document &document,
                                                    const method::RecordPipeline::Request<> &request) {
  RecordOptions options;
  options.pipeline = request.pipeline;
  options.schedule = request.schedule;
  options.script = scriptOptions(request.script);
  options.target = request.target;
  options.targetDevice = request.device;
  std::string library = request.tuned.value_or(tune::TunedLibrary::defaultPath()), warning;
  options.limit = request.limit;
  if (llvm::Error error = checkRange("from", request.from, -1, int64_t(document.startCount()) - 1))
    return error;
  auto tuned = tune::openTuned(library, warning);
  if (!tuned)
    return tuned.takeError();
  if (*tuned)
    options.tuning = [&](mlir::ModuleOp module) { return tune::tunedSteps(module, **tuned, options.target); };
  options.cancelled = &engine.cancelled;
  options.keepsFinished = true;
  options.beforeStep = [&](unsigned index, unsigned total, const Step &step) {
    engine.notify(message::StepStarted<>{.index = static_cast<int>(index),
                                         .total = static_cast<int>(total),
                                         .name = step.name,
                                         .pass = step.pass,
                                         .pipeline = step.pipeline});
  };
  options.afterStep = [&](unsigned index, unsigned, const Step &step) {
    engine.send("step/finished", message::encode(messageOf(step, index)));
  };
  std::optional<unsigned> start;
  if (request.from >= 0)
    start = unsigned(request.from);
  if (llvm::Error error = document.record(options, start))
    return error;
  const Recording &recording = document.recording();
  message::Recording<> recorded;
  static_cast<message::FusionHistory<> &>(recorded) = historyMessage(document);
  recorded.failed = !recording.steps.empty() && recording.steps.back().failed;
  recorded.cancelled = recording.cancelled;
  recorded.notes = message::messagesOf(recording.notes);
  if (!warning.empty()) {
    message::Diagnostic<> &note = recorded.notes.emplace_back();
    note.severity = "warning";
    note.message = warning;
  }
  return recorded;
}

} // namespace

void addDocumentMethods(MethodTable &table) {
  addMethod<method::Initialize, initialize>(table);
  addMethod<method::OpenDocument, open>(table);
  addMethod<method::ListPlugins, listPlugins>(table);
  addMethod<method::ListPipelines, listPipelines>(table);
  addMethod<method::RecordPipeline, recordPipeline>(table);
}

} // namespace fuselage
