// values/*: tensors inside of a program.
#include "core/protocol/methods/ValueMethods.h"
#include "core/engine/MethodTable.h"
#include "core/run/inspect/NonFinite.h"
#include "core/run/inspect/ValueMessage.h"
#include "core/run/inspect/ValueSlice.h"
#include "core/run/values/NpyFile.h"
#include "llvm/Support/Base64.h"

namespace fuselage {
namespace {

/// Values that were computed last: another slice of one, or its file, is asked for next.
struct KnownValues {
  struct Value {
    std::weak_ptr<const Snapshot> of;
    ComputedValue computed;
    ValueStatistics statistics;
  };
  LruCache<std::string, Value> values{uint64_t(512) << 20}; // bytes
};

ValueOptions optionsOf(Engine &engine, const method::ValueArguments<> &arguments) {
  ValueOptions options;
  options.function = arguments.function;
  options.seed = arguments.seed;
  options.sizes = arguments.sizes;
  options.inputs = arguments.inputs;
  options.files.folder = arguments.inputsFolder;
  for (const auto &[file, scope] : arguments.parameters)
    options.files.parameters.push_back(scope.empty() ? file : scope + "=" + file);
  options.cancelled = &engine.cancelled;
  return options;
}

/// The module that is run, if it is the one that is shown.
llvm::Expected<mlir::ModuleOp> moduleOf(Document &document, unsigned snapshot) {
  auto shown = document.module(snapshot);
  if (!shown)
    return shown.takeError();
  auto program = document.program(snapshot);
  if (!program)
    return program.takeError();
  if (*program != *shown)
    return fail("what runs is the normalized form of the module: its values are those of the next step");
  return *shown;
}

/// The edge of the graph as a value and its reader.
llvm::Expected<ValueUse> useOf(Document &document, OpIndex &index, const method::ValuePlace<> &place) {
  if (place.to < 0 || place.to >= index.count() || place.from >= index.count())
    return badParameter("to", "names no op of snapshot " + std::to_string(place.snapshot));
  mlir::Operation *reader = index.op(place.to);
  if (place.operand < reader->getNumOperands())
    return ValueUse{reader->getOperand(unsigned(place.operand)), reader};
  auto graph = document.graph(unsigned(place.snapshot));
  if (!graph)
    return graph.takeError();
  for (const FunctionGraph &function : (*graph)->functions)
    for (const GraphEdge &edge : function.edges)
      if (edge.from >= 0 && edge.from == place.from && edge.to == place.to && edge.operand == place.operand &&
          edge.result < index.op(edge.from)->getNumResults())
        return ValueUse{index.op(edge.from)->getResult(edge.result), reader};
  return fail("this edge is a block argument that is used inside of an op: choose the edge that leads to it");
}

/// Spells what a value is computed of.
std::string keyOf(const method::ValuePlace<> &place, const method::ValueArguments<> &arguments) {
  std::string key = std::to_string(place.to) + " " + std::to_string(place.operand) + " " + std::to_string(place.from) +
                    " " + std::to_string(arguments.seed) + " " + arguments.function + "\n" + arguments.inputsFolder;
  for (const auto &[name, size] : arguments.sizes)
    key += "\n" + name + "=" + std::to_string(size);
  for (const auto *texts : {&arguments.inputs, &arguments.parameters})
    for (const auto &[name, text] : *texts)
      key += "\n" + name + "=" + text;
  return key;
}

/// The value that a request asks for.
struct AskedValue {
  std::shared_ptr<OpIndex> index;
  ValueUse use;
  std::shared_ptr<KnownValues::Value> value{}; ///< its tensor is empty where it takes too much
  bool isKnown = false;                        ///< from before
};

llvm::Expected<std::shared_ptr<KnownValues::Value>> valueOf(Engine &engine, Document &document, const ValueUse &use,
                                                            const method::ValuePlace<> &place,
                                                            const method::ValueArguments<> &arguments,
                                                            int64_t mostFlops, bool &isKnown) {
  std::shared_ptr<KnownValues> &known = document.extension<KnownValues>();
  if (!known)
    known = std::make_shared<KnownValues>();
  const auto &snapshot = document.snapshot(unsigned(place.snapshot));
  std::string key = std::to_string(place.snapshot) + " " + keyOf(place, arguments);
  auto value = known->values.find(key);
  isKnown = value && value->of.lock() == snapshot;
  if (isKnown)
    return value;
  auto module = moduleOf(document, unsigned(place.snapshot));
  if (!module)
    return module.takeError();
  ValueOptions options = optionsOf(engine, arguments);
  options.mostFlops = mostFlops;
  auto computed = computeValue(*module, use, options);
  if (!computed)
    return computed.takeError();
  value = std::make_shared<KnownValues::Value>();
  value->of = snapshot;
  value->computed = std::move(*computed);
  if (!value->computed.tensor)
    return value;
  value->statistics = valueStatisticsOf(value->computed.tensor);
  known->values.insert(std::move(key), value, value->computed.tensor.byteCount());
  return value;
}

llvm::Expected<AskedValue> askedValue(Engine &engine, Document &document, const method::ValuePlace<> &place,
                                      const method::ValueArguments<> &arguments, int64_t mostFlops) {
  auto index = document.index(unsigned(place.snapshot));
  if (!index)
    return index.takeError();
  auto use = useOf(document, **index, place);
  if (!use)
    return use.takeError();
  AskedValue asked{.index = *index, .use = *use};
  auto value = valueOf(engine, document, asked.use, place, arguments, mostFlops, asked.isKnown);
  if (!value)
    return value.takeError();
  asked.value = std::move(*value);
  return asked;
}

llvm::Expected<message::EdgeValue<>> edge(Engine &engine, Document &document,
                                          const method::EdgeValue::Request<> &request) {
  auto asked = askedValue(engine, document, request.place, request.arguments, request.mostFlops);
  if (!asked)
    return asked.takeError();
  const ComputedValue &computed = asked->value->computed;
  message::EdgeValue<> message = messageOf(computed, asked->value->statistics, asked->index->nameOf(asked->use.value),
                                           uint64_t(request.arguments.seed));
  if (asked->isKnown)
    message.milliseconds = -1;
  if (!computed.tensor) {
    message.type = textOf(asked->use.value.getType());
    return message;
  }
  message.slice = valueSliceOf(computed.tensor, {.index = request.index,
                                                 .firstRow = request.firstRow,
                                                 .firstColumn = request.firstColumn,
                                                 .rowExtent = request.rowExtent,
                                                 .columnExtent = request.columnExtent,
                                                 .mostCells = request.cells});
  return message;
}

llvm::Expected<message::ValueFile<>> file(Engine &engine, Document &document,
                                          const method::ValueFile::Request<> &request) {
  constexpr uint64_t most = uint64_t(64) << 20; // a reply is one line of text
  auto asked = askedValue(engine, document, request.place, request.arguments, -1);
  if (!asked)
    return asked.takeError();
  const HostTensor &tensor = asked->value->computed.tensor;
  if (tensor.byteCount() > most)
    return fail("the value has " + std::to_string(tensor.byteCount()) + " bytes, and a reply holds " +
                std::to_string(most) + ": write it with fuselage run --value");
  auto bytes = npyBytes(tensor);
  if (!bytes)
    return bytes.takeError();
  message::ValueFile<> message{.base64 = llvm::encodeBase64(*bytes), .note = {}};
  mlir::Type element = tensor.elementType();
  if (llvm::isa<mlir::FloatType>(element) && !element.isF16() && !element.isF32() && !element.isF64())
    message.note = textOf(element) + ", which NumPy lacks, as " + npyTypeName(element);
  return message;
}

/// The first op in program order that reads a value.
mlir::OpOperand *firstUse(mlir::Value value, const OpIndex &index) {
  mlir::OpOperand *first = nullptr;
  for (mlir::OpOperand &use : value.getUses())
    if (!first || index.idOf(use.getOwner()) < index.idOf(first->getOwner()))
      first = &use;
  return first;
}

llvm::Expected<message::NonFiniteValue<>> findFirst(Engine &engine, Document &document,
                                                    const method::FindNonFinite::Request<> &request) {
  auto module = moduleOf(document, unsigned(request.snapshot));
  if (!module)
    return module.takeError();
  auto index = document.index(unsigned(request.snapshot));
  if (!index)
    return index.takeError();
  auto finding = findNonFinite(*module, optionsOf(engine, request.arguments));
  if (!finding)
    return finding.takeError();
  message::NonFiniteValue<> message{.found = bool(finding->value),
                                    .function = finding->function,
                                    .checked = finding->checked,
                                    .name = {},
                                    .type = {}};
  if (!finding->value)
    return message;
  if (mlir::Operation *op = finding->value.getDefiningOp())
    message.op = (*index)->idOf(op);
  if (mlir::OpOperand *use = firstUse(finding->value, **index)) {
    message.to = (*index)->idOf(use->getOwner());
    message.operand = int(use->getOperandNumber());
  }
  message.name = (*index)->nameOf(finding->value);
  message.type = textOf(finding->value.getType());
  message.nan = finding->nan;
  message.infinite = finding->infinite;
  return message;
}

} // namespace

void addValueMethods(MethodTable &table) {
  addMethod<method::EdgeValue, edge>(table);
  addMethod<method::ValueFile, file>(table);
  addMethod<method::FindNonFinite, findFirst>(table);
}

} // namespace fuselage
