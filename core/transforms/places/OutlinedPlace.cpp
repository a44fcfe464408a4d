#include "core/transforms/places/OutlinedPlace.h"
#include "core/ir/module/RunPipeline.h"
#include "core/transforms/places/PlaceFinder.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace fuselage {

OutlinedPlace::OutlinedPlace(ArrayRef<Operation *> ops) : ops_(ops), module_(ModuleOp::create(ops.front()->getLoc())) {
  // Passes read the device that the module is for.
  if (auto parent = ops.front()->getParentOfType<ModuleOp>())
    module_.get()->setDiscardableAttrs(parent->getDiscardableAttrDictionary());
  OpBuilder builder(module_->getBodyRegion());
  auto function = func::FuncOp::create(builder, ops.front()->getLoc(), "place", builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  llvm::SmallPtrSet<Operation *, 16> own(ops.begin(), ops.end());
  Block *block = ops.front()->getBlock();
  for (Operation *op : ops) {
    for (Value value : readBy(op))
      inside(builder, value);
    builder.clone(*op, copies_);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !own.contains(block->findAncestorOpInBlock(*user)); }))
        results_.push_back(result);
  }
  SmallVector<Value> returned = llvm::map_to_vector(results_, [&](Value value) { return copies_.lookup(value); });
  func::ReturnOp::create(builder, ops.back()->getLoc(), returned);
  function.setFunctionType(builder.getFunctionType(ValueRange(arguments_).getTypes(), ValueRange(results_).getTypes()));
}

func::FuncOp OutlinedPlace::function() const { return *module_.get().getOps<func::FuncOp>().begin(); }

/// The value in the function that stands for one outside: a copy of what is repeated, or else an argument.
Value OutlinedPlace::inside(OpBuilder &builder, Value value) {
  if (Value known = copies_.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || !isRepeated(op)) {
    arguments_.push_back(value);
    copies_.map(value, function().front().addArgument(value.getType(), value.getLoc()));
    return copies_.lookup(value);
  }
  for (Value operand : readBy(op))
    inside(builder, operand);
  builder.clone(*op, copies_);
  repeated_.push_back(op);
  return copies_.lookup(value);
}

llvm::Error OutlinedPlace::run(StringRef passes) {
  FunctionType type = function().getFunctionType();
  if (llvm::Error error = runPipeline(module_.get(), ("builtin.module(func.func(" + passes + "))").str(),
                                      "'" + passes + "' failed on the ops around the edge"))
    return error;
  Block &body = *module_->getBody();
  auto function = llvm::hasSingleElement(body) ? dyn_cast<func::FuncOp>(body.front()) : func::FuncOp();
  if (!function || function.getFunctionType() != type || !function.getBody().hasOneBlock())
    return fail("'" + passes.str() + "' changes more than the ops around the edge; run it on the function");
  return llvm::Error::success();
}

void OutlinedPlace::moveReadersAfter() {
  llvm::SmallPtrSet<Operation *, 16> own(ops_.begin(), ops_.end());
  llvm::DenseSet<Operation *> after(ops_.begin(), ops_.end());
  SmallVector<Operation *> readers;
  for (Operation *op = ops_.front(); op != ops_.back(); op = op->getNextNode())
    if (!own.contains(op) &&
        llvm::any_of(readBy(op), [&](Value value) { return after.contains(value.getDefiningOp()); })) {
      after.insert(op);
      readers.push_back(op);
    }
  Operation *last = ops_.back();
  for (Operation *reader : readers) {
    reader->moveAfter(last);
    last = reader;
  }
}

/// The op outside that a copy of it came back as; null: it came back as another one.
Operation *OutlinedPlace::sharedWith(Operation *copy) const {
  if (!isRepeated(copy))
    return nullptr;
  auto same = llvm::find_if(repeated_, [&](Operation *original) {
    return OperationEquivalence::isEquivalentTo(copy, original, OperationEquivalence::IgnoreLocations);
  });
  return same == repeated_.end() ? nullptr : *same;
}

void OutlinedPlace::putBack(RewriterBase &rewriter) {
  moveReadersAfter();
  Block &body = function().front();
  IRMapping outside;
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments_))
    outside.map(argument, value);
  rewriter.setInsertionPoint(ops_.back());
  for (Operation &op : body.without_terminator()) {
    Operation *copy = rewriter.clone(op, outside);
    if (Operation *original = sharedWith(copy)) {
      outside.map(op.getResults(), original->getResults());
      rewriter.eraseOp(copy);
    }
  }
  for (auto [result, value] : llvm::zip_equal(results_, body.getTerminator()->getOperands()))
    rewriter.replaceAllUsesWith(result, outside.lookup(value));
  for (Operation *op : llvm::reverse(ops_))
    rewriter.eraseOp(op);
  for (Operation *op : llvm::reverse(repeated_)) // what only the ops read
    if (op->use_empty())
      rewriter.eraseOp(op);
}

llvm::Error fuseAt(Operation *from, Operation *to, unsigned reach, StringRef passes) {
  llvm::Expected<SmallVector<Operation *>> ops = findPlace(from, to, reach);
  if (!ops)
    return ops.takeError();
  OutlinedPlace place(*ops);
  if (llvm::Error error = place.run(passes))
    return error;
  IRRewriter rewriter(from->getContext());
  place.putBack(rewriter);
  return llvm::Error::success();
}

} // namespace fuselage
