#include "core/run/inspect/ValueProgram.h"
#include "core/codegen/host/HostLowering.h"
#include "core/dialects/flow/Flow.h"
#include "core/run/inspect/HostWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {
namespace {

std::string nameOf(Operation *op) { return "'" + op->getName().getStringRef().str() + "'"; }

bool isBuffer(Value value) { return isa<BaseMemRefType>(value.getType()); }

/// Brings a value to the top of the entry function.
class Hoister {
public:
  Hoister(func::FuncOp entry, ValueUse use) : entry_(entry), use_(use) {}

  llvm::Error hoist() {
    constexpr unsigned most = 64; // loops and calls around it; functions that call each other have no end
    for (unsigned depth = 0; depth < most; ++depth) {
      Operation *around = block()->getParentOp();
      if (around == entry_)
        return block()->isEntryBlock() && entry_.getBody().hasOneBlock()
                   ? llvm::Error::success()
                   : fail("@" + entry_.getName().str() + " has branches: which of its blocks run is not known before");
      if (llvm::Error error = leave(around))
        return error;
    }
    return fail("it is inside of too many loops and calls");
  }

  const ValueUse &use() const { return use_; }
  std::string which() const {
    std::string text;
    if (iterations_ > 1)
      text = "the first of " + std::to_string(iterations_) + " iterations";
    if (calls_ > 1)
      text += (text.empty() ? "the first of " : ", in the first of ") + std::to_string(calls_) + " calls";
    return text;
  }

private:
  /// A buffer is looked at where it is read.
  Block *block() { return use_.reader ? use_.reader->getBlock() : use_.value.getParentBlock(); }

  llvm::Error leave(Operation *around) {
    if (auto loop = dyn_cast<LoopLikeOpInterface>(around))
      return takeFirstIteration(loop);
    if (auto function = dyn_cast<func::FuncOp>(around))
      return takeFirstCall(function);
    StringRef dialect = around->getName().getDialectNamespace();
    if (dialect == "gpu" || dialect == "spirv" || dialect == "llvm")
      return fail("it is inside of a kernel, where each thread has a value of its own: choose an earlier step");
    if (dialect == "linalg" || isa<tensor::GenerateOp, flow::AttentionOp>(around))
      return fail("it is one element inside of " + nameOf(around) + ", computed again for each iteration");
    return fail("it is inside of " + nameOf(around) + ", which may run never or several times");
  }

  /// Clones the ops of a block, up to its terminator, before `place`, and goes on with the clones.
  void cloneBefore(Operation *place, Block &body, IRMapping &map) {
    OpBuilder builder(place);
    for (Operation &op : body.without_terminator())
      builder.clone(op, map);
    use_.value = map.lookupOrDefault(use_.value);
    if (use_.reader)
      use_.reader = use_.reader == body.getTerminator() ? place : map.lookupOrDefault(use_.reader);
  }

  llvm::Error takeFirstIteration(LoopLikeOpInterface loop) {
    auto variables = loop.getLoopInductionVars();
    std::optional<int64_t> count = iterationsOf(loop);
    if (!variables || !loop->getRegion(0).hasOneBlock())
      return fail("it is inside of " + nameOf(loop) + ", which runs as often as its data says");
    if (!count)
      return fail("it is inside of " + nameOf(loop) +
                  ", whose bounds are no constants: how often it is computed is "
                  "known only while it runs");
    if (*count == 0)
      return fail("it is inside of " + nameOf(loop) + ", which has no iterations");
    if (llvm::MulOverflow(iterations_, *count, iterations_))
      iterations_ = std::numeric_limits<int64_t>::max();
    OpBuilder builder(loop);
    IRMapping map;
    auto bounds = loop.getLoopLowerBounds();
    for (auto [variable, bound] : llvm::zip_equal(*variables, *bounds)) {
      Value first = dyn_cast<Value>(bound);
      if (!first)
        first = arith::ConstantOp::create(builder, loop.getLoc(),
                                          builder.getIntegerAttr(variable.getType(), *getConstantIntValue(bound)));
      map.map(variable, first);
    }
    for (auto [argument, init] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getInits()))
      map.map(argument, init);
    cloneBefore(loop, loop->getRegion(0).front(), map);
    return llvm::Error::success();
  }

  llvm::Error takeFirstCall(func::FuncOp function) {
    SmallVector<func::CallOp> calls;
    entry_->getParentOfType<ModuleOp>().walk([&](func::CallOp call) {
      if (call.getCallee() == function.getName())
        calls.push_back(call);
    });
    std::string name = "@" + function.getName().str();
    if (calls.empty())
      return fail("it is in " + name + ", which @" + entry_.getName().str() + " does not call");
    if (!function.getBody().hasOneBlock())
      return fail("it is in " + name + ", which has branches: which of its blocks run is not known before");
    if (llvm::MulOverflow(calls_, int64_t(calls.size()), calls_))
      calls_ = std::numeric_limits<int64_t>::max();
    IRMapping map;
    map.map(function.getArguments(), calls.front().getOperands());
    cloneBefore(calls.front(), function.getBody().front(), map);
    return llvm::Error::success();
  }

  func::FuncOp entry_;
  ValueUse use_;
  int64_t iterations_ = 1, calls_ = 1;
};

