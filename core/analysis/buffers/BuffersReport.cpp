#include "core/analysis/buffers/BuffersReport.h"
#include "core/analysis/buffers/BufferLifetimes.h"
#include "core/analysis/buffers/ExplicitCopies.h"
#include "core/analysis/buffers/OpTags.h"
#include "core/ir/Session.h"
#include "core/ir/ops/ValueNames.h"
#include "core/support/Expendable.h"
#include "core/support/TrialRun.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace fuselage {
namespace {

BufferBytes bytesOf(const BufferSize &size) { return {.bytes = size.bytes, .lowerBound = size.isLowerBound}; }

std::string printType(Type type) { return llvm::json::fixUTF8(debugString(type)); }

/// The name of the function around an op, of kernels with that of their module.
std::string functionName(Operation *op) {
  while (op && !isa<FunctionOpInterface>(op))
    op = op->getParentOp();
  if (!op)
    return "";
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  std::string text = name ? name.getValue().str() : "";
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (auto outer = parent->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      text = outer.getValue().str() + "::" + text;
  return llvm::json::fixUTF8(text);
}

StringRef kindName(BufferLife::Kind kind) {
  switch (kind) {
  case BufferLife::Kind::Heap:
    return "alloc";
  case BufferLife::Kind::Stack:
    return "stack";
  case BufferLife::Kind::Attribution:
    return "attribution";
  case BufferLife::Kind::CallResult:
    return "call result";
  case BufferLife::Kind::Carried:
    return "carried";
  case BufferLife::Kind::Argument:
    return "argument";
  }
  return "";
}

class Reporter {
public:
  Reporter(ModuleOp module, const BuffersOptions &options, BuffersReport &report)
      : module_(module), options_(options), report_(report) {
    module->walk<WalkOrder::PreOrder>([&](Operation *op) { ops_.push_back(op); });
  }

  void run();

private:
  void addMemory(ModuleOp module);
  void addBuffer(const BufferLife &life, const MemoryUse &use);
  void addMoves(ModuleOp module);
  void addOperands();
  void addExplicitCopies();
  void addOps();
  void findEliminated();
  void sendCopiesToOperands();
  BufferReason reasonOf(OpId op) const;
  /// The op of the module that an op of the bufferized copy stands for; -1: none.
  OpId originOf(Operation *op) const;
  OpId originAt(const MemoryUse &use, int64_t place) const;
  bool isWanted(OpId op) const { return options_.function.empty() || nameAround(op) == options_.function; }
  std::string nameAround(OpId op) const { return op < 0 ? "" : functionName(ops_[op]); }
  bool isKnown(OpId op) const { return op >= 0 && op < OpId(ops_.size()); }

  ModuleOp module_;
  const BuffersOptions &options_;
  BuffersReport &report_;
  std::vector<Operation *> ops_; ///< of the module, by OpId
  Bufferization bufferization_;
  KnownSizes known_;
  std::map<OpId, const OperandDecision *> byCopy_;
  llvm::DenseSet<OpId> copied_; ///< tags of buffers that are filled by a copy
};

OpId Reporter::originOf(Operation *op) const {
  OpId tag = tagOf(op);
  if (auto copy = byCopy_.find(tag); copy != byCopy_.end())
    return copy->second->place.op;
  return isKnown(tag) ? tag : -1;
}

/// Ops that bufferization made without a place of their own belong to what is before them.
OpId Reporter::originAt(const MemoryUse &use, int64_t place) const {
  for (; place >= 0; --place)
    if (OpId origin = originOf(use.ops[place]); origin >= 0)
      return origin;
  return -1;
}

BufferReason Reporter::reasonOf(OpId op) const {
  if (!isKnown(op))
    return BufferReason::None;
  Operation *origin = ops_[op];
  if (isa<tensor::EmptyOp>(origin))
    return BufferReason::EmptyTensor;
  if (isa<bufferization::AllocTensorOp>(origin) ||
      llvm::any_of(origin->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
    return BufferReason::Explicit;
  // Ops that make no buffer themselves: their result, or what they are given, has to lie otherwise.
  if (isa<func::ReturnOp, func::FuncOp, func::CallOp, tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, LoopLikeOpInterface, RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(
          origin))
    return BufferReason::LayoutChange;
  return isa<bufferization::BufferizableOpInterface>(origin) ? BufferReason::NoDestination : BufferReason::UnknownOp;
}

void Reporter::addBuffer(const BufferLife &life, const MemoryUse &use) {
  OpId tag = tagOf(life.op);
  BufferReport buffer;
  buffer.op = originOf(life.op) >= 0 ? originOf(life.op) : originAt(use, life.first);
  buffer.kind = kindName(life.kind).str();
  buffer.function = functionName(life.function);
  buffer.type = printType(life.value.getType());
  buffer.space = life.space;
  buffer.size = bytesOf(life.size);
  buffer.first = originAt(use, life.first);
  buffer.last = std::max(buffer.first, originAt(use, life.last));
  buffer.isFreed = life.isFreed;
  buffer.escapes = life.escapes;
  if (auto argument = dyn_cast<BlockArgument>(life.value))
    buffer.argument = argument.getArgNumber();
  if (life.kind == BufferLife::Kind::Heap || life.kind == BufferLife::Kind::Stack) {
    if (auto copy = byCopy_.find(tag); copy != byCopy_.end()) {
      buffer.operand = copy->second->place.operand;
      buffer.reason = copy->second->reason;
    } else {
      buffer.reason = reasonOf(buffer.op);
    }
    if (copied_.contains(tag))
      buffer.kind = "copy";
  }
  report_.buffers.push_back(std::move(buffer));
}

/// Copies that fill the buffers of operands, and all others.
void Reporter::addMoves(ModuleOp module) {
  module.walk([&](memref::CopyOp copy) {
    OpId tag = tagOf(copy), op = originOf(copy);
    if (byCopy_.contains(tag)) {
      copied_.insert(tag);
      return;
    }
    if (op < 0 || isa<memref::CopyOp>(ops_[op]) || !isWanted(op))
      return;
    BufferReason reason = reasonOf(op);
    if (reason == BufferReason::NoDestination)
      reason = BufferReason::DataMovement;
    else
      copied_.insert(tag);
    report_.moves.push_back(
        {.op = op, .reason = reason, .size = bytesOf(sizeOfElements(copy.getSource(), known_)), .remains = true});
  });
}

/// Whether moves are from a buffer to itself only shows once views are merged.
static void findNeedless(ModuleOp module, std::vector<BufferMoveReport> &moves) {
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.addPass(createCSEPass());
  passes.addPass(createCanonicalizerPass());
  if (moves.empty() || failed(passes.run(module)))
    return;
  llvm::DenseSet<OpId> remaining;
  module.walk([&](memref::CopyOp copy) { remaining.insert(tagOf(copy)); });
  for (BufferMoveReport &move : moves)
    move.remains = remaining.contains(move.op);
}

void Reporter::addMemory(ModuleOp module) {
  MemoryUse use = findMemoryUse(module, known_);
  for (const MemoryPeak &peak : use.peaks) {
    std::string function = functionName(peak.function);
    if (options_.function.empty() || function == options_.function)
      report_.peaks.push_back({.function = std::move(function),
                               .space = peak.space,
                               .size = bytesOf(peak.size),
                               .at = originAt(use, peak.at)});
  }
  if (options_.peaksOnly)
    return;
  for (const BufferLife &life : use.buffers)
    if (options_.function.empty() || functionName(life.function) == options_.function)
      addBuffer(life, use);
}

void Reporter::addOperands() {
  AsmState names(module_, withValueNames());
  for (const OperandDecision &decision : bufferization_.decisions) {
    if (!isWanted(decision.place.op))
      continue;
    Value value = ops_[decision.place.op]->getOperand(decision.place.operand);
    BufferOperandReport operand{.decision = decision, .value = {}, .type = printType(value.getType())};
    llvm::raw_string_ostream os(operand.value);
    value.printAsOperand(os, names);
    operand.value = llvm::json::fixUTF8(operand.value);
    report_.operands.push_back(std::move(operand));
  }
}

void Reporter::addExplicitCopies() {
  llvm::DenseMap<Operation *, OpId> ids;
  for (auto [id, op] : llvm::enumerate(ops_))
    ids[op] = id;
  const KnownSizes known(module_, options_.sizedFunction, options_.sizes);
  AsmState names(module_, withValueNames());
  auto nameOf = [&](Value value) {
    std::string text;
    llvm::raw_string_ostream os(text);
    value.printAsOperand(os, names);
    return llvm::json::fixUTF8(text);
  };
  auto idOf = [&](Operation *op) { return op ? ids.lookup(op) : OpId(-1); };
  for (const ExplicitCopy &copy : explicitCopies(module_))
    if (isWanted(idOf(copy.op)))
      report_.moves.push_back({.op = idOf(copy.op),
                               .reader = idOf(copy.reader),
                               .writer = idOf(copy.writer),
                               .source = nameOf(copy.source),
                               .destination = nameOf(copy.destination),
                               .reason = copy.reason,
                               .size = bytesOf(sizeOfElements(copy.source, known)),
                               .remains = true});
}

void Reporter::sendCopiesToOperands() {
  std::map<std::pair<OpId, int>, int> places;
  for (auto [index, buffer] : llvm::enumerate(report_.buffers))
    if (buffer.operand >= 0)
      places.try_emplace({buffer.op, buffer.operand}, index);
  for (BufferOperandReport &operand : report_.operands) {
    auto found = places.find({operand.decision.place.op, operand.decision.place.operand});
    operand.buffer = found == places.end() ? -1 : found->second;
  }
}

void Reporter::findEliminated() {
  llvm::DenseSet<OpId> allocated;
  for (const BufferReport &buffer : report_.buffers)
    allocated.insert(buffer.op);
  for (auto [id, op] : llvm::enumerate(ops_))
    if (isa<tensor::EmptyOp>(op) && !op->use_empty() && !allocated.contains(id) && isWanted(id))
      report_.eliminated.push_back(id);
}

void Reporter::addOps() {
  auto add = [&](OpId id) {
    if (!isKnown(id) || report_.ops.contains(id))
      return;
    Operation *op = ops_[id];
    report_.ops[id] = {.name = llvm::json::fixUTF8(op->getName().getStringRef()),
                       .function = functionName(op),
                       .loc = llvm::json::fixUTF8(formatPosition(positionOf(op->getLoc())))};
  };
  for (const BufferOperandReport &operand : report_.operands)
    for (OpId id : {operand.decision.place.op, operand.decision.conflict.read.op, operand.decision.conflict.write.op,
                    operand.decision.conflict.definition})
      add(id);
  for (const BufferReport &buffer : report_.buffers)
    for (OpId id : {buffer.op, buffer.first, buffer.last})
      add(id);
  for (const BufferMoveReport &move : report_.moves)
    for (OpId id : {move.op, move.reader, move.writer})
      add(id);
  for (const BufferPeakReport &peak : report_.peaks)
    add(peak.at);
  for (const BufferProblem &problem : report_.problems)
    add(problem.op);
  for (OpId id : report_.eliminated)
    add(id);
}

void Reporter::run() {
  report_.hasTensors = hasTensors(module_);
  if (report_.hasTensors) {
    bufferization_ = bufferizeCopy(module_, !options_.keepEmpty);
    report_.isComplete = bufferization_.isComplete && bufferization_.problems.empty();
    report_.problems = bufferization_.problems;
  } else {
    bufferization_.module = module_.clone();
    tagOps(*bufferization_.module);
  }
  if (options_.cancelled && *options_.cancelled)
    return;
  for (const OperandDecision &decision : bufferization_.decisions)
    if (decision.copyTag >= 0)
      byCopy_[decision.copyTag] = &decision;
  ModuleOp bufferized = *bufferization_.module;
  known_ = KnownSizes(bufferized, options_.sizedFunction, options_.sizes);
  report_.sizes = known_.given();
  if (!options_.peaksOnly && report_.hasTensors) {
    addOperands();
    addMoves(bufferized);
  }
  addMemory(bufferized);
  if (!options_.peaksOnly) {
    findNeedless(bufferized, report_.moves);
    addExplicitCopies();
    sendCopiesToOperands();
    if (report_.hasTensors && report_.isComplete)
      findEliminated();
    groupBuffers(report_, ops_);
  }
  addOps();
}

/// Whether there is a function, kernel or the like of that name.
bool hasFunction(ModuleOp module, StringRef name) {
  return module
      .walk([&](FunctionOpInterface function) {
        return functionName(function) == name ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

message::BufferPeaks<> BuffersReport::largestPeaks() const {
  message::BufferPeaks<> largest;
  for (const BufferPeakReport &peak : peaks) {
    BufferBytes &size = largest[peak.space];
    size.bytes = std::max(size.bytes, peak.size.bytes);
    size.lowerBound |= peak.size.lowerBound;
  }
  return largest;
}

BufferBytes BuffersReport::copiedBytes() const {
  BufferBytes total;
  auto add = [&](const BufferBytes &size) {
    total.bytes += size.bytes;
    total.lowerBound |= size.lowerBound;
  };
  for (const BufferReport &buffer : buffers)
    if (buffer.kind == "copy" && buffer.operand >= 0)
      add(buffer.size);
  for (const BufferMoveReport &move : moves)
    if (move.remains)
      add(move.size);
  return total;
}

TrialLimits bufferizationLimits(unsigned seconds) { return {.seconds = seconds, .bytes = uint64_t(4) << 30}; }

llvm::Expected<BuffersReport> reportBuffers(ModuleOp module, const BuffersOptions &options) {
  if (!options.function.empty() && !hasFunction(module, options.function))
    return fail("there is no function '" + options.function + "'; leave --function out to see all");
  auto isCancelled = [&] { return options.cancelled && *options.cancelled; };
  TrialLimits limits = bufferizationLimits(options.seconds);
  limits.cancelled = options.cancelled;
  if (!isExpendable()) {
    auto trial = runInCopy(limits, [&](llvm::raw_ostream &) {
      BuffersReport ignored;
      Reporter(module, options, ignored).run();
    });
    if (trial && trial->death && !isCancelled())
      return fail((kBufferizing + " " + *trial->death + "; " + kBufferizingAdvice).str());
  }
  BuffersReport report;
  if (!isCancelled()) {
    ExpendableLimits own(limits);
    Reporter(module, options, report).run();
  }
  if (isCancelled())
    return fail("the report on buffers was cancelled");
  return report;
}

} // namespace fuselage
