// kernel/code.
#include "core/engine/Engine.h"
#include "core/kernels/KernelCode.h"
#include "core/runtime/run/SingleDispatch.h"

namespace fuselage {

static llvm::Expected<llvm::json::Value> code(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document, 0);
  std::string wanted = params.string("dispatch"), function = params.string("function", "");
  KernelCodeOptions options;
  options.form = KernelForm(params.choice("target", {"spirv", "ptx", "host"}));
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
  auto found = kernelCode(*dispatch, options);
  if (!found)
    return found.takeError();
  for (const Diagnostic &remark : remarks)
    found->missing.push_back(remark.message);
  return message::encode(*found);
}

void addKernelMethods(MethodTable &table) { table["kernel/code"] = code; }

} // namespace fuselage
