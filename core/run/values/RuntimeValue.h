// A value of the running program: in host memory, on the device, or both.
#pragma once
#include "core/run/values/HostTensor.h"
#include "core/runtime/device/Device.h"
#include "core/support/ResultErrors.h"

namespace fuselage {

/// A static tensor or a scalar. Copies of the object are the same value: what one of them moves to
/// the device is there for all. Values never change; memory goes when the last copy does.
class RuntimeValue {
public:
  RuntimeValue() = default;
  static RuntimeValue onHost(HostTensor tensor);
  /// What an executable gave, of a type whose sizes are those of the value.
  static RuntimeValue onDevice(mlir::Type type, std::shared_ptr<DeviceBuffer> buffer);
  /// tensor.empty: nobody may depend on what it holds.
  static RuntimeValue unspecified(mlir::Type type);

  explicit operator bool() const { return state_ != nullptr; }
  mlir::Type type() const { return state_->type; }
  /// The same elements in the same order under another shape.
  RuntimeValue reshaped(mlir::Type type) const;

  /// Fetches it from `device` if need be (null: it is on the host).
  llvm::Expected<HostTensor> toHost(Device *device) const;
  /// The value as executables of `device` take it; put there from host memory, or fetched from `home`, where it was
  /// computed, if need be.
  llvm::Expected<DeviceValue> on(Device &device, Device *home) const;

private:
  struct State {
    mlir::Type type;
    HostTensor host;
    std::shared_ptr<DeviceBuffer> buffer; ///< of the device that it was computed on, or was put on
  };
  std::shared_ptr<State> state_;
};

/// A tensor of the host as executables of `device` take it.
llvm::Expected<DeviceValue> putOn(Device &device, mlir::Type type, const HostTensor &tensor);
/// What an executable of `device` gave for a result of this type; its sizes may be known only now.
llvm::Expected<HostTensor> fetchFrom(Device &device, mlir::Type type, const DeviceValue &value);
/// The type with the sizes of the value.
mlir::Type sizedType(mlir::Type type, llvm::ArrayRef<int64_t> sizes);

} // namespace fuselage
