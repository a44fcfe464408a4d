#include "app/cli/ScheduleInput.h"
#include "core/runtime/run/Specialize.h"
#include "core/schedules/script/Knobs.h"
#include "core/tuning/space/Selection.h"

namespace fuselage::cli {

void declareSchedule(Options &options, ScheduleInput &schedule) {
  options.custom("library", "L.mlir", "named sequences that the script declares, and normal forms; as often as wanted", [&](llvm::StringRef value) {
    schedule.libraries.push_back(value.str());
    return std::string();
  });
  options.custom("set", "NAME=VALUE", "what to select for a knob of the script; as often as wanted",
                 [&](llvm::StringRef text) -> std::string {
                   auto [name, value] = text.split('=');
                   if (name.empty() || value.empty())
                     return "takes NAME=VALUE, not '" + text.str() + "'";
                   if (!schedule.knobs.try_emplace(name.str(), value.str()).second)
                     return "gives " + name.str() + " twice";
                   return "";
                 });
}

llvm::Expected<Script> openSchedule(Session &session, llvm::StringRef path, const ScheduleInput &schedule) {
  auto script = openScript(session, path, schedule.libraries);
  if (!script)
    return script;
  printDiagnostics(script->diagnostics);
  if (llvm::Error error = setKnobs(*script, schedule.knobs))
    return error;
  if (llvm::Error error = tune::resolveConstraints(*script))
    return error;
  return script;
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> sizedPayload(mlir::ModuleOp module, RunOptions &run) {
  auto function = pickFunction(module, run.function);
  if (!function)
    return function.takeError();
  auto isOpen = [](mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  if (llvm::none_of(function->getArgumentTypes(), isOpen))
    return mlir::OwningOpRef<mlir::ModuleOp>();
  std::vector<Diagnostic> remarks;
  auto sized = specializeWithDefaults(*function, run.sizes, remarks);
  printDiagnostics(remarks);
  if (sized) {
    run.function = function->getName().str();
    run.sizes.clear();
  }
  return sized;
}

} // namespace fuselage::cli
