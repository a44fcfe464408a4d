// Which instructions that multiply matrices kernels for a target are made with.
#pragma once
#include "core/codegen/Kernel.h"

namespace fuselage {

/// "sm_90" -> 90; 0 for what is no such name.
unsigned capabilityOf(const std::string &chip);

/// The shapes of mma.sync that kernels are made with, by compute capability: none below 8.0, where others are.
std::vector<std::string> matrixShapesOf(unsigned capability);

/// For PTX, what the device states, or what every chip of NVIDIA's with that compute capability has where it states
/// nothing; none below 8.0, whose instructions are others. "m16n8k8 tf32" only where that is asked for. For SPIR-V, the
/// cooperative matrices that the device states and kernels are made with (MatrixShape.h): those of f16, as upstream
/// makes no others. A shape that is unusual is left out, and is no reason not to compile for the device.
std::vector<std::string> matrixShapesOf(const TargetOptions &options);

/// What these multiply: "f16", "bf16", "tf32", "s8".
std::vector<std::string> matrixTypesOf(const TargetOptions &options);

/// The shapes as options of fuselage-map-to-gpu, the types as one of fuselage-tile-to-workgroups; empty where there are
/// none.
std::string matrixShapesOption(const TargetOptions &options);
std::string matrixTypesOption(const TargetOptions &options);

} // namespace fuselage
