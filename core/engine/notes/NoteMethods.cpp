// notes/*.
#include "core/protocol/methods/NoteMethods.h"
#include "core/engine/MethodTable.h"
#include "core/notes/BugReport.h"
#include "core/notes/NotesFile.h"
#include "core/protocol/json/JsonReader.h"
#include "core/stepping/pipeline/PipelineText.h"
#include "core/stepping/report/NoteSteps.h"
#include "core/support/ShellWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <numeric>

namespace fuselage {
namespace {

/// Whose notes they are: of a compiler's log, the file that it ran on.
std::string subjectOf(const Document &document) {
  return document.toolSource().empty() ? document.path() : document.toolSource();
}

llvm::Expected<message::Notes<>> load(Engine &, Document &document, const method::LoadNotes::Request<> &) {
  return loadNotes(subjectOf(document));
}

std::vector<message::Note<>> tidied(std::vector<message::Note<>> notes) {
  for (message::Note<> &note : notes)
    tidy(note);
  return notes;
}

llvm::Expected<message::NotesSaved<>> save(Engine &, Document &document, const method::SaveNotes::Request<> &request) {
  if (std::string of = request.document.value_or(document.path()); of != document.path())
    return badParameter("document", "is '" + of + "', and that is not open any more");
  auto saved = saveNotes(subjectOf(document), tidied(request.notes));
  if (!saved)
    return saved.takeError();
  return std::move(*saved);
}

/// The function's graph that an argument's node is of, and the argument's number.
std::optional<NotedOp> argumentOf(const Graph &graph, OpId node) {
  for (const FunctionGraph &function : graph.functions)
    for (size_t i = 0; i < function.nodes.size() && function.nodes[i].op == "argument"; ++i)
      if (function.nodes[i].id == node && function.id >= 0)
        return NotedOp{function.id, static_cast<int>(i)};
  return std::nullopt;
}

/// The op, or the argument, that a node of the graph stands for.
llvm::Expected<NotedOp> opOf(Document &document, unsigned snapshot, OpId node, const NotedOps &ops) {
  if (node <= plannedClusterBase && isPlannedCluster(node))
    node = plannedClusterBase - node; // its root op
  if (node >= 0 && node < ops.count())
    return NotedOp{node, -1};
  auto graph = document.graph(snapshot);
  if (!graph)
    return graph.takeError();
  std::optional<NotedOp> argument = argumentOf(**graph, node);
  if (!argument || ops.op(argument->op)->getNumRegions() == 0 || ops.op(argument->op)->getRegion(0).empty() ||
      argument->argument >= static_cast<int>(ops.op(argument->op)->getRegion(0).getNumArguments()))
    return fail("a note is put on an op, an argument, an edge or a step; open the box and choose an op in it");
  return *argument;
}

std::string labelOf(const message::OpAnchor<> &anchor) {
  std::string label = anchor.op;
  if (!anchor.name.empty())
    label += (anchor.op == "argument" || llvm::StringRef(anchor.op).contains("func") ? " " : " %") + anchor.name;
  else if (anchor.op == "argument")
    label += " " + std::to_string(anchor.ordinal);
  return label;
}

std::string stepLabel(const Document &document, unsigned snapshot) {
  std::optional<unsigned> step = stepTo(document.recording(), snapshot);
  return step ? "after step " + std::to_string(*step) + ", " + document.recording().steps[*step].name : "the input";
}

/// Notes are kept on the input and on steps.
llvm::Error checkNoted(unsigned snapshot, const Document &document) {
  if (snapshot < document.snapshotCount())
    return llvm::Error::success();
  return badParameter("snapshot", "is a place of a schedule: notes are kept on the input and on steps");
}

/// A note about what is pointed at, without words and without an id.
llvm::Expected<message::Note<>> anchor(Engine &, Document &document, const method::AnchorNote::Request<> &request) {
  bool hasOp = request.id.has_value(), isEdge = request.producer.has_value();
  unsigned snapshot = request.snapshot;
  message::Note<> note;
  note.operand = request.operand;
  if (llvm::Error error = checkNoted(snapshot, document))
    return error;
  note.step = stepAnchor(document.recording(), snapshot);
  note.kind = isEdge ? message::NoteKind::Edge : hasOp ? message::NoteKind::Op : message::NoteKind::Step;
  note.label = stepLabel(document, snapshot);
  if (hasOp) {
    auto module = document.module(snapshot);
    if (!module)
      return module.takeError();
    NotedOps ops(*module);
    auto op = opOf(document, snapshot, *request.id, ops);
    if (!op)
      return op.takeError();
    note.op = ops.describe(*op);
    note.label = labelOf(note.op);
    if (isEdge) {
      auto producer = opOf(document, snapshot, *request.producer, ops);
      if (!producer)
        return producer.takeError();
      note.producer = ops.describe(*producer);
      note.label = labelOf(*note.producer) + " \u2192 " + note.label;
    }
  }
  tidy(note);
  return note;
}

/// An argument's node in the graph.
OpId nodeOf(Document &document, unsigned snapshot, const NotedOp &noted) {
  if (noted.argument < 0)
    return noted.op;
  auto graph = document.graph(snapshot);
  if (!graph) {
    llvm::consumeError(graph.takeError());
    return -1;
  }
  for (const FunctionGraph &function : (*graph)->functions)
    if (function.id == noted.op && noted.argument < static_cast<int>(function.nodes.size()))
      return function.nodes[noted.argument].id;
  return -1;
}

/// Where in the snapshot `shown` the op stands that was found in another one: an op from the same place, of the same
/// name if there is one.
void follow(Document &document, const OpIndex &shown, unsigned snapshot, mlir::Operation *op,
            message::NotePlace<> &place) {
  std::vector<OpId> ids = shown.opsAt(op->getLoc());
  if (ids.empty())
    return;
  auto alike = llvm::find_if(
      ids, [&](OpId id) { return shown.op(id)->getName().getStringRef() == op->getName().getStringRef(); });
  place.shownOp = alike == ids.end() ? ids.front() : *alike;
  place.shownLine = document.printed(snapshot).linesOf(place.shownOp).first;
}

llvm::Expected<message::NotePlaces<>> resolve(Engine &engine, Document &document,
                                              const method::ResolveNotes::Request<> &request) {
  unsigned shown = request.snapshot;
  std::vector<message::Note<>> notes = tidied(request.notes);
  // Notes on one step one after another, so that its ops are looked through once.
  std::vector<unsigned> order(notes.size());
  std::iota(order.begin(), order.end(), 0);
  const Recording &recording = document.recording();
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return snapshotOf(notes[a].step, recording).value_or(~0u) < snapshotOf(notes[b].step, recording).value_or(~0u);
  });
  message::NotePlaces<> answer;
  answer.places.resize(notes.size());
  NoteFinder finder(recording);
  std::shared_ptr<OpIndex> index;
  for (unsigned i : order) {
    if (engine.cancelled)
      return llvm::make_error<RpcError>(RpcCode::Cancelled, "cancelled");
    message::NotePlace<> &place = answer.places[i];
    place = finder.find(notes[i]);
    if (!place.hasOp)
      continue;
    place.op = nodeOf(document, place.snapshot, finder.op());
    if (notes[i].producer)
      place.producer = nodeOf(document, place.snapshot, finder.producer());
    if (place.snapshot == static_cast<int>(shown)) {
      place.shownOp = place.op;
      place.shownLine = place.line;
      continue;
    }
    if (finder.op().argument >= 0)
      continue;
    if (!index) {
      auto made = document.index(shown);
      if (!made) {
        llvm::consumeError(made.takeError()); // a dump that does not parse shows no ops
        continue;
      }
      index = *made;
    }
    follow(document, *index, shown, finder.ops()->op(finder.op().op), place);
  }
  return answer;
}

