#include "core/codegen/host/kernels/ParallelCalls.h"
#include "core/executable/HostSymbols.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace fuselage {

/// @name.part(begin, end, context): calls the tasks' function with what the context holds.
static LLVM::LLVMFuncOp makeUnpacker(OpBuilder &builder, LLVM::LLVMFuncOp tasks, Type packed) {
  MLIRContext *context = builder.getContext();
  Location loc = tasks.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(context), word = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {word, word, pointer});
  auto unpacker =
      LLVM::LLVMFuncOp::create(builder, loc, tasks.getName().str() + ".part", type, LLVM::Linkage::Internal);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = unpacker.addEntryBlock(builder);
  builder.setInsertionPointToStart(body);
  SmallVector<Value> arguments = {body->getArgument(0), body->getArgument(1)};
  Value all = LLVM::LoadOp::create(builder, loc, packed, body->getArgument(2));
  for (unsigned i = 2; i < tasks.getNumArguments(); ++i)
    arguments.push_back(LLVM::ExtractValueOp::create(builder, loc, all, int64_t(i - 2)));
  LLVM::CallOp::create(builder, loc, tasks, arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return unpacker;
}

static LLVM::LLVMFuncOp declareRunTasks(OpBuilder &builder, Location loc) {
  MLIRContext *context = builder.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context), word = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer, pointer, word, word});
  return LLVM::LLVMFuncOp::create(builder, loc, host::kRunTasks, type);
}

void describeTasks(ModuleOp module, const ParallelCall &call) {
  Builder builder(module.getContext());
  module.lookupSymbol(call.all)->setAttr(
      kTasksAttr, builder.getDictionaryAttr(
                      {builder.getNamedAttr("function", FlatSymbolRefAttr::get(builder.getContext(), call.tasks)),
                       builder.getNamedAttr("count", builder.getI64IntegerAttr(call.count)),
                       builder.getNamedAttr("portion", builder.getI64IntegerAttr(call.portion))}));
}

/// What describeTasks() said, where it is all there and the function has no body yet; takes it away.
static std::optional<ParallelCall> takeDescription(LLVM::LLVMFuncOp all) {
  auto described = llvm::dyn_cast_or_null<DictionaryAttr>(all->removeAttr(kTasksAttr));
  if (!described || !all.isExternal())
    return std::nullopt;
  auto function = described.getAs<FlatSymbolRefAttr>("function");
  auto count = described.getAs<IntegerAttr>("count"), portion = described.getAs<IntegerAttr>("portion");
  if (!function || !count || !portion)
    return std::nullopt;
  return ParallelCall{.tasks = function.getValue().str(),
                      .all = all.getName().str(),
                      .count = count.getInt(),
                      .portion = portion.getInt()};
}

void expandParallelCalls(ModuleOp module) {
  OpBuilder builder(module.getBodyRegion());
  LLVM::LLVMFuncOp run;
  for (auto all : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    std::optional<ParallelCall> call = takeDescription(all);
    auto tasks = call ? module.lookupSymbol<LLVM::LLVMFuncOp>(call->tasks) : LLVM::LLVMFuncOp();
    if (!tasks || tasks.getNumArguments() != all.getNumArguments() + 2)
      continue;
    if (!run) {
      builder.setInsertionPointToStart(module.getBody());
      run = declareRunTasks(builder, module.getLoc());
    }
    Type pointer = run.getArgumentTypes()[0], word = builder.getI64Type();
    Location loc = all.getLoc();
    auto packed = LLVM::LLVMStructType::getLiteral(module.getContext(), all.getArgumentTypes());
    builder.setInsertionPoint(all);
    LLVM::LLVMFuncOp unpacker = makeUnpacker(builder, tasks, packed);
    OpBuilder::InsertionGuard guard(builder);
    Block *body = all.addEntryBlock(builder);
    all.setLinkage(LLVM::Linkage::Internal);
    builder.setInsertionPointToStart(body);
    Value values = LLVM::UndefOp::create(builder, loc, packed);
    for (auto [index, argument] : llvm::enumerate(body->getArguments()))
      values = LLVM::InsertValueOp::create(builder, loc, values, argument, int64_t(index));
    Value one = LLVM::ConstantOp::create(builder, loc, word, 1);
    Value context = LLVM::AllocaOp::create(builder, loc, pointer, packed, one);
    LLVM::StoreOp::create(builder, loc, values, context);
    Value part = LLVM::AddressOfOp::create(builder, loc, unpacker);
    Value count = LLVM::ConstantOp::create(builder, loc, word, call->count);
    Value portion = LLVM::ConstantOp::create(builder, loc, word, call->portion);
    LLVM::CallOp::create(builder, loc, run, ValueRange{part, context, count, portion});
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  }
}

} // namespace fuselage
