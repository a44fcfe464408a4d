#include "core/runtime/run/Reference.h"
#include "core/runtime/host/HostJit.h"
#include "core/runtime/run/UnwrittenReads.h"

using namespace mlir;

namespace fuselage {

llvm::Expected<ReferenceResults> runReference(OwningOpRef<ModuleOp> module, func::FuncOp function,
                                              ArrayRef<HostTensor> arguments, const RunOptions &options) {
  std::optional<UnwrittenRead> suspect = findUnwrittenRead(function);
  std::string name = function.getName().str();
  auto program = HostProgram::compile(*module, {.jit = {.cancelled = options.cancelled}, .limits = options.host});
  if (!program) {
    Failure failure = takeFailure(program.takeError());
    return fail("the reference of @" + name + " cannot be computed: " + failure.message, failure.diagnostics);
  }
  bool depends = false;
  auto results = suspect ? callOnFreshMemory(**program, name, arguments, depends) : (*program)->call(name, arguments);
  if (!results)
    return results.takeError();
  ReferenceResults reference{.outputs = std::move(*results)};
  if (depends)
    reference.uninitialised = describe(*suspect);
  return reference;
}

} // namespace fuselage
