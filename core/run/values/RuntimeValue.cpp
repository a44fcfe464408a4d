#include "core/run/values/RuntimeValue.h"

namespace fuselage {

RuntimeValue RuntimeValue::onHost(HostTensor tensor) {
  RuntimeValue value;
  mlir::Type type = tensor.type();
  value.state_ = std::make_shared<State>(State{type, std::move(tensor), nullptr});
  return value;
}

/// A tensor in memory of a buffer, which is the host's.
static HostTensor tensorIn(mlir::Type type, const DeviceBuffer &buffer) {
  std::shared_ptr<void> memory = buffer.hostMemory();
  void *data = memory.get();
  return HostTensor::wrap(type, std::move(memory), data);
}

RuntimeValue RuntimeValue::onDevice(mlir::Type type, std::shared_ptr<DeviceBuffer> buffer) {
  if (buffer && buffer->hostMemory())
    return onHost(tensorIn(type, *buffer));
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

mlir::Type sizedType(mlir::Type type, llvm::ArrayRef<int64_t> sizes) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? mlir::RankedTensorType::get(sizes, tensor.getElementType()) : type;
}

static std::vector<int64_t> sizesOf(mlir::Type type) {
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  return shaped ? shaped.getShape().vec() : std::vector<int64_t>();
}

llvm::Expected<HostTensor> fetchFrom(Device &device, mlir::Type type, const DeviceValue &value) {
  type = sizedType(type, value.shape);
  if (value.buffer->hostMemory())
    return tensorIn(type, *value.buffer);
  auto tensor = HostTensor::create(type);
  if (!tensor)
    return tensor.takeError();
  bool same = sameOnDevice(type);
  std::vector<uint8_t> packed(same ? 0 : deviceByteCount(type));
  llvm::MutableArrayRef<uint8_t> bytes = packed;
  if (same)
    bytes = tensor->as<uint8_t>();
  if (llvm::Error error = device.download(*value.buffer, bytes))
    return error;
  if (!same)
    unpackFromDevice(packed.data(), *tensor);
  return tensor;
}

llvm::Expected<HostTensor> RuntimeValue::toHost(Device *device) const {
  if (state_->host)
    return state_->host;
  auto tensor = state_->buffer && device
                    ? fetchFrom(*device, state_->type, {.buffer = state_->buffer, .shape = sizesOf(state_->type)})
                    : HostTensor::create(state_->type);
  if (!tensor)
    return tensor.takeError();
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

/// The tensor's own memory as a buffer, where the device takes that.
static std::shared_ptr<DeviceBuffer> wrapOn(Device &device, const HostTensor &tensor) {
  return device.wrap(std::shared_ptr<void>(tensor.owner(), tensor.data()), tensor.byteCount());
}

llvm::Expected<DeviceValue> putOn(Device &device, mlir::Type type, const HostTensor &tensor) {
  DeviceValue value{.shape = sizesOf(type)};
  value.buffer = tensor ? wrapOn(device, tensor) : nullptr;
  if (value.buffer)
    return value;
  auto buffer = upload(device, type, tensor);
  if (!buffer)
    return buffer.takeError();
  value.buffer = std::move(*buffer);
  return value;
}

llvm::Expected<DeviceValue> RuntimeValue::on(Device &device, Device *home) const {
  // Buffers of the host are its tensors; they are not kept, as `buffer` is of another device.
  if (device.takesHostMemory()) {
    auto tensor = toHost(home);
    if (!tensor)
      return tensor.takeError();
    return putOn(device, state_->type, *tensor);
  }
  if (!state_->buffer) {
    auto value = putOn(device, state_->type, state_->host);
    if (!value)
      return value.takeError();
    state_->buffer = value->buffer;
  }
  return DeviceValue{.buffer = state_->buffer, .shape = sizesOf(state_->type)};
}

} // namespace fuselage
