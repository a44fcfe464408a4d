#include "core/codegen/host/kernels/LoopEmitter.h"
#include "core/codegen/host/kernels/TileEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace fuselage {

namespace {

/// Writes the loops around tiles.
class LoopEmitter {
public:
  LoopEmitter(const LoopKernel &kernel, const LoopPlan &plan) : kernel_(kernel), plan_(plan), loc_(kernel.loc) {}
  TaskFunction emit(ModuleOp module, StringRef name);

private:
  using Range = std::pair<Value, Value>;
  using Step = llvm::function_ref<void(Value at, int64_t size)>;
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder_, loc_, value); }
  void emitTask(Value task);
  Range blockOf(Value number, int64_t block, int64_t range);
  void inSteps(Range block, int64_t step, int64_t range, Step body);
  void loop(Value from, Value to, int64_t step, llvm::function_ref<void(Value)> body);

  const LoopKernel &kernel_;
  const LoopPlan &plan_;
  Location loc_;
  OpBuilder builder_{kernel_.loc.getContext()};
  IRMapping around_; ///< what the op uses, in the function
};

} // namespace

void LoopEmitter::loop(Value from, Value to, int64_t step, llvm::function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(builder_, loc_, from, to, index(step));
  OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

/// [number * block, the same + block), within the loop.
LoopEmitter::Range LoopEmitter::blockOf(Value number, int64_t block, int64_t range) {
  Value from = arith::MulIOp::create(builder_, loc_, number, index(block));
  Value to = arith::AddIOp::create(builder_, loc_, from, index(block));
  if (range % block != 0)
    to = arith::MinSIOp::create(builder_, loc_, to, index(range));
  return {from, to};
}

/// A loop over whole steps, and what is left at the end of the range.
void LoopEmitter::inSteps(Range block, int64_t step, int64_t range, Step body) {
  int64_t left = range % step;
  Value whole =
      left == 0 ? block.second : Value(arith::MinSIOp::create(builder_, loc_, block.second, index(range - left)));
  if (range >= step)
    loop(block.first, whole, step, [&](Value at) { body(at, step); });
  if (left == 0)
    return;
  Value from =
      range < step ? block.first : Value(arith::MaxSIOp::create(builder_, loc_, block.first, index(range - left)));
  loop(from, block.second, left, [&](Value at) { body(at, left); });
}

void LoopEmitter::emitTask(Value task) {
  SmallVector<Value> at(kernel_.ranges.size(), index(0));
  SmallVector<unsigned> loops(plan_.outer);
  if (plan_.rowLoop)
    loops.push_back(*plan_.rowLoop);
  loops.push_back(plan_.vectorLoop);
  SmallVector<Value> numbers(loops.size());
  Value rest = task;
  for (unsigned i = loops.size(); i-- > 0;) {
    int64_t blocks = plan_.blocksOf(loops[i], kernel_);
    if (blocks == 1) {
      numbers[i] = index(0);
      continue;
    }
    numbers[i] = arith::RemUIOp::create(builder_, loc_, rest, index(blocks));
    rest = arith::DivUIOp::create(builder_, loc_, rest, index(blocks));
  }
  for (auto [loop, number] : llvm::zip(plan_.outer, numbers))
    at[loop] = number;
  int64_t rowRange = plan_.rowLoop ? kernel_.ranges[*plan_.rowLoop] : 1, range = kernel_.ranges[plan_.vectorLoop];
  Range rows = {index(0), index(1)}, vectors = {index(0), index(1)};
  if (plan_.rowLoop)
    rows = blockOf(numbers[plan_.outer.size()], plan_.rowBlock, rowRange);
  if (!plan_.alongReduction)
    vectors = blockOf(numbers.back(), plan_.vectorBlock, range);

  TileEmitter tiles(kernel_, plan_, builder_, around_);
  auto overRows = [&](llvm::function_ref<void(int64_t)> body) {
    if (!plan_.rowLoop)
      return body(1);
    inSteps(rows, plan_.rows, rowRange, [&](Value row, int64_t size) {
      at[*plan_.rowLoop] = row;
      body(size);
    });
  };
  auto overVectors = [&](llvm::function_ref<void(int64_t)> body) {
    if (plan_.alongReduction)
      return body(0);
    inSteps(vectors, plan_.vectors * plan_.lanes, range, [&](Value vector, int64_t size) {
      at[plan_.vectorLoop] = vector;
      body(size);
    });
  };
  if (plan_.rowsInside)
    overVectors([&](int64_t width) { overRows([&](int64_t height) { tiles.emit(at, height, width); }); });
  else
    overRows([&](int64_t height) { overVectors([&](int64_t width) { tiles.emit(at, height, width); }); });
}

TaskFunction LoopEmitter::emit(ModuleOp module, StringRef name) {
  TaskFunction made = makeTaskFunction(builder_, module, name, *kernel_.body, kernel_.operands, around_);
  Block &entry = made.tasks.front();
  loop(entry.getArgument(0), entry.getArgument(1), 1, [&](Value task) { emitTask(task); });
  func::ReturnOp::create(builder_, loc_);
  return made;
}

TaskFunction emitLoops(const LoopKernel &kernel, const LoopPlan &plan, ModuleOp module, StringRef name) {
  return LoopEmitter(kernel, plan).emit(module, name);
}

} // namespace fuselage
