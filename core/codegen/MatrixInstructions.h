// Which instructions that multiply matrices kernels for a target are made with.
#pragma once
#include "core/device/TargetOptions.h"

namespace fuselage {

/// For PTX, what the device states, or what every chip of NVIDIA's with that compute capability has where it states
/// nothing; none below 8.0, whose instructions are others. "m16n8k8 tf32" only where that is asked for. For SPIR-V, the
/// cooperative matrices that the device states and kernels are made with (MatrixShape.h): those of f16, as upstream
/// makes no others. For the host, none. A shape that is unusual is left out, and is no reason not to compile for the
/// device.
std::vector<std::string> matrixShapesOf(const TargetOptions &options);

} // namespace fuselage
