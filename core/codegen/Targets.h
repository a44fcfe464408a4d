// From names and device models to what code generation takes.
#pragma once
#include "core/codegen/Kernel.h"
#include "core/support/Error.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// Kernels that run on every device of a language: "spirv" or "ptx".
llvm::Expected<TargetOptions> targetByName(llvm::StringRef name);

/// Kernels for one device. Failure: it has no kernels of its own (the host).
llvm::Expected<TargetOptions> targetFor(const DeviceModel &device);

/// What `name` says, or where `device` is given, the model of that name or the device file there (KnownDevices.h).
llvm::Expected<TargetOptions> targetByNameOrDevice(llvm::StringRef name, llvm::StringRef device);

} // namespace fuselage
