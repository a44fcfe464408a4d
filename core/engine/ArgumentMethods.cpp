// run/arguments: what a run needs values for, before it is started.
#include "core/engine/MethodTable.h"
#include "core/ir/ops/Parameters.h"
#include "core/protocol/Run.h"
#include "core/protocol/methods/RunMethods.h"
#include "core/run/Specialize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/DebugStringHelper.h"

namespace fuselage {

static llvm::Expected<message::RunArguments<>> arguments(Engine &, Document &document,
                                                         const method::RunArguments::Request<> &request) {
  auto module = document.program(request.snapshot);
  if (!module)
    return module.takeError();
  auto function = pickFunction(*module, request.function);
  if (!function)
    return function.takeError();
  message::RunArguments<> message{.function = function->getName().str(), .arguments = {}};
  for (mlir::BlockArgument argument : function->getArguments())
    message.arguments.push_back({.name = "arg" + std::to_string(argument.getArgNumber()),
                                 .parameter = parameterAddress(argument),
                                 .type = mlir::debugString(argument.getType()),
                                 .source = {},
                                 .note = {}});
  return message;
}

void addArgumentMethods(MethodTable &table) { addMethod<method::RunArguments, arguments>(table); }

} // namespace fuselage
