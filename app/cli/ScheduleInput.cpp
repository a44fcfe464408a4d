#include "app/cli/ScheduleInput.h"
#include "core/run/Specialize.h"
#include "core/schedules/script/Knobs.h"
#include "core/tuning/space/Selection.h"

namespace fuselage::cli {

/// `--OPTION NAME=VALUE`, each name once.
static void declareNamed(Options &options, std::string option, std::string help,
                         std::map<std::string, std::string> &values) {
  options.custom(std::move(option), "NAME=VALUE", std::move(help), [&values](llvm::StringRef text) -> std::string {
    auto [name, value] = text.split('=');
    name.consume_front("%");
    if (name.empty() || value.empty())
      return "takes NAME=VALUE, not '" + text.str() + "'";
    if (!values.try_emplace(name.str(), value.str()).second)
      return "gives " + name.str() + " twice";
    return "";
  });
}

void declareScript(Options &options, ScheduleInput &schedule) {
  options.custom("library", "L.mlir",
                 "a file with named sequences that the script declares, and with normal forms; may be repeated",
                 [&](llvm::StringRef value) {
                   schedule.options.libraries.push_back(value.str());
                   return std::string();
                 });
  options.text("entry", "NAME", "the named sequence to start at (default: __transform_main)", schedule.options.entry);
  declareNamed(options, "arg",
               "an argument of the entry, other than the module: op names, such as mm=linalg.matmul, or the value of a "
               "parameter (default: by its type, such as !transform.op<\"linalg.matmul\">); may be repeated",
               schedule.options.arguments);
}

void declareSchedule(Options &options, ScheduleInput &schedule) {
  declareScript(options, schedule);
  declareNamed(options, "set", "the value of a knob of the script; may be repeated", schedule.knobs);
}

llvm::Expected<Script> openSchedule(Session &session, llvm::StringRef path, const ScheduleInput &schedule) {
  auto script = openScript(session, path, schedule.options);
  if (!script)
    return script;
  printDiagnostics(script->diagnostics);
  if (llvm::Error error = setKnobs(*script, schedule.knobs))
    return error;
  if (llvm::Error error = tune::resolveConstraints(*script))
    return error;
  return script;
}

RecordOptions recordOptionsOf(const std::string &pipeline, const ScheduleInput &schedule) {
  RecordOptions options;
  options.pipeline = pipeline;
  options.schedule = schedule.path;
  options.script = schedule.options;
  return options;
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
  auto sized = specializeWithDefaults(*function, run.sizes, remarks, run.inputs);
  printDiagnostics(remarks);
  if (sized) {
    run.function = function->getName().str();
    run.sizes.clear();
  }
  return sized;
}

} // namespace fuselage::cli
