#include "core/transforms/bufferize/BuffersAsTensors.h"
#include "core/ir/module/Diagnostics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;

namespace fuselage {
namespace {

bool isBuffer(Type type) { return isa<BaseMemRefType>(type); }
bool touchesBuffers(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isBuffer) || llvm::any_of(op->getResultTypes(), isBuffer);
}

RankedTensorType tensorFor(Type type) {
  auto buffer = cast<MemRefType>(type);
  return RankedTensorType::get(buffer.getShape(), buffer.getElementType());
}

/// Follows what each buffer holds through a block.
class Raiser {
public:
  explicit Raiser(func::FuncOp function) : function_(function) {}

  /// Whether all that the function does is understood.
  bool canRaise() {
    if (!function_.getBody().hasOneBlock() || !llvm::all_of(function_.getArgumentTypes(), isRanked) ||
        !llvm::all_of(function_.getResultTypes(), isRanked))
      return false;
    for (Operation &op : function_.getBody().front()) {
      if (!llvm::all_of(op.getResultTypes(), isRanked))
        return false;
      if (auto structured = dyn_cast<linalg::LinalgOp>(op); structured && isRaisable(structured))
        continue;
      if (auto copy = dyn_cast<memref::CopyOp>(op);
          copy && copy.getSource().getType().getShape() != copy.getTarget().getType().getShape())
        return false;
      if (isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp, memref::CopyOp, memref::DimOp, func::ReturnOp>(op))
        continue;
      bool inside = op.walk([](Operation *inner) {
                        return touchesBuffers(inner) ? WalkResult::interrupt() : WalkResult::advance();
                      }).wasInterrupted();
      if (inside)
        return false;
    }
    return true;
  }

  /// Rewrites the function; which arguments it has written to.
  std::vector<unsigned> raise() {
    Block &block = function_.getBody().front();
    SmallVector<Type> arguments;
    unsigned count = block.getNumArguments();
    for (unsigned i = 0; i < count; ++i) { // the buffers stay until their uses are rewritten
      Type type = block.getArgument(i).getType();
      arguments.push_back(isBuffer(type) ? Type(tensorFor(type)) : type);
      BlockArgument tensor = block.addArgument(arguments[i], block.getArgument(i).getLoc());
      if (isBuffer(block.getArgument(i).getType()))
        contents_[block.getArgument(i)] = tensor;
      else
        block.getArgument(i).replaceAllUsesWith(tensor);
    }
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
      raise(&op);
    std::vector<unsigned> written;
    SmallVector<Value> results;
    for (unsigned i = 0; i < count; ++i)
      if (Value held = contents_.lookup(block.getArgument(i)); held && held != block.getArgument(count + i)) {
        written.push_back(i);
        results.push_back(held);
      }
    Operation *terminator = block.getTerminator();
    for (Value result : terminator->getOperands())
      results.push_back(contents_.contains(result) ? contents_[result] : result);
    terminator->setOperands(results);
    for (Operation *op : llvm::reverse(dead_))
      op->erase();
    block.eraseArguments(0, count);
    function_.setType(FunctionType::get(function_.getContext(), arguments, ValueRange(results).getTypes()));
    return written;
  }

private:
  static bool isRanked(Type type) { return !isBuffer(type) || isa<MemRefType>(type); }
  /// Its body touches no buffer, and where it reads what it writes, it does so at the same place.
  static bool isRaisable(linalg::LinalgOp op) {
    for (OpOperand &init : op.getDpsInitsMutable())
      for (OpOperand &operand : op->getOpOperands())
        if (&init != &operand && init.get() == operand.get() &&
            op.getMatchingIndexingMap(&init) != op.getMatchingIndexingMap(&operand))
          return false;
    return llvm::none_of(*op.getBlock(), [](Operation &inner) { return touchesBuffers(&inner); });
  }

  void raise(Operation *op) {
    OpBuilder builder(op);
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      SmallVector<Value> operands;
      SmallVector<Type> results;
      for (Value operand : op->getOperands())
        operands.push_back(isBuffer(operand.getType()) ? contents_.lookup(operand) : operand);
      for (OpOperand &init : structured.getDpsInitsMutable())
        results.push_back(operands[init.getOperandNumber()].getType());
      if (op->getNumResults() > 0)
        return; // it is on tensors
      Operation *raised = clone(builder, op, results, operands);
      for (auto [init, result] : llvm::zip_equal(structured.getDpsInits(), raised->getResults()))
        contents_[init] = result;
    } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      contents_[copy.getTarget()] = contents_.lookup(copy.getSource());
    } else if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      contents_[alloc] =
          tensor::EmptyOp::create(builder, op->getLoc(), tensorFor(alloc.getType()), alloc.getDynamicSizes());
    } else if (auto stack = dyn_cast<memref::AllocaOp>(op)) {
      contents_[stack] =
          tensor::EmptyOp::create(builder, op->getLoc(), tensorFor(stack.getType()), stack.getDynamicSizes());
    } else if (auto dim = dyn_cast<memref::DimOp>(op)) {
      dim.replaceAllUsesWith(
          tensor::DimOp::create(builder, op->getLoc(), contents_.lookup(dim.getSource()), dim.getIndex()).getResult());
    } else if (!isa<memref::DeallocOp>(op)) {
      return;
    }
    dead_.push_back(op);
  }

  func::FuncOp function_;
  llvm::DenseMap<Value, Value> contents_; ///< of buffers, as tensors, at the op that is being rewritten
  SmallVector<Operation *> dead_;
};

