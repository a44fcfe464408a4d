// Runs kernels that were lowered to SPIR-V or PTX on a device.
#pragma once
#include "core/bisect/LevelResult.h"
#include "core/executable/CompiledDispatch.h"
#include "core/run/HostCheck.h"

namespace fuselage {

/// Whether the module launches kernels of which it has SPIR-V or PTX.
bool hasDeviceKernels(mlir::ModuleOp module);

/// The launches of a function that allocates buffers and launches kernels on them, no more.
struct DeviceProgram {
  CompiledDispatch dispatch;
  bool isPtx = false;
  int64_t flops = -1; ///< a device that is software does not run very many; -1: unknown
};
/// Of the reference's function. Failure: it does something else, or a kernel cannot be written out.
llvm::Expected<DeviceProgram> compileForDevice(mlir::ModuleOp module, const HostReference &reference);

/// Runs it on the first Vulkan device (SPIR-V) or NVIDIA GPU (PTX), in a copy of the process, as a driver may crash on
/// wrong kernels. Failure: there is no such device, or it does not take the kernels.
llvm::Expected<LevelRun> runOnDevice(const DeviceProgram &program, const HostReference &reference);

} // namespace fuselage
