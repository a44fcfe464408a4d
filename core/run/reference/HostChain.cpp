// Cutting a function into programs.
#include "core/run/reference/HostChain.h"
#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/InsertChecks.h"
#include "core/codegen/host/Isolate.h"
#include "core/codegen/host/safety/HostSafety.h"
#include "core/dialects/sharding/DropShardings.h"
#include "core/transforms/attention/TileAttention.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {

/// Cuts one function.
class ChainPlanner {
public:
  ChainPlanner(HostChain &chain, HostPieces &pieces) : chain_(chain), pieces_(pieces) {}

  /// The function's one block, op by op.
  llvm::Error plan(func::FuncOp function);
  /// The function as one program.
  void planWhole(func::FuncOp function);

private:
  llvm::Error visit(Operation &op);
  /// Makes one program of ops of the block, in order; the others go along that they write into.
  void addPiece(ArrayRef<Operation *> ops);
  void flush() {
    if (!waiting_.empty())
      addPiece(waiting_);
    waiting_.clear();
  }
  bool addReshape(Operation &op);
  llvm::Error addConstant(Operation &op);
  void addDeaths();
  unsigned define(Value value) { return numberOf_[value] = chain_.valueCount_++; }

  HostChain &chain_;
  HostPieces &pieces_;
  SmallVector<Operation *> waiting_; ///< light ops that make one program
  llvm::DenseMap<Value, unsigned> numberOf_;
};

/// Ops that each program that needs their value has a copy of: what is written into, and scalars.
static bool isCarried(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>()) {
    if (!llvm::isa<ShapedType>(op->getResult(0).getType()))
      return true;
    DenseElementsAttr elements;
    return matchPattern(op, m_Constant(&elements)) && elements.isSplat() && elements.getNumElements() > 1;
  }
  if (auto fill = llvm::dyn_cast<linalg::FillOp>(op))
    return llvm::all_of(op->getOperands(),
                        [](Value operand) { return operand.getDefiningOp() && isCarried(operand.getDefiningOp()); });
  return llvm::isa<tensor::EmptyOp>(op);
}

/// Whether an op is worth a program of its own.
static bool isHeavy(Operation *op) {
  return op->getNumRegions() != 0 || llvm::isa<linalg::LinalgOp, linalg::AggregatedOpInterface, func::CallOp>(op) ||
         llvm::isa_and_nonnull<linalg::LinalgDialect>(op->getDialect());
}

/// Whether a vector would go from program to program, which takes tensors and scalars.
static bool cutsVectors(Block &body) {
  auto isVector = [](Value value) { return llvm::isa<VectorType>(value.getType()); };
  return llvm::any_of(body, [&](Operation &op) {
    return isHeavy(&op) && (llvm::any_of(op.getResults(), isVector) || llvm::any_of(usedByOp(&op), isVector));
  });
}

void ChainPlanner::addPiece(ArrayRef<Operation *> ops) {
  llvm::SetVector<Operation *> all(ops.begin(), ops.end());
  Block *block = ops.front()->getBlock();
  for (size_t i = 0; i < all.size(); ++i) // grows
    for (Value used : usedByOp(all[i]))
      if (Operation *definition = used.getDefiningOp();
          definition && definition->getBlock() == block && isCarried(definition))
        all.insert(definition);
  SmallVector<Operation *> members(all.begin(), all.end());
  llvm::sort(members, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  llvm::SetVector<Value> inputs, outputs;
  bordersOf(members, inputs, outputs);
  for (Operation *op : ops) // a program that gets a copy of what is carried needs its sizes, though each user that
                            // there is now is a member
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), isCarried))
        outputs.insert(result);
  outputs.remove_if(
      [&](Value value) { return numberOf_.count(value) != 0 || !llvm::is_contained(ops, value.getDefiningOp()); });
  HostChain::Step step;
  for (Value input : inputs)
    step.inputs.push_back(numberOf_.lookup(input));
  OwningOpRef<ModuleOp> module = isolateOps(members, inputs.getArrayRef(), outputs.getArrayRef());
  step.sites = numberPoisonSites(*module);
  step.piece = pieces_.add(*module);
  for (Value output : outputs)
    step.outputs.push_back(define(output));
  chain_.steps_.push_back(std::move(step));
}

/// Ops that change a static shape and nothing else.
bool ChainPlanner::addReshape(Operation &op) {
  if (!llvm::isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op))
    return false;
  auto from = llvm::dyn_cast<RankedTensorType>(op.getOperand(0).getType());
  auto to = llvm::dyn_cast<RankedTensorType>(op.getResult(0).getType());
  auto source = numberOf_.find(op.getOperand(0));
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape() || source == numberOf_.end())
    return false;
  HostChain::Step step;
  step.inputs.push_back(source->second);
  step.outputs.push_back(define(op.getResult(0)));
  step.shape = llvm::to_vector(to.getShape());
  chain_.steps_.push_back(std::move(step));
  return true;
}

llvm::Error ChainPlanner::addConstant(Operation &op) {
  Attribute attribute;
  if (!matchPattern(&op, m_Constant(&attribute)) || !llvm::isa<TypedAttr>(attribute))
    return fail("a constant of type " + textOf(op.getResult(0).getType()) + " has no form in host memory");
  auto tensor = HostTensor::fromAttribute(llvm::cast<TypedAttr>(attribute));
  if (!tensor)
    return tensor.takeError();
  numberOf_[op.getResult(0)] = chain_.type_.getNumInputs() + chain_.constants_.size();
  chain_.constants_.push_back(std::move(*tensor));
  return llvm::Error::success();
}

