// kernel/code, kernel/check.
#include "core/protocol/methods/KernelMethods.h"
#include "core/engine/MethodTable.h"
#include "core/kernels/KernelCheck.h"
#include "core/run/SingleDispatch.h"

namespace fuselage {

namespace {

/// The dispatch that a request is about, and what its kernels are made for.
struct WantedKernels {
  RunProgram program;
  mlir::func::FuncOp dispatch;
  KernelCodeOptions options;
  std::vector<Diagnostic> remarks;
};

llvm::Expected<WantedKernels> wantedKernels(Engine &engine, Document &document, const method::KernelChoice<> &choice,
                                            method::KernelTarget target) {
  KernelCodeOptions options;
  options.form = KernelForm(target);
  options.chip = choice.chip.value_or(options.chip);
  if (!choice.device.empty())
    if (llvm::Error error = options.setKnownDevice(choice.device))
      return error;
  options.cancelled = &engine.cancelled;
  auto module = document.program(choice.snapshot);
  if (!module)
    return module.takeError();
  std::vector<Diagnostic> remarks;
  auto program = formKernelProgram(*module, choice.function, choice.sizes, remarks);
  if (!program)
    return program.takeError();
  auto dispatch = findDispatch(*program, choice.dispatch);
  if (!dispatch)
    return dispatch.takeError();
  return WantedKernels{std::move(*program), *dispatch, std::move(options), std::move(remarks)};
}

llvm::Expected<message::KernelCode<>> code(Engine &engine, Document &document,
                                           const method::ShowKernels::Request<> &request) {
  auto wanted = wantedKernels(engine, document, request.kernels, request.target);
  if (!wanted)
    return wanted.takeError();
  auto found = kernelCode(wanted->dispatch, wanted->options);
  if (!found)
    return found.takeError();
  for (const Diagnostic &remark : wanted->remarks)
    found->missing.push_back(remark.message);
  return std::move(*found);
}

llvm::Expected<message::KernelCheck<>> check(Engine &engine, Document &document,
                                             const method::CheckKernels::Request<> &request) {
  if (request.target == method::KernelTarget::Host)
    return badParameter("target", "must be one of spirv, ptx");
  KernelCheckOptions options;
  options.seed = uint64_t(request.seed);
  auto wanted = wantedKernels(engine, document, request.kernels, request.target);
  if (!wanted)
    return wanted.takeError();
  options.code = wanted->options;
  options.progress = [&](unsigned done, unsigned total) {
    engine.notify(message::KernelProgress<>{.done = int(done), .total = int(total)});
  };
  auto found = checkKernels(wanted->program, wanted->dispatch, options);
  if (!found)
    return found.takeError();
  for (const Diagnostic &remark : wanted->remarks)
    found->notes.push_back(remark.message);
  return std::move(*found);
}

} // namespace

void addKernelMethods(MethodTable &table) {
  addMethod<method::ShowKernels, code>(table);
  addMethod<method::CheckKernels, check>(table);
}

} // namespace fuselage
