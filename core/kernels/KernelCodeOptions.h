// Which code of a dispatch is wanted, and for what.
#pragma once
#include "core/device/TargetOptions.h"
#include "core/support/Error.h"
#include <atomic>
#include <optional>

namespace fuselage {

enum class KernelForm { Spirv, Ptx, Host };
inline constexpr const char *kernelFormNames[] = {"spirv", "ptx", "host"};

struct KernelCodeOptions {
  KernelForm form = KernelForm::Spirv;
  std::string chip = "sm_90"; ///< of PTX
  bool tf32 = false;          ///< see TargetOptions
  const std::atomic<bool> *cancelled = nullptr;
  std::optional<TargetOptions> target{}; ///< of a device; else what every device of the form, or the chip, has

  void setTarget(const TargetOptions &ofDevice);
  /// For a device that need not be here: a name of KnownDevices.h, or the file of one.
  llvm::Error setKnownDevice(llvm::StringRef nameOrPath);
};

} // namespace fuselage
