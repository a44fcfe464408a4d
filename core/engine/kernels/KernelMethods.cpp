// kernel/code, kernel/check.
#include "core/engine/Engine.h"
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

llvm::Expected<WantedKernels> wantedKernels(Engine &engine, Params &params, llvm::ArrayRef<llvm::StringRef> targets) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document, 0);
  std::string wanted = params.string("dispatch"), function = params.string("function", "");
  KernelCodeOptions options;
  options.form = KernelForm(params.choice("target", targets));
  options.chip = params.string("chip", options.chip);
  std::string device = params.string("device", "");
  std::map<std::string, int64_t> sizes = params.sizes("sizes");
  if (llvm::Error error = params.check())
    return error;
  if (!device.empty())
    if (llvm::Error error = options.setKnownDevice(device))
      return error;
  options.cancelled = &engine.cancelled;
  auto module = (*document)->module(snapshot);
  if (!module)
    return module.takeError();
  std::vector<Diagnostic> remarks;
  auto program = formKernelProgram(*module, function, sizes, remarks);
  if (!program)
    return program.takeError();
  auto dispatch = findDispatch(*program, wanted);
  if (!dispatch)
    return dispatch.takeError();
  return WantedKernels{std::move(*program), *dispatch, std::move(options), std::move(remarks)};
}

llvm::Expected<llvm::json::Value> code(Engine &engine, Params &params) {
  auto wanted = wantedKernels(engine, params, {"spirv", "ptx", "host"});
  if (!wanted)
    return wanted.takeError();
  auto found = kernelCode(wanted->dispatch, wanted->options);
  if (!found)
    return found.takeError();
  for (const Diagnostic &remark : wanted->remarks)
    found->missing.push_back(remark.message);
  return message::encode(*found);
}

llvm::Expected<llvm::json::Value> check(Engine &engine, Params &params) {
  KernelCheckOptions options;
  options.seed = uint64_t(params.integer("seed", 0, INT64_MAX, 1));
  auto wanted = wantedKernels(engine, params, {"spirv", "ptx"});
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
  return message::encode(*found);
}

} // namespace

void addKernelMethods(MethodTable &table) {
  table["kernel/code"] = code;
  table["kernel/check"] = check;
}

} // namespace fuselage