llvm::Error ChainPlanner::visit(Operation &op) {
  if (isCarried(&op) || (op.hasTrait<OpTrait::ConstantLike>() && numberOf_.count(op.getResult(0))))
    return llvm::Error::success();
  if (addReshape(op))
    return llvm::Error::success();
  if (isHeavy(&op)) {
    flush();
    addPiece(&op);
  } else {
    waiting_.push_back(&op);
  }
  return llvm::Error::success();
}

/// After each step, the values that no later one takes.
void ChainPlanner::addDeaths() {
  llvm::SmallDenseSet<unsigned> seen(chain_.results_.begin(), chain_.results_.end());
  for (HostChain::Step &step : llvm::reverse(chain_.steps_))
    for (unsigned value : llvm::concat<unsigned>(step.inputs, step.outputs))
      if (seen.insert(value).second)
        step.dead.push_back(value);
}

llvm::Error ChainPlanner::plan(func::FuncOp function) {
  Block &body = function.getBody().front();
  for (BlockArgument argument : body.getArguments())
    define(argument);
  for (Operation &op : body)
    if (op.hasTrait<OpTrait::ConstantLike>() && !isCarried(&op))
      if (llvm::Error error = addConstant(op))
        return error;
  chain_.valueCount_ += chain_.constants_.size();
  for (Operation &op : body.without_terminator())
    if (llvm::Error error = visit(op))
      return error;
  flush();
  // What is carried and returned has to be made, too.
  for (Value result : body.getTerminator()->getOperands())
    if (!numberOf_.count(result))
      addPiece(result.getDefiningOp());
  for (Value result : body.getTerminator()->getOperands())
    chain_.results_.push_back(numberOf_.lookup(result));
  addDeaths();
  return llvm::Error::success();
}

void ChainPlanner::planWhole(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = isolateFunction(function);
  SymbolTable symbols(*module);
  (void)symbols.rename(symbols.lookup(function.getName()), "run");
  HostChain::Step step;
  step.sites = numberPoisonSites(*module);
  step.piece = pieces_.add(*module);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    step.inputs.push_back(chain_.valueCount_++);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    step.outputs.push_back(chain_.valueCount_++);
  chain_.results_.assign(step.outputs.begin(), step.outputs.end());
  chain_.steps_.push_back(std::move(step));
}

/// Makes values of the places that slices begin at, as constants that programs take: the steps of an unrolled loop, and
/// the heads of a layer, differ in nothing else, and are one program then.
static void takeOffsetsAsValues(func::FuncOp function) {
  SmallVector<OffsetSizeAndStrideOpInterface> slices;
  for (Operation &op : function.getBody().front())
    if (llvm::isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
      slices.push_back(llvm::cast<OffsetSizeAndStrideOpInterface>(op));
  OpBuilder builder(function.getContext());
  for (OffsetSizeAndStrideOpInterface slice : slices) {
    builder.setInsertionPoint(slice);
    Location loc = slice.getLoc();
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    for (OpFoldResult &offset : offsets) {
      std::optional<int64_t> number = getConstantIntValue(offset);
      if (!number || *number == 0)
        continue;
      auto type = RankedTensorType::get({1}, builder.getI64Type());
      Value constant = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, *number));
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      Value element = tensor::ExtractOp::create(builder, loc, constant, zero);
      offset = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), element).getResult();
    }
    Value replacement;
    if (auto extract = llvm::dyn_cast<tensor::ExtractSliceOp>(slice.getOperation())) {
      replacement = tensor::ExtractSliceOp::create(builder, loc, extract.getType(), extract.getSource(), offsets,
                                                   slice.getMixedSizes(), slice.getMixedStrides());
    } else {
      auto insert = llvm::cast<tensor::InsertSliceOp>(slice.getOperation());
      replacement = tensor::InsertSliceOp::create(builder, loc, insert.getSource(), insert.getDest(), offsets,
                                                  slice.getMixedSizes(), slice.getMixedStrides());
    }
    slice->getResult(0).replaceAllUsesWith(replacement);
    slice->erase();
  }
}

llvm::Expected<std::unique_ptr<HostChain>> HostChain::plan(func::FuncOp function, HostPieces &pieces,
                                                           const HostLimits &limits) {
  OwningOpRef<ModuleOp> module = isolateFunction(function);
  inlineDispatchRegions(*module);
  dropShardings(*module);
  tileAttention(*module); // what follows knows loops
  if (llvm::Error error = refuseUnsafe(*module))
    return error;
  if (llvm::Error error = refuseAddresses(*module))
    return error;
  auto chain = std::make_unique<HostChain>();
  chain->name_ = function.getName().str();
  chain->type_ = function.getFunctionType();
  chain->limits_ = hostLimitsFor(*module, limits);
  if (llvm::Error error = insertChecks(*module))
    return error;
  auto copy = module->lookupSymbol<func::FuncOp>(function.getName());
  if (copy.getBody().hasOneBlock())
    takeOffsetsAsValues(copy);
  insertPoisonChecks(*module);
  ChainPlanner planner(*chain, pieces);
  if (!copy.getBody().hasOneBlock() || cutsVectors(copy.getBody().front()))
    planner.planWhole(copy);
  else if (llvm::Error error = planner.plan(copy))
    return error;
  return chain;
}

llvm::Error HostChain::checkCompiled() const {
  for (const Step &step : steps_)
    if (step.piece && step.piece->failure)
      return fail(step.piece->failure->message, step.piece->failure->diagnostics);
  return llvm::Error::success();
}

} // namespace fuselage
