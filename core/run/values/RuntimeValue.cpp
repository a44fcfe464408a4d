#include "core/run/values/RuntimeValue.h"

namespace fuselage {

RuntimeValue RuntimeValue::onHost(HostTensor tensor) {
  RuntimeValue value;
  mlir::Type type = tensor.type();
  value.state_ = std::make_shared<State>(State{type, std::move(tensor), nullptr});
  return value;
}

RuntimeValue RuntimeValue::onDevice(mlir::Type type, std::shared_ptr<DeviceBuffer> buffer) {
  RuntimeValue value;
  value.state_ = std::make_shared<State>(State{type, HostTensor(), std::move(buffer)});
  return value;
}

RuntimeValue RuntimeValue::unspecified(mlir::Type type) { return onDevice(type, nullptr); }

RuntimeValue RuntimeValue::reshaped(mlir::Type type) const {
  RuntimeValue value;
  HostTensor host = state_->host ? state_->host.reinterpret(type) : HostTensor();
  value.state_ = std::make_shared<State>(State{type, std::move(host), state_->buffer});
  return value;
}

llvm::Expected<HostTensor> RuntimeValue::toHost(Device *device) const {
  if (state_->host)
    return state_->host;
  auto tensor = HostTensor::create(state_->type);
  if (!tensor)
    return tensor.takeError();
  if (state_->buffer && device) {
    bool same = sameOnDevice(state_->type);
    std::vector<uint8_t> packed(same ? 0 : deviceByteCount(state_->type));
    llvm::MutableArrayRef<uint8_t> bytes = packed;
    if (same)
      bytes = tensor->as<uint8_t>();
    if (llvm::Error error = device->download(*state_->buffer, bytes))
      return error;
    if (!same)
      unpackFromDevice(packed.data(), *tensor);
  }
  state_->host = *tensor;
  return *tensor;
}

/// Allocates a buffer for a value of this type and fills it. What nobody has specified is zero: a kernel that writes
/// into a part of it hands on the rest, in which chance would be compared with chance.
static llvm::Expected<std::shared_ptr<DeviceBuffer>> upload(Device &device, mlir::Type type, const HostTensor &host) {
  auto allocated = device.allocate(deviceByteCount(type));
  if (!allocated)
    return allocated.takeError();
  std::shared_ptr<DeviceBuffer> buffer = std::move(*allocated);
  std::vector<uint8_t> packed;
  llvm::ArrayRef<uint8_t> bytes;
  if (host && sameOnDevice(type)) {
    bytes = host.as<uint8_t>();
  } else {
    packed.resize(deviceByteCount(type));
    if (host)
      packForDevice(host, packed.data());
    bytes = packed;
  }
  if (llvm::Error error = device.upload(*buffer, bytes))
    return error;
  return buffer;
}

llvm::Expected<std::shared_ptr<DeviceBuffer>> RuntimeValue::toDevice(Device &device) const {
  if (state_->buffer)
    return state_->buffer;
  auto buffer = upload(device, state_->type, state_->host);
  if (buffer)
    state_->buffer = *buffer;
  return buffer;
}

llvm::Expected<std::shared_ptr<DeviceBuffer>> RuntimeValue::copyToDevice(Device &device) const {
  auto host = toHost(&device);
  if (!host)
    return host.takeError();
  return upload(device, state_->type, *host);
}

} // namespace fuselage