/// Why a value of this type cannot be shown; empty: it can.
std::string refusalOf(Value value) {
  Type type = value.getType(), element = getElementTypeOrSelf(type);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getEncoding())
    os << "a " << type << " has an encoding, in which no value can be read here";
  else if (!isa<RankedTensorType, MemRefType>(type) && !type.isIntOrIndexOrFloat() && !isa<ComplexType>(type))
    os << "a " << type << " is neither a ranked tensor nor a number";
  else if (!element.isIntOrIndexOrFloat() && !isa<ComplexType>(element))
    os << "elements of type " << element << " have no form in host memory";
  else if (isa_and_nonnull<tensor::EmptyOp, bufferization::AllocTensorOp>(value.getDefiningOp()) &&
           value.getDefiningOp()->getNumOperands() == cast<RankedTensorType>(type).getNumDynamicDims())
    os << nameOf(value.getDefiningOp()) << " gives a shape and no contents: nothing has been written yet";
  return text;
}

/// Where a dispatch region gives the value, the value inside of it; else itself.
Value insideOfDispatches(Value value) {
  while (auto region = value.getDefiningOp<flow::DispatchRegionOp>())
    value = region.getReturn()->getOperand(cast<OpResult>(value).getResultNumber());
  return value;
}

/// Whether the region is, or lies in, the one that counts the workgroups of a dispatch: inlining erases it.
bool isInCount(Region *region) {
  for (; region; region = region->getParentRegion())
    if (isa_and_nonnull<flow::DispatchRegionOp>(region->getParentOp()) && region->getRegionNumber() != 0)
      return true;
  return false;
}

/// The reader, or, of a value that a dispatch region gives, what comes after that: inlining erases the terminator.
Operation *readerAfterInlining(Operation *reader) {
  while (isa_and_nonnull<flow::ReturnOp, flow::DispatchRegionOp>(reader))
    reader = isa<flow::ReturnOp>(reader) ? reader->getParentOp()->getNextNode() : reader->getNextNode();
  return reader;
}

/// What a buffer holds just before the reader, in a buffer of its own.
Value copyOf(ValueUse use) {
  OpBuilder builder(use.value.getContext());
  if (use.reader)
    builder.setInsertionPoint(use.reader);
  else
    builder.setInsertionPointAfterValue(use.value);
  auto type = cast<MemRefType>(use.value.getType());
  Location loc = use.value.getLoc();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(builder, loc, use.value, dim));
  Value copy = memref::AllocOp::create(builder, loc, MemRefType::get(type.getShape(), type.getElementType()), sizes);
  memref::CopyOp::create(builder, loc, use.value, copy);
  return copy;
}

/// Returns the value; `last` makes it, and what comes after that is erased. Null: it is an argument.
void returnAlone(func::FuncOp function, Value value, Operation *last) {
  Operation *terminator = function.getBody().front().getTerminator();
  terminator->setOperands(value);
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(), value.getType()));
  function.removeResAttrsAttr();
  while (last && terminator->getPrevNode() && terminator->getPrevNode() != last)
    terminator->getPrevNode()->erase();
}

} // namespace

llvm::Expected<ValueProgram> programOf(func::FuncOp entry, ValueUse use) {
  if (std::string why = refusalOf(use.value); !why.empty())
    return fail(why);
  auto parent = entry->getParentOfType<ModuleOp>();
  if (!parent->isAncestor(use.value.getParentBlock()->getParentOp()))
    return fail("it is in another module than @" + entry.getName().str());
  IRMapping map;
  ValueProgram program;
  program.module = cast<ModuleOp>(parent->clone(map));
  auto function = cast<func::FuncOp>(map.lookup(entry.getOperation()));
  if (isInCount(use.value.getParentRegion()) || (use.reader && isInCount(use.reader->getParentRegion())))
    return fail("it counts the workgroups of a dispatch, which the host does not start");
  Value value = insideOfDispatches(map.lookup(use.value));
  Operation *reader = isBuffer(value) && use.reader ? readerAfterInlining(map.lookup(use.reader)) : nullptr;
  inlineDispatchRegions(*program.module);
  Hoister hoister(function, {value, reader});
  if (llvm::Error error = hoister.hoist())
    return error;
  program.which = hoister.which();
  value = hoister.use().value;
  if (isBuffer(value))
    value = copyOf(hoister.use());
  Operation *last = value.getDefiningOp();
  if (last && isBuffer(value))
    last = last->getNextNode(); // the copy into it
  returnAlone(function, value, last);
  if (!last)
    eraseUnused(function);
  return program;
}

/// A call on tensors of a function of this module has no effect but its results.
static bool isUnusedCall(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  auto isTensor = [](Type type) { return !isa<BaseMemRefType>(type); };
  return call && call.use_empty() && llvm::all_of(call.getOperandTypes(), isTensor) &&
         llvm::all_of(call.getResultTypes(), isTensor);
}

void eraseUnused(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return;
  Operation *op = function.getBody().front().getTerminator()->getPrevNode();
  while (op) {
    Operation *before = op->getPrevNode();
    if (isOpTriviallyDead(op) || isUnusedCall(op))
      op->erase();
    op = before;
  }
}

} // namespace fuselage
