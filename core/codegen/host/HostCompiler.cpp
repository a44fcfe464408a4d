#include "core/codegen/host/HostCompiler.h"
#include "core/analysis/costs/Costs.h"
#include "core/codegen/host/EmitObject.h"
#include "core/codegen/host/HostLayout.h"
#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/InsertChecks.h"
#include "core/codegen/host/safety/HostSafety.h"
#include "core/executable/HostSymbols.h"
#include "core/transforms/attention/TileAttention.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/Support/MathExtras.h"
#include <unistd.h>

using namespace mlir;

namespace fuselage {

/// Of the functions that others may call, by the names that they use.
using FunctionTypes = std::map<std::string, FunctionType>;

/// Tells LLVM that the memory of different arguments does not overlap.
static void markArgumentsDistinct(ModuleOp module, const FunctionTypes &types) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    StringRef name = function.getName();
    auto found = name.consume_front(hostSymbolOf("")) ? types.find(name.str()) : types.end();
    if (found == types.end())
      continue;
    unsigned position = 0;
    for (Type type : found->second.getInputs()) {
      auto memref = llvm::dyn_cast<MemRefType>(type);
      if (memref && position + 1 < function.getNumArguments())
        function.setArgAttr(position + 1, LLVM::LLVMDialect::getNoAliasAttrName(), UnitAttr::get(module.getContext()));
      position += memref ? 3 + 2 * memref.getRank() : 1;
    }
  }
}

/// Fresh memory overlaps nothing.
static void markAllocationsDistinct(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function.getName().starts_with("_mlir_memref_to_llvm_") && function.getName().ends_with("alloc"))
      function.setResultAttr(0, LLVM::LLVMDialect::getNoAliasAttrName(), UnitAttr::get(module.getContext()));
}

/// Gives each symbol that the module defines a name of its own, wherever it is referred to.
static void renameSymbols(ModuleOp module) {
  llvm::StringMap<StringAttr> names;
  for (auto symbol : module.getOps<SymbolOpInterface>()) {
    auto lowered = llvm::dyn_cast<LLVM::LLVMFuncOp>(symbol.getOperation());
    if (symbol.isDeclaration() || (lowered && lowered.isExternal()))
      continue;
    auto name = StringAttr::get(module.getContext(), hostSymbolOf(symbol.getName()));
    names[symbol.getName()] = name;
    symbol.setName(name);
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](SymbolRefAttr reference) -> std::optional<Attribute> {
    StringAttr name = names.lookup(reference.getRootReference());
    return name ? std::optional<Attribute>(SymbolRefAttr::get(name, reference.getNestedReferences())) : std::nullopt;
  });
  for (Operation &op : *module.getBody())
    replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true);
}

static HostFunctionForm formOf(FunctionType type) {
  HostFunctionForm form;
  for (Type input : type.getInputs())
    form.arguments.push_back(hostFormOf(input));
  for (Type result : type.getResults())
    form.results.push_back(hostFormOf(result));
  return form;
}

llvm::Expected<HostCompilation> compileMemRefsForHost(ModuleOp module, const HostCompileOptions &options) {
  HostCompilation compiled;
  OwningOpRef<ModuleOp> copy(module.clone());
  if (llvm::Error error = options.takesLlvm ? refuseUnsafeLowered(*copy) : refuseUnsafe(*copy))
    return error;
  FunctionTypes types;
  for (auto function : copy->getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    types.emplace(function.getName().str(), function.getFunctionType());
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), UnitAttr::get(module.getContext()));
  }
  renameSymbols(*copy);
  if (llvm::Error error = lowerMemRefsToLlvm(*copy, options.threads, compiled.kernels))
    return error;
  if (llvm::Error error = refuseForeignSymbols(*copy))
    return error;
  // The lowering drops spaces and so changes types by name only where callers cannot tell.
  if (options.distinctArguments)
    markArgumentsDistinct(*copy, types);
  markAllocationsDistinct(*copy);

  auto object = emitHostObject(*copy, {.optLevel = options.optLevel, .optimized = [&](llvm::Module &lowered) {
                                         if (options.optimized)
                                           options.optimized(lowered);
                                       }});
  if (!object)
    return fail("the host's compiler refused the lowered module: " + takeFailure(object.takeError()).message);
  compiled.object = std::move(*object);
  auto form = std::make_shared<HostCallForm>();
  for (const auto &[name, type] : types)
    form->functions.emplace(name, formOf(type));
  bool isShared = llvm::any_of(compiled.kernels.calls, [](const ParallelCall &call) { return call.isShared(); });
  form->threads = isShared ? HostTarget::of(module).threads : 1;
  form->limits = options.limits;
  compiled.form = std::move(form);
  return compiled;
}

/// Leaves functions and what they may refer to; schedules and nested modules do not run.
static void dropWhatDoesNotRun(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (llvm::isa<ModuleOp>(op) || op.getName().getDialectNamespace() == "transform")
      op.erase();
}

/// The plain loops of a reference make some 10^9 operations a second; a fifth of that is still no reason to give
/// up. Memory: every tensor of known size at once, twice.
HostLimits hostLimitsFor(Operation *module, const HostLimits &requested) {
  uint64_t flops = 0, bytes = 0;
  module->walk([&](Operation *op) {
    if (llvm::isa<linalg::LinalgOp>(op))
      flops = llvm::SaturatingAdd<uint64_t>(flops, std::max<int64_t>(costOf(op).flops, 0));
    for (Type type : op->getResultTypes())
      if (llvm::isa<RankedTensorType>(type))
        bytes = llvm::SaturatingAdd<uint64_t>(bytes, std::max<int64_t>(byteSize(type).value_or(0), 0));
  });
  constexpr uint64_t leastSeconds = 10, mostSeconds = 24 * 3600, flopsPerSecond = 200'000'000;
  constexpr uint64_t leastBytes = uint64_t(2) << 30;
  uint64_t memory = uint64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  uint64_t seconds = std::min(leastSeconds + flops / flopsPerSecond, mostSeconds);
  uint64_t wanted = llvm::SaturatingAdd<uint64_t>(leastBytes, llvm::SaturatingMultiply<uint64_t>(2, bytes));
  return {.seconds = requested.seconds ? requested.seconds : static_cast<unsigned>(seconds),
          .bytes = requested.bytes ? requested.bytes : std::min(wanted, std::max(leastBytes, memory / 5 * 4))};
}

llvm::Expected<HostCompilation> compileForHost(ModuleOp module, const HostCompileOptions &options) {
  OwningOpRef<ModuleOp> copy(module.clone());
  dropWhatDoesNotRun(*copy);
  inlineDispatchRegions(*copy);
  tileAttention(*copy); // what follows knows loops
  if (llvm::Error error = refuseUnsafe(*copy))
    return error;
  if (llvm::Error error = refuseAddresses(*copy))
    return error;
  HostCompileOptions onMemRefs = options;
  onMemRefs.limits = hostLimitsFor(*copy, options.limits);
  if (options.checks)
    if (llvm::Error error = insertChecks(*copy))
      return error;
  if (llvm::Error error = lowerTensorsToMemRefs(
          *copy, {.wideAccumulators = options.wideAccumulators, .kernels = options.threads == HostThreading::Kernels}))
    return error;
  return compileMemRefsForHost(*copy, onMemRefs);
}

} // namespace fuselage
