#include "core/schedules/script/FormNames.h"
#include "core/ir/module/Diagnostics.h"
#include "core/schedules/ops/ScheduleOps.h"

namespace fuselage {

llvm::Error refuseUnknownForms(mlir::ModuleOp script, const FormSet &forms) {
  std::vector<Diagnostic> unknown;
  auto refuse = [&](mlir::Operation *op, std::string message) {
    SourcePosition at = positionOf(op->getLoc());
    unknown.push_back({.message = std::move(message), .file = at.file, .line = at.line, .column = at.column});
  };
  auto check = [&](mlir::Operation *op, mlir::StringAttr name) {
    if (!forms.find(name))
      refuse(op, "there is no form '" + name.str() + "'; there are " + forms.names());
  };
  script->walk([&](mlir::Operation *op) {
    if (auto checked = mlir::dyn_cast<mlir::transform::CheckFormOp>(op))
      check(op, checked.getFormAttr());
    for (llvm::StringRef key : {"fuselage.requires", "fuselage.ensures"}) {
      mlir::Attribute said = op->getAttr(key);
      if (auto name = mlir::dyn_cast_or_null<mlir::StringAttr>(said))
        check(op, name);
      else if (said)
        refuse(op, "'" + key.str() + "' is the name of one form, such as \"LoopForm\"");
    }
  });
  if (unknown.empty())
    return llvm::Error::success();
  std::string first = unknown.front().message;
  return fail(std::move(first), std::move(unknown));
}

} // namespace fuselage
