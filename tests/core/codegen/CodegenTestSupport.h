// Shared by the tests of code generation: a device, and a compiled dispatch run on it.
#pragma once
#include "core/codegen/Codegen.h"
#include "core/run/values/HostTensor.h"
#include "core/runtime/device/Device.h"
#include "core/support/ResultErrors.h"

namespace fuselage::test {

/// vulkan:0, or the device that FUSELAGE_TEST_DEVICE names, such as cuda:0. Opened once: the tests only add work to it.
/// Null if there is none.
Device *testDevice();

/// What a device of that kind takes at least: no model, no limits.
TargetOptions plainOptions(const Device &device);

/// Runs a compiled dispatch on a device, twice: a kernel must not depend on what its buffers held
/// before. `layout` is that of the options it was compiled with.
llvm::Expected<std::vector<HostTensor>> runOn(Device &device, const CompiledDispatch &dispatch, mlir::FunctionType type,
                                              llvm::ArrayRef<HostTensor> arguments);

/// Fails the test if an outside checker refuses a kernel. Where the checker is not installed, the test is skipped;
/// it fails where FUSELAGE_REQUIRED_TOOLS names it (words between blanks, as CI sets it).
void expectAccepted(llvm::StringRef tool, llvm::ArrayRef<llvm::StringRef> arguments, const std::string &binary,
                    llvm::StringRef suffix);
void expectValidSpirv(const CompiledKernel &kernel);
/// By ptxas, for a chip such as "sm_80".
void expectValidPtx(const CompiledKernel &kernel, llvm::StringRef chip);

/// Makes sure that nothing finds the machine's toolkit by the environment.
void hideCudaToolkit();

} // namespace fuselage::test
