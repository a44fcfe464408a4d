#include "app/bridge/ProtocolTypes.h"
#include "app/bridge/JsonFields.h"

using namespace Qt::StringLiterals;

namespace fuselage::protocol {

void decode(const QJsonObject &json, Diagnostic &out) {
  out.severity = text(json, "severity"_L1);
  out.message = text(json, "message"_L1);
  out.file = text(json, "file"_L1);
  out.line = small(json, "line"_L1);
  out.column = small(json, "column"_L1);
  out.op = integer(json, "op"_L1, -1);
  out.opLine = small(json, "op_line"_L1, -1);
  out.notes = objects<Diagnostic>(json, "notes"_L1);
}

void decode(const QJsonObject &json, Error &out) {
  out.code = small(json, "code"_L1);
  out.message = text(json, "message"_L1);
  out.diagnostics = objects<Diagnostic>(json.value("data"_L1).toObject(), "diagnostics"_L1);
}

void decode(const QJsonObject &json, Initialized &out) {
  out.version = small(json, "version"_L1);
  out.engine = text(json, "engine"_L1);
  out.mlir = text(json, "mlir"_L1);
  out.pid = integer(json, "pid"_L1);
}

void decode(const QJsonObject &json, Document &out) {
  out.path = text(json, "path"_L1);
  out.name = text(json, "name"_L1);
  out.functions = texts(json, "functions"_L1);
  out.ops = integer(json, "ops"_L1);
  out.lines = integer(json, "lines"_L1);
  out.bytes = integer(json, "bytes"_L1);
  out.gaps = integer(json, "gaps"_L1);
  out.tolerated = integer(json, "tolerated"_L1);
  out.log = json.value("log"_L1).toBool();
  out.steps = objects<Step>(json, "steps"_L1);
  out.diagnostics = objects<Diagnostic>(json, "diagnostics"_L1);
}

static void decode(const QJsonObject &json, Preset &out) {
  out.name = text(json, "name"_L1);
  out.pipeline = text(json, "pipeline"_L1);
  out.description = text(json, "description"_L1);
}

static void decode(const QJsonObject &json, Pass &out) {
  out.argument = text(json, "argument"_L1);
  out.description = text(json, "description"_L1);
}

void decode(const QJsonObject &json, Catalog &out) {
  out.presets = objects<Preset>(json, "presets"_L1);
  out.passes = objects<Pass>(json, "passes"_L1);
}

void decode(const QJsonObject &json, Step &out) {
  out.index = small(json, "index"_L1);
  out.name = text(json, "name"_L1);
  out.pass = text(json, "pass"_L1);
  out.options = text(json, "options"_L1);
  out.pipeline = text(json, "pipeline"_L1);
  out.teaches = text(json, "teaches"_L1);
  out.scope = text(json, "scope"_L1);
  out.origin = text(json, "origin"_L1);
  out.milliseconds = real(json, "milliseconds"_L1, -1);
  // Null: there is none. An engine that does not tell records step i from snapshot i to i + 1.
  out.before = json.contains("before"_L1) ? small(json, "before"_L1, -1) : out.index;
  out.after = json.contains("after"_L1) ? small(json, "after"_L1, -1) : out.index + 1;
  out.changed = json.value("changed"_L1).toBool();
  out.failed = json.value("failed"_L1).toBool();
  const QJsonObject delta = json.value("op_delta"_L1).toObject();
  for (auto it = delta.begin(); it != delta.end(); ++it)
    out.opDelta.insert(it.key(), it.value().toInteger());
  out.diagnostics = objects<Diagnostic>(json, "diagnostics"_L1);
  if (!json.contains("fusion"_L1))
    return;
  const QJsonObject fusion = json.value("fusion"_L1).toObject();
  out.fusion = {.reason = text(fusion, "reason"_L1),
                .dispatches = small(fusion, "dispatches"_L1),
                .checked = fusion.value("checked"_L1).toBool(),
                .maxAbsError = measured(fusion, "max_abs_error"_L1),
                .maxRelError = measured(fusion, "max_rel_error"_L1),
                .ok = fusion.value("ok"_L1).toBool(true),
                .note = text(fusion, "note"_L1)};
}

void decode(const QJsonObject &json, StepStarted &out) {
  out.index = small(json, "index"_L1);
  out.total = small(json, "total"_L1);
  out.name = text(json, "name"_L1);
  out.pass = text(json, "pass"_L1);
  out.pipeline = text(json, "pipeline"_L1);
}

void decode(const QJsonObject &json, Recording &out) {
  out.steps = objects<Step>(json, "steps"_L1);
  out.failed = json.value("failed"_L1).toBool();
  out.kept = small(json, "kept"_L1);
  out.undo = small(json, "undo"_L1);
  out.redo = small(json, "redo"_L1);
  out.notes = objects<Diagnostic>(json, "notes"_L1);
}

void decode(const QJsonObject &json, SnapshotRead &out) {
  out.parsed = json.value("parsed"_L1).toBool();
  out.problem = text(json, "problem"_L1);
  out.gaps = integer(json, "gaps"_L1);
  out.tolerated = integer(json, "tolerated"_L1);
  out.diagnostics = objects<Diagnostic>(json, "diagnostics"_L1);
}

void decode(const QJsonObject &json, TextLines &out) {
  out.first = integer(json, "first"_L1);
  out.total = integer(json, "total"_L1);
  out.lines = texts(json, "lines"_L1);
}

static void decode(const QJsonObject &json, TextMatch &out) {
  out.line = small(json, "line"_L1);
  out.column = small(json, "column"_L1);
  out.length = small(json, "length"_L1);
}

void decode(const QJsonObject &json, TextMatches &out) {
  out.matches = objects<TextMatch>(json, "matches"_L1);
  out.total = integer(json, "total"_L1);
}

void decode(const QJsonObject &json, OpAt &out) {
  out.id = integer(json, "id"_L1, -1);
  out.first = small(json, "first"_L1, -1);
  out.last = small(json, "last"_L1, -1);
}

static void decode(const QJsonObject &json, OpResult &out) {
  out.name = text(json, "name"_L1);
  out.type = text(json, "type"_L1);
  out.bytes = integer(json, "bytes"_L1, -1);
}

static void decode(const QJsonObject &json, OpOperand &out) {
  out.name = text(json, "name"_L1);
  out.type = text(json, "type"_L1);
  out.group = text(json, "group"_L1);
  out.hasFrom = json.value("from"_L1).isDouble();
  out.from = integer(json, "from"_L1);
}

static void decode(const QJsonObject &json, OpAttribute &out) {
  out.name = text(json, "name"_L1);
  out.value = text(json, "value"_L1);
}

static void decode(const QJsonObject &json, Origin &out) {
  out.snapshot = small(json, "snapshot"_L1);
  out.id = integer(json, "id"_L1);
  out.line = small(json, "line"_L1, -1);
}

void decode(const QJsonObject &json, OpDetails &out) {
  out.id = integer(json, "id"_L1);
  out.op = text(json, "op"_L1);
  out.role = text(json, "role"_L1);
  out.detail = text(json, "detail"_L1);
  out.loc = text(json, "loc"_L1);
  out.first = small(json, "first"_L1, -1);
  out.last = small(json, "last"_L1, -1);
  out.results = objects<OpResult>(json, "results"_L1);
  out.operands = objects<OpOperand>(json, "operands"_L1);
  out.attributes = objects<OpAttribute>(json, "attributes"_L1);
  out.maps = texts(json, "maps"_L1);
  const QJsonValue iterators = json.value("iterators"_L1);
  out.iterators = iterators.isArray() ? texts(json, "iterators"_L1).join(u", "_s) : iterators.toString();
  out.flops = integer(json, "flops"_L1, -1);
  out.bytesRead = integer(json, "bytes_read"_L1, -1);
  out.bytesWritten = integer(json, "bytes_written"_L1, -1);
  out.bytesAtMost = json.value("bytes_at_most"_L1).toBool();
  out.dispatch = small(json, "dispatch"_L1, -1);
  out.users = integers(json, "users"_L1);
  out.provenance = objects<Origin>(json, "provenance"_L1);
}

static void decode(const QJsonObject &json, GraphDiffNode &out) {
  out.id = integer(json, "id"_L1);
  out.change = text(json, "change"_L1);
  out.origins = integers(json, "origins"_L1);
}

void decode(const QJsonObject &json, GraphDiff &out) {
  out.after = objects<GraphDiffNode>(json, "after"_L1);
  out.removed = integers(json, "removed"_L1);
}

static void decode(const QJsonObject &json, Device &out) {
  out.id = text(json, "id"_L1);
  out.name = text(json, "name"_L1);
  out.api = text(json, "api"_L1);
  out.memoryBytes = integer(json, "memory_bytes"_L1);
  out.maxSharedBytes = integer(json, "max_shared_bytes"_L1);
  out.maxThreads = integer(json, "max_threads"_L1);
  out.software = json.value("software"_L1).toBool();
  out.target = text(json, "target"_L1);
}

void decode(const QJsonObject &json, Devices &out) { out.devices = objects<Device>(json, "devices"_L1); }

void decode(const QJsonObject &json, WrittenFile &out) { out.path = text(json, "path"_L1); }

void decode(const QJsonObject &, Nothing &) {}

} // namespace fuselage::protocol
