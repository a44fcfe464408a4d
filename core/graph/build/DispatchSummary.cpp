#include "core/graph/build/DispatchSummary.h"
#include "core/dialects/decoders/XlaOps.h"
#include "core/graph/model/GraphNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace fuselage {

std::string functionName(Operation *function) {
  std::string name = asUtf8(qualifiedName(function));
  // Initializers have no symbol.
  return name.empty() ? asUtf8(decode(function).label) : name;
}

static GraphDispatch summary(std::string name, DispatchKind kind, const OpCost &cost, Operation *root) {
  return {.id = 0,
          .name = asUtf8(std::move(name)),
          .kind = dispatchKindName(kind).str(),
          .function = "",
          .loc = root ? locationName(root->getLoc()) : std::string(),
          .nodes = {},
          .flops = cost.flops,
          .bytesRead = cost.bytesRead,
          .bytesWritten = cost.bytesWritten,
          .bytesAtMost = cost.bytesAtMost};
}

/// "matmul_128x768x768" of "main_dispatch_3_matmul_128x768x768"; the root's name where there is none
/// after the number.
static std::string nameOfFunction(Operation *function, Operation *root) {
  std::string name = symbolName(function);
  StringRef rest = name;
  size_t at = rest.rfind("_dispatch_");
  if (at == StringRef::npos)
    return name;
  rest = rest.drop_front(at + StringRef("_dispatch_").size()).ltrim("0123456789");
  if (rest.consume_front("_") && !rest.empty())
    return rest.str();
  return root ? dispatchName(root) : name;
}

std::string dispatchLabel(Operation *op, const GraphDispatch &dispatch) {
  return dispatch.name + (isXlaOp(op) ? " (" + xlaKernelKind(op) + ")" : "");
}

bool DispatchSummaries::isDispatchFunction(Operation *function) {
  return function->hasAttr(kDispatchAttr) || isKernel(function);
}

const GraphDispatch &DispatchSummaries::ofFunction(Operation *function) {
  auto [entry, added] = functions_.try_emplace(function);
  if (added) {
    Operation *root = findDispatchRoot(function);
    entry->second = summary(nameOfFunction(function, root), classifyDispatch(function), costOfDispatch(function), root);
    entry->second.function = functionName(function);
  }
  return entry->second;
}

GraphDispatch DispatchSummaries::ofGroup(const DispatchGroup &group) {
  return summary(dispatchName(group.root), group.kind, costOfGroup(group.ops, group.clonedProducers), group.root);
}

/// The outlined dispatch function that a call goes to, or null.
Operation *DispatchSummaries::outlinedCallee(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call)
    return nullptr;
  Operation *callee = symbols_.lookupNearestSymbolFrom(op, call.getCalleeAttr());
  return callee && callee->hasAttr(kDispatchAttr) ? callee : nullptr;
}

bool DispatchSummaries::runsDispatch(Operation *op) {
  OpRole role = decode(op).role;
  return role == OpRole::DispatchRegion || role == OpRole::DispatchCall || outlinedCallee(op);
}

std::optional<GraphDispatch> DispatchSummaries::ofOp(Operation *op, const DecodedOp &decoded) {
  if (Operation *callee = outlinedCallee(op))
    return ofFunction(callee);
  if (decoded.role == OpRole::DispatchRegion)
    return summary(nameOfDispatch(op), classifyDispatch(op), costOfDispatch(op), findDispatchRoot(op));
  if (decoded.role != OpRole::DispatchCall)
    return std::nullopt;
  // Its own operands and results say exactly what it reads and writes, if they have shapes.
  OpCost own = costOf(op);
  if (Operation *kernel = kernels_.find(op, decoded.callee)) {
    GraphDispatch dispatch = ofFunction(kernel);
    if (own.bytesRead > 0 || own.bytesWritten > 0) {
      dispatch.bytesRead = own.bytesRead;
      dispatch.bytesWritten = own.bytesWritten;
      dispatch.bytesAtMost = own.bytesAtMost;
    }
    return dispatch;
  }
  own.flops = -1;
  GraphDispatch dispatch = summary(decoded.label, DispatchKind::Other, own, op);
  dispatch.function = asUtf8(decoded.callee);
  return dispatch;
}

} // namespace fuselage