/// The command line that shows the snapshot again, or (`isEdge`) why the edge is not fused there.
llvm::Expected<std::string> commandFor(Document &document, unsigned snapshot, bool isEdge, llvm::StringRef policy,
                                       std::string &pipeline) {
  const Recording &recording = document.recording();
  std::vector<std::string> words{"fuselage", isEdge ? "explain" : "step",
                                 llvm::sys::path::filename(subjectOf(document)).str()};
  std::optional<unsigned> step = stepTo(recording, snapshot);
  if (!document.toolCommand().empty() && !isEdge)
    words.insert(words.end(), {"--tool", document.toolCommand()});
  int at = step ? int(*step) : -1;
  for (unsigned i = 0; step && i <= *step; ++i)
    pipeline += (pipeline.empty() ? "" : ",") + recording.steps[i].pipeline;
  if (step && !recording.schedule.empty()) {
    words.insert(words.end(), {"--schedule", llvm::sys::path::filename(recording.schedule).str()});
    pipeline.clear();
  } else if (step && !recording.pipeline.empty() && document.keptSteps() == 0) {
    words.insert(words.end(), {"--pipeline", recording.pipeline});
  } else if (step && document.keptSteps() > 0) {
    words.insert(words.end(), {"--pipeline", pipeline});
    auto units = parsePipeline(pipeline, document.session().context());
    if (units)
      at = int(units->size()) - 1;
    else
      llvm::consumeError(units.takeError()); // of tools: the number of the step is the same
  }
  if (isEdge)
    words.insert(words.end(), {"--policy", policy.str()});
  if (at >= 0)
    words.insert(words.end(), {"--at", std::to_string(at)});
  if (at < 0 && !isEdge)
    words[1] = "graph";
  return joinShellWords(words);
}

llvm::Expected<message::BugReport<>> report(Engine &, Document &document,
                                            const method::WriteBugReport::Request<> &request) {
  bool isEdge = request.producer.has_value();
  unsigned snapshot = request.snapshot;
  if (llvm::Error error = checkNoted(snapshot, document))
    return error;
  auto module = document.module(snapshot);
  if (!module)
    return module.takeError();
  NotedOps ops(*module);
  auto op = opOf(document, snapshot, request.id, ops);
  if (!op)
    return op.takeError();
  BugReportParts parts;
  parts.module = *module;
  parts.printed = &document.printed(snapshot);
  parts.op = op->op;
  if (isEdge) {
    auto producer = opOf(document, snapshot, *request.producer, ops);
    if (!producer)
      return producer.takeError();
    parts.producer = producer->op;
  }
  parts.input = llvm::sys::path::filename(subjectOf(document)).str();
  parts.step = stepLabel(document, snapshot);
  parts.reason = llvm::json::fixUTF8(request.reason);
  parts.version = FUSELAGE_VERSION;
  auto command = commandFor(document, snapshot, isEdge, request.policy, parts.pipeline);
  if (!command)
    return command.takeError();
  parts.command = *command;
  return message::BugReport<>{.text = bugReport(parts)};
}

} // namespace

void addNoteMethods(MethodTable &table) {
  addMethod<method::LoadNotes, load>(table);
  addMethod<method::SaveNotes, save>(table);
  addMethod<method::AnchorNote, anchor>(table);
  addMethod<method::ResolveNotes, resolve>(table);
  addMethod<method::WriteBugReport, report>(table);
}

} // namespace fuselage
