// Shared by the tests of code generation: a Vulkan device, and a compiled dispatch run on it.
#pragma once
#include "core/codegen/Codegen.h"
#include "core/runtime/device/Device.h"

namespace fuselage::test {

/// Opened once: the tests only add work to it. Null if there is none.
Device *vulkanDevice();

/// Runs a compiled dispatch on a device, twice: a kernel must not depend on what its buffers held
/// before.
llvm::Expected<std::vector<HostTensor>> runOn(Device &device, const CompiledDispatch &dispatch,
                                              mlir::FunctionType type,
                                              llvm::ArrayRef<HostTensor> arguments);

/// Runs an outside checker on a kernel; true if it accepts, or is not installed.
bool accepts(llvm::StringRef tool, llvm::ArrayRef<llvm::StringRef> arguments,
             const std::string &binary, llvm::StringRef suffix, std::string &output);

/// Makes sure that nothing finds the machine's toolkit by the environment.
void hideCudaToolkit();

} // namespace fuselage::test
