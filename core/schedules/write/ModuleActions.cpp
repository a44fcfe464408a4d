#include "core/schedules/write/ActionTable.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {
namespace {

/// The function that is, or is around, the op; else its module.
mlir::Operation *functionOf(mlir::Operation *op) {
  if (llvm::isa<mlir::FunctionOpInterface, mlir::ModuleOp>(op))
    return op;
  mlir::Operation *function = op->getParentOfType<mlir::FunctionOpInterface>();
  return function ? function : op->getParentOfType<mlir::ModuleOp>();
}

mlir::Operation *moduleOf(mlir::Operation *op) {
  while (op->getParentOp())
    op = op->getParentOp();
  return op;
}

std::string always(mlir::Operation *) { return ""; }

/// Every set of patterns that is registered, as in "canonicalization".
std::vector<std::string> patternSets(mlir::MLIRContext *context) {
  constexpr llvm::StringRef prefix = "transform.apply_patterns.";
  context->getOrLoadDialect<mlir::transform::TransformDialect>();
  std::vector<std::string> names;
  for (mlir::RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getStringRef().starts_with(prefix))
      names.push_back(name.getStringRef().drop_front(prefix.size()).str());
  llvm::sort(names);
  return names;
}

std::vector<ActionOption> patternOptions(mlir::Operation *op) {
  return {{"patterns", "Pattern sets", "One or more, such as canonicalization, linalg.tiling_canonicalization.",
           "canonicalization", patternSets(op->getContext())},
          {"cse", "CSE", "Whether equal ops become one as well.", "true", {"true", "false"}}};
}

llvm::Error applyPatterns(ActionWriter &writer) {
  llvm::SmallVector<llvm::StringRef> sets;
  writer.text("patterns").split(sets, ',', -1, /*KeepEmpty=*/false);
  std::vector<std::string> known = patternSets(writer.op->getContext());
  for (llvm::StringRef set : sets)
    if (!llvm::is_contained(known, set.trim().str()))
      return fail("there is no set of patterns '" + set.trim().str() + "'");
  if (sets.empty())
    return fail("'patterns' names at least one set of patterns");
  auto handle = writer.handleOf(functionOf(writer.op));
  if (!handle)
    return handle.takeError();
  writer.line("transform.apply_patterns to " + handle->name + " {");
  for (llvm::StringRef set : sets)
    writer.line("  transform.apply_patterns." + set.trim().str());
  writer.line(std::string("}") + (writer.text("cse") == "false" ? "" : " {apply_cse}") + " : " + handle->type);
  return llvm::Error::success();
}

std::vector<ActionOption> passOptions(mlir::Operation *) {
  return {{"pass", "Pass", "By its name, such as canonicalize.", "canonicalize"},
          {"on", "On", "The function around the op, or the module.", "function", {"function", "module"}}};
}

llvm::Error runPass(ActionWriter &writer) {
  llvm::StringRef pass = writer.text("pass");
  if (pass.empty() || pass.find_first_of("\"\\ {}") != llvm::StringRef::npos)
    return fail("'pass' is the name of one pass, such as canonicalize");
  auto handle = writer.handleOf(writer.text("on") == "module" ? moduleOf(writer.op) : functionOf(writer.op));
  if (!handle)
    return handle.takeError();
  writer.line(writer.fresh("passed") + " = transform.apply_registered_pass \"" + pass.str() + "\" to " + handle->name +
              " : (" + handle->type + ") -> !transform.any_op");
  return llvm::Error::success();
}

llvm::Error bufferize(ActionWriter &writer) {
  auto handle = writer.handleOf(moduleOf(writer.op));
  if (!handle)
    return handle.takeError();
  writer.line(writer.fresh("buffers") + " = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} " +
              handle->name + " {bufferize_function_boundaries = true} : (" + handle->type + ") -> !transform.any_op");
  return llvm::Error::success();
}

/// Some scf.forall of the function is mapped to blocks, and none has tensors.
std::string whyNotLaunched(mlir::Operation *op) {
  bool hasBlocks = false, hasTensors = false;
  functionOf(op)->walk([&](mlir::scf::ForallOp loop) {
    hasTensors |= !loop.getOutputs().empty();
    for (mlir::Attribute mapping : loop.getMapping().value_or(mlir::ArrayAttr()) ? loop.getMapping()->getValue()
                                                                                 : llvm::ArrayRef<mlir::Attribute>())
      hasBlocks |= llvm::isa<mlir::gpu::GPUBlockMappingAttr>(mapping);
  });
  return !hasBlocks   ? "no scf.forall in the function is mapped to blocks"
         : hasTensors ? "its loops have tensors; bufferize first"
                      : "";
}

std::vector<ActionOption> launchOptions(mlir::Operation *) {
  return {{"threads", "Threads of a block", "Along x, y and z.", "32, 1, 1"}};
}

llvm::Error launch(ActionWriter &writer) {
  auto threads = writer.numbers("threads", 1);
  if (!threads)
    return threads.takeError();
  if (threads->size() != 3)
    return fail("'threads' has three numbers, along x, y and z");
  auto handle = writer.handleOf(functionOf(writer.op));
  if (!handle)
    return handle.takeError();
  std::string kernel = writer.fresh("launch");
  writer.line(kernel + " = transform.gpu.map_forall_to_blocks " + handle->name + " generate_gpu_launch : (" +
              handle->type + ") -> !transform.any_op");
  writer.line(writer.fresh("mapped") + " = transform.gpu.map_nested_forall_to_threads " + kernel + " block_dims = [" +
              listed(*threads) + "] : (!transform.any_op) -> !transform.any_op");
  return llvm::Error::success();
}

} // namespace

std::vector<ScheduleAction> moduleActions() {
  return {
      {"apply_patterns", "Apply patterns", "Rewrites the function by sets of patterns, until none applies.", always,
       patternOptions, applyPatterns},
      {"run_pass", "Run a pass", "Any pass that is registered, on the function or the module.", always, passOptions,
       runPass},
      {"bufferize", "Bufferize", "Tensors of the module become buffers.", always, noOptions, bufferize},
      {"launch", "Launch as a kernel", "Loops over blocks and threads become a gpu.launch.", whyNotLaunched,
       launchOptions, launch},
  };
}

} // namespace fuselage
