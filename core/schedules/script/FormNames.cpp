#include "core/schedules/script/FormNames.h"
#include "core/ir/module/Diagnostics.h"
#include "core/schedules/ops/ScheduleOps.h"

namespace fuselage {

llvm::Error refuseUnknownForms(mlir::ModuleOp script, const FormSet &forms) {
  std::vector<Diagnostic> unknown;
  auto check = [&](mlir::Operation *op, mlir::StringAttr name) {
    if (!name || forms.find(name))
      return;
    SourcePosition at = positionOf(op->getLoc());
    unknown.push_back({.message = "there is no form '" + name.str() + "'; there are " + forms.names(),
                       .file = at.file,
                       .line = at.line,
                       .column = at.column});
  };
  script->walk([&](mlir::Operation *op) {
    if (auto checked = mlir::dyn_cast<mlir::transform::CheckFormOp>(op))
      check(op, checked.getFormAttr());
    check(op, op->getAttrOfType<mlir::StringAttr>("fuselage.requires"));
    check(op, op->getAttrOfType<mlir::StringAttr>("fuselage.ensures"));
  });
  if (unknown.empty())
    return llvm::Error::success();
  std::string first = unknown.front().message;
  return fail(std::move(first), std::move(unknown));
}

} // namespace fuselage
