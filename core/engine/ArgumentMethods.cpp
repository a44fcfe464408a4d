// run/arguments: what a run needs values for, before it is started.
#include "core/engine/Engine.h"
#include "core/ir/ops/Parameters.h"
#include "core/protocol/Run.h"
#include "core/run/Specialize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/DebugStringHelper.h"

namespace fuselage {

static llvm::Expected<llvm::json::Value> arguments(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document, 0);
  std::string name = params.string("function", "");
  if (llvm::Error error = params.check())
    return error;
  auto module = (*document)->module(snapshot);
  if (!module)
    return module.takeError();
  auto function = pickFunction(*module, name);
  if (!function)
    return function.takeError();
  message::RunArguments<> message{.function = function->getName().str(), .arguments = {}};
  for (mlir::BlockArgument argument : function->getArguments())
    message.arguments.push_back({.name = "arg" + std::to_string(argument.getArgNumber()),
                                 .parameter = parameterAddress(argument),
                                 .type = mlir::debugString(argument.getType()),
                                 .source = {},
                                 .note = {}});
  return message::encode(message);
}

void addArgumentMethods(MethodTable &table) { table["run/arguments"] = arguments; }

} // namespace fuselage