llvm::Error refuse(func::FuncOp function, unsigned argument, Type type, StringRef why) {
  SourcePosition place = positionOf(function.getArgument(argument).getLoc());
  std::string text;
  llvm::raw_string_ostream(text) << "argument " << argument << " of @" << function.getName() << " is a " << type << ", "
                                 << why;
  return fail(text, {{.message = "this cannot be filled from a tensor",
                      .file = place.file,
                      .line = place.line,
                      .column = place.column}});
}

/// Puts a function of the same name, on tensors, around `function`.
llvm::Expected<std::vector<unsigned>> callFromTensors(func::FuncOp function) {
  std::vector<unsigned> written;
  SmallVector<Type> arguments, results;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (isBuffer(type) && !buffer)
      return refuse(function, number, type, "whose rank is not known");
    if (buffer && !buffer.getLayout().isIdentity())
      return refuse(function, number, type,
                    "which is laid out with strides or an offset; running takes contiguous buffers");
    if (buffer && buffer.getMemorySpace())
      return refuse(function, number, type,
                    "which lies in a memory space of its own; running takes buffers of the default one");
    arguments.push_back(buffer ? Type(tensorFor(buffer)) : type);
    if (buffer) {
      written.push_back(number);
      results.push_back(tensorFor(buffer));
    }
  }
  for (Type type : function.getResultTypes()) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (isBuffer(type) && !(buffer && buffer.getLayout().isIdentity() && !buffer.getMemorySpace()))
      return fail("@" + function.getName().str() + " returns a buffer that cannot be read as a tensor");
    results.push_back(buffer ? Type(tensorFor(buffer)) : type);
  }
  OpBuilder builder(function);
  Location location = function.getLoc();
  std::string name = function.getName().str();
  std::string inner = name + "_on_buffers";
  while (SymbolTable::lookupSymbolIn(function->getParentOp(), inner))
    inner += "_";
  (void)SymbolTable::replaceAllSymbolUses(function, builder.getStringAttr(inner), function->getParentOp());
  function.setName(inner);
  function.setPrivate();
  auto outer = func::FuncOp::create(builder, location, name, builder.getFunctionType(arguments, results));
  Block *block = outer.addEntryBlock();
  builder.setInsertionPointToStart(block);
  SmallVector<Value> given, returned;
  for (auto [argument, buffer] : llvm::zip_equal(block->getArguments(), function.getArguments())) {
    argument.setLoc(buffer.getLoc());
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type) {
      given.push_back(argument);
      continue;
    }
    Value from = bufferization::ToBufferOp::create(builder, location, type, argument, /*read_only=*/true);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(memref::DimOp::create(builder, location, from, dim));
    Value own = memref::AllocOp::create(builder, location, type, sizes);
    memref::CopyOp::create(builder, location, from, own);
    given.push_back(own);
  }
  auto call = func::CallOp::create(builder, location, function, given);
  auto read = [&](Value buffer) -> Value {
    return isBuffer(buffer.getType())
               ? bufferization::ToTensorOp::create(builder, location, tensorFor(buffer.getType()), buffer,
                                                   /*restrict=*/true, /*writable=*/true)
                     .getResult()
               : buffer;
  };
  for (unsigned number : written)
    returned.push_back(read(given[number]));
  for (Value result : call.getResults())
    returned.push_back(read(result));
  func::ReturnOp::create(builder, location, returned);
  return written;
}

} // namespace

bool isOnBuffers(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), isBuffer) || llvm::any_of(function.getResultTypes(), isBuffer);
}

llvm::Expected<FunctionOnTensors> onTensors(func::FuncOp function) {
  FunctionOnTensors result;
  result.module = function->getParentOfType<ModuleOp>().clone();
  auto copy = result.module->lookupSymbol<func::FuncOp>(function.getName());
  result.isRaised = Raiser(copy).canRaise() && SymbolTable::symbolKnownUseEmpty(copy, result.module.get());
  if (result.isRaised) {
    result.written = Raiser(copy).raise();
    return result;
  }
  auto written = callFromTensors(copy);
  if (!written)
    return written.takeError();
  result.written = std::move(*written);
  return result;
}

} // namespace fuselage
