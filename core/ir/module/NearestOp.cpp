#include "core/ir/module/NearestOp.h"
#include "core/ir/module/PassCatalog.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OperationSupport.h"

using llvm::StringRef;

namespace fuselage {

/// The op of a dialect whose name is nearest; empty: none is near.
static std::string nearestIn(StringRef dialect, StringRef name, mlir::MLIRContext &context) {
  std::vector<std::string> names;
  for (mlir::RegisteredOperationName known : context.getRegisteredOperationsByDialect(dialect))
    names.push_back(known.stripDialect().str());
  std::vector<std::string> near = nearestNames(name, names, 1);
  return near.empty() ? "" : (dialect + "." + near.front()).str();
}

std::string nearestOp(StringRef name, mlir::MLIRContext &context) {
  auto [dialect, op] = name.split('.');
  if (op.empty() || mlir::RegisteredOperationName::lookup(name, &context))
    return "";
  if (llvm::is_contained(context.getAvailableDialects(), dialect) && context.getOrLoadDialect(dialect))
    return nearestIn(dialect, op, context);
  // Names of three letters are near to many: Pallas's tpu to gpu.
  constexpr size_t shortest = 4;
  constexpr unsigned typo = 2;
  if (dialect.size() < shortest)
    return "";
  for (StringRef known : context.getAvailableDialects()) {
    if (dialect.edit_distance(known, /*AllowReplacements=*/true, typo) > typo || !context.getOrLoadDialect(known))
      continue;
    std::string meant = (known + "." + op).str();
    if (mlir::RegisteredOperationName::lookup(meant, &context))
      return meant;
  }
  return "";
}

std::string suggestOp(StringRef name, mlir::MLIRContext &context) {
  std::string meant = nearestOp(name, context);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

} // namespace fuselage
