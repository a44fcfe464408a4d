// A value of the running program: in host memory, on the device, or both.
#pragma once
#include "core/runtime/device/Device.h"

namespace fuselage {

/// A static tensor or a scalar. Copies of the object are the same value: what one of them moves to
/// the device is there for all. Values never change; memory goes when the last copy does.
class RuntimeValue {
public:
  RuntimeValue() = default;
  static RuntimeValue onHost(HostTensor tensor);
  static RuntimeValue onDevice(mlir::Type type, std::shared_ptr<DeviceBuffer> buffer);
  /// tensor.empty: nobody may depend on what it holds.
  static RuntimeValue unspecified(mlir::Type type);

  explicit operator bool() const { return state_ != nullptr; }
  mlir::Type type() const { return state_->type; }
  /// The same elements in the same order under another shape.
  RuntimeValue reshaped(mlir::Type type) const;

  /// Fetches it from `device` if need be (null: it is on the host).
  llvm::Expected<HostTensor> toHost(Device *device) const;
  /// Puts it there if need be.
  llvm::Expected<std::shared_ptr<DeviceBuffer>> toDevice(Device &device) const;
  /// Another buffer with the same content, which this value knows nothing of.
  llvm::Expected<std::shared_ptr<DeviceBuffer>> copyToDevice(Device &device) const;

private:
  struct State {
    mlir::Type type;
    HostTensor host;
    std::shared_ptr<DeviceBuffer> buffer;
  };
  std::shared_ptr<State> state_;
};

} // namespace fuselage
