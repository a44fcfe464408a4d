#include "core/device/CudaToolkit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <vector>

namespace fuselage {

std::string findCudaToolkit() {
  std::vector<std::string> folders;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (auto value = llvm::sys::Process::GetEnv(variable))
      folders.push_back(*value);
  folders.insert(folders.end(), {"/usr/local/cuda", "/opt/cuda", "/usr/lib/nvidia-cuda-toolkit", "/usr/lib/cuda"});
  for (const std::string &folder : folders)
    if (folder.find('"') == std::string::npos && llvm::sys::fs::exists(folder + "/nvvm/libdevice/libdevice.10.bc"))
      return folder;
  return "";
}

} // namespace fuselage
