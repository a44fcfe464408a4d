// CUDA's device library, for code generation only: nothing of the toolkit is needed to run.
#pragma once
#include <string>

namespace fuselage {

/// The folder of a CUDA toolkit that holds nvvm/libdevice: that of CUDA_HOME, CUDA_PATH or CUDA_ROOT,
/// or where toolkits are installed. Empty if there is none, or none that a pipeline's text can name.
std::string findCudaToolkit();

} // namespace fuselage
