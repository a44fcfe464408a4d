#include "core/device/CudaToolkit.h"
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace fuselage {

std::string findCudaToolkit() {
  std::vector<std::string> folders;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (const char *value = std::getenv(variable))
      folders.push_back(value);
  folders.insert(folders.end(), {"/usr/local/cuda", "/opt/cuda", "/usr/lib/nvidia-cuda-toolkit", "/usr/lib/cuda"});
  std::error_code ignored;
  for (const std::string &folder : folders)
    if (folder.find('"') == std::string::npos &&
        std::filesystem::exists(folder + "/nvvm/libdevice/libdevice.10.bc", ignored))
      return folder;
  return "";
}

} // namespace fuselage
