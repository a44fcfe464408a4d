#include "core/emulator/Memory.h"
#include "llvm/Support/MathExtras.h"
#include <new>

using namespace mlir;

namespace fuselage::emulator {

Shadow::Shadow(uint64_t bytes, unsigned granule)
    : shift_(llvm::Log2_32(granule)), pages_((bytes >> shift_) / pageSize + 1) {}

std::vector<int64_t> Buffer::indexOf(uint64_t byte) const {
  std::vector<int64_t> index;
  if (kind == Kind::Private && bytes != 0)
    byte %= bytes;
  if (!type || !type.hasStaticShape() || elementBytes == 0)
    return {int64_t(byte / std::max(elementBytes, 1u))};
  auto element = int64_t(byte / elementBytes);
  for (int64_t size : llvm::reverse(type.getShape())) {
    index.insert(index.begin(), size > 0 ? element % size : 0);
    element = size > 0 ? element / size : 0;
  }
  if (!index.empty())
    index[0] += element * type.getDimSize(0);
  return index;
}

Buffer *Memory::create(Buffer::Kind kind, std::string name, MemRefType type, uint64_t bytes, unsigned elementBytes,
                       unsigned granule, uint64_t copies, uint8_t *data) {
  uint64_t all = llvm::SaturatingMultiply(bytes, copies);
  uint64_t shadows = llvm::SaturatingMultiply<uint64_t>(all / granule + 1, sizeof(ShadowEntry));
  uint64_t cost = llvm::SaturatingAdd(all, kind == Buffer::Kind::Global ? all / 16 : shadows);
  if (cost > left_)
    return nullptr;
  auto buffer = std::make_unique<Buffer>();
  buffer->kind = kind;
  buffer->name = std::move(name);
  buffer->type = type;
  buffer->bytes = bytes;
  buffer->elementBytes = elementBytes;
  buffer->data = data;
  if (!data) {
    buffer->owned.reset(new (std::nothrow) uint8_t[all + 16]());
    if (!buffer->owned)
      return nullptr;
    buffer->data = buffer->owned.get();
  }
  buffer->shadow = std::make_unique<Shadow>(all, granule);
  left_ -= cost;
  buffers_.push_back(std::move(buffer));
  costs_.push_back(cost);
  return buffers_.back().get();
}

void Memory::shrink(uint64_t count) {
  while (buffers_.size() > count) {
    left_ += costs_.back();
    costs_.pop_back();
    buffers_.pop_back();
  }
}

} // namespace fuselage::emulator
