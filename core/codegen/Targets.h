// From names and device models to what code generation takes.
#pragma once
#include "core/device/TargetOptions.h"
#include "core/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace fuselage {

class TargetStrategy;

/// Kernels that run on every device of a language: "spirv" or "ptx".
llvm::Expected<TargetOptions> targetByName(llvm::StringRef name);

/// Kernels for one device. Failure: it has no kernels of its own (the host).
llvm::Expected<TargetOptions> targetFor(const DeviceModel &device);

/// The target that `fuselage-set-device` and --target-device call `name`: "spirv", "ptx", a known device or a device
/// file.
llvm::Expected<TargetOptions> targetNamed(llvm::StringRef name);

/// What `name` says, or where `device` is given, the model of that name or the device file there (KnownDevices.h).
llvm::Expected<TargetOptions> targetByNameOrDevice(llvm::StringRef name, llvm::StringRef device);

/// What a device model calls the language of a target: "spirv", "ptx" or "host".
const char *languageOf(KernelTarget target);

/// The device as passes see it (`fuselage.device`): the model, with the language and chip of the target and the matrix
/// instructions that its kernels use.
DeviceModel kernelDevice(const TargetOptions &options);

/// What `fuselage-set-device` calls the device: "h100", "ptx". Empty if it has no name: it is described by a file of
/// the user's, or is here.
std::string deviceNameOf(const TargetOptions &options);

/// Whether kernels are for any device that takes SPIR-V, which is what passes assume without `fuselage.device`.
bool isAnyDevice(const TargetOptions &options);

/// How kernels are made for the target (TargetStrategy.h).
std::unique_ptr<TargetStrategy> strategyFor(const TargetOptions &options);

} // namespace fuselage
