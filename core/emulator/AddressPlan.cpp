#include "core/emulator/AddressPlan.h"
#include "core/emulator/lanes/NarrowFloat.h"
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {

AddressPlan::AddressPlan(Decoder &decoder, Operation *op, Value buffer, ValueRange indices, unsigned width)
    : op_(op), form_(*formOf(cast<MemRefType>(buffer.getType()).getElementType())), width_(width),
      site_(decoder.sites.add(op)) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  elementBytes_ = form_.bytes * elementCount(element).value_or(1);
  BufferParts parts = decoder.partsOf(buffer);
  number_ = parts.number;
  sizes_ = ElementIds(parts.sizes);
  strides_ = ElementIds(parts.strides);
  if (!number_.isUniform)
    decoder.needLanes(number_);
  for (Value index : indices)
    indices_.push_back(decoder.elementOf(index));
  ElementId one = decoder.constant(1);
  addTerm(decoder, parts.shift, one, 1);
  addTerm(decoder, parts.offset, one, elementBytes_);
  for (size_t i = 0; i < indices_.size(); ++i)
    addTerm(decoder, indices_[i], strides_[i], elementBytes_);
}

void AddressPlan::addTerm(Decoder &decoder, ElementId value, ElementId factor, int64_t bytes) {
  auto knownValue = decoder.constantOf(value), knownFactor = decoder.constantOf(factor);
  if (knownFactor)
    bytes = int64_t(uint64_t(bytes) * *knownFactor);
  if (knownValue && knownFactor) {
    base_ = int64_t(uint64_t(base_) + *knownValue * uint64_t(bytes));
    return;
  }
  bool isUniform = value.isUniform && factor.isUniform;
  if (!isUniform)
    decoder.needLanes({value, factor});
  (isUniform ? uniform_ : varying_).push_back({value, factor, bytes, !knownFactor});
}

int64_t AddressPlan::strideBytes(Machine &machine, unsigned dimension) const {
  return int64_t(machine.uniform(strides_[dimension])) * elementBytes_;
}

void AddressPlan::compute(Machine &machine) const {
  auto base = uint64_t(base_);
  for (const Term &term : uniform_)
    base += machine.uniform(term.value) * uint64_t(term.constant) * (term.hasFactor ? machine.uniform(term.factor) : 1);
  unsigned begin = machine.mask().begin, end = machine.mask().end;
  auto *addresses = reinterpret_cast<uint64_t *>(machine.addresses.data());
  std::fill(addresses + begin, addresses + end, base);
  for (const Term &term : varying_) {
    const uint64_t *value = machine.word(term.value), *factor = machine.word(term.factor);
    auto constant = uint64_t(term.constant);
    if (term.hasFactor)
      for (unsigned lane = begin; lane < end; ++lane)
        addresses[lane] += value[lane] * factor[lane] * constant;
    else
      for (unsigned lane = begin; lane < end; ++lane)
        addresses[lane] += value[lane] * constant;
  }
}

void AddressPlan::checkView(Machine &machine) const {
  const Mask &mask = machine.mask();
  for (size_t i = 0; i < indices_.size(); ++i) {
    unsigned width = i + 1 == indices_.size() ? width_ : 1;
    const uint64_t *index = machine.word(indices_[i]), *size = machine.word(sizes_[i]);
    bool isUniformIndex = indices_[i].isUniform, isUniformSize = sizes_[i].isUniform;
    auto isOutside = [&](unsigned lane) {
      uint64_t at = index[isUniformIndex ? 0 : lane], limit = size[isUniformSize ? 0 : lane];
      return at >= limit || limit - at < width;
    };
    bool isAnyOutside = false;
    if (isUniformIndex && isUniformSize)
      isAnyOutside = isOutside(0);
    else
      for (unsigned lane = mask.begin; lane < mask.end; ++lane)
        isAnyOutside |= isOutside(lane);
    if (!isAnyOutside)
      continue;
    for (unsigned lane = mask.begin; lane < mask.end; ++lane) {
      if (!mask.active[lane] || !isOutside(lane))
        continue;
      Buffer &buffer = bufferOf(machine, lane);
      int64_t address = machine.addresses[lane];
      if (address >= 0 && uint64_t(address) < buffer.bytes) // else resolve() reports it
        machine.races.report(FindingKind::OutOfView, op_, lane,
                             "index " + std::to_string(int64_t(index[isUniformIndex ? 0 : lane])) +
                                 (width > 1 ? " and the " + std::to_string(width - 1) + " after it" : "") +
                                 " in dimension " + std::to_string(i) + ", which has " +
                                 std::to_string(int64_t(size[isUniformSize ? 0 : lane])) + " elements",
                             &buffer, buffer.indexOf(uint64_t(address)));
      break;
    }
  }
}

std::optional<uint64_t> AddressPlan::resolve(Machine &machine, Buffer &buffer, int64_t address, unsigned bytes,
                                             unsigned lane) const {
  if (address >= 0 && uint64_t(address) <= buffer.bytes && buffer.bytes - uint64_t(address) >= bytes && !buffer.isFreed)
    return buffer.kind == Buffer::Kind::Private ? uint64_t(address) + lane * buffer.bytes : uint64_t(address);
  machine.races.report(FindingKind::OutOfBounds, op_, lane,
                       buffer.isFreed ? "the buffer is freed"
                                      : std::to_string(bytes) + " bytes at byte " + std::to_string(address) + " of " +
                                            std::to_string(buffer.bytes),
                       &buffer);
  return std::nullopt;
}

template <class T> static T readAs(const uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// `convert` makes what a lane holds out of what is in memory.
template <class T, class To, class Convert>
static void loadAs(Machine &machine, To *to, unsigned offset, Convert convert) {
  const Mask &mask = machine.mask();
  for (unsigned lane = mask.begin; lane < mask.end; ++lane)
    to[lane] = convert(readAs<T>(machine.places[lane] + offset));
}

void loadLanes(Machine &machine, const ElementForm &form, ElementId element, unsigned offset) {
  using Kind = ElementForm::Kind;
  auto same = [](auto value) { return value; };
  auto words = [mask = form.mask()](auto value) { return uint64_t(value) & mask; };
  float *singles = form.isWide() ? nullptr : machine.single(element);
  uint64_t *wide = form.isWide() ? machine.word(element) : nullptr;
  switch (form.kind) {
  case Kind::F64:
    return loadAs<uint64_t>(machine, wide, offset, same);
  case Kind::F32:
    return loadAs<float>(machine, singles, offset, same);
  case Kind::F16:
    return loadAs<uint16_t>(machine, singles, offset, fromF16);
  case Kind::BF16:
    return loadAs<uint16_t>(machine, singles, offset, fromBf16);
  case Kind::Narrow:
    return form.bytes == 1 ? loadAs<uint8_t>(machine, singles, offset,
                                             [&](uint8_t bits) { return fromNarrow(bits, *form.semantics); })
                           : loadAs<uint32_t>(machine, singles, offset,
                                              [&](uint32_t bits) { return fromNarrow(bits, *form.semantics); });
  case Kind::Integer:
    break;
  }
  if (form.bytes == 1)
    return loadAs<uint8_t>(machine, wide, offset, words);
  if (form.bytes == 2)
    return loadAs<uint16_t>(machine, wide, offset, words);
  if (form.bytes == 4)
    return loadAs<uint32_t>(machine, wide, offset, words);
  loadAs<uint64_t>(machine, wide, offset, words);
}

uint64_t laneBits(Machine &machine, const ElementForm &form, ElementId element, unsigned lane) {
  using Kind = ElementForm::Kind;
  float number = form.isWide() ? 0 : machine.single(element)[lane];
  switch (form.kind) {
  case Kind::F64:
  case Kind::Integer:
    return machine.word(element)[lane];
  case Kind::F32:
    return llvm::bit_cast<uint32_t>(number);
  case Kind::F16:
    return bitsOfF16(number);
  case Kind::BF16:
    return bitsOfBf16(number);
  case Kind::Narrow:
    return bitsOfNarrow(number, *form.semantics);
  }
  return 0;
}

static float singleOf(const ElementForm &form, uint64_t bits) {
  using Kind = ElementForm::Kind;
  return form.kind == Kind::F16      ? fromF16(uint16_t(bits))
         : form.kind == Kind::BF16   ? fromBf16(uint16_t(bits))
         : form.kind == Kind::Narrow ? fromNarrow(uint32_t(bits), *form.semantics)
                                     : llvm::bit_cast<float>(uint32_t(bits));
}

void setLaneBits(Machine &machine, const ElementForm &form, ElementId element, unsigned lane, uint64_t bits) {
  if (form.isWide())
    machine.word(element)[lane] = bits & form.mask();
  else
    machine.single(element)[lane] = singleOf(form, bits);
}

ElementId Decoder::constantFromMemory(const ElementForm &form, const uint8_t *bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, form.bytes);
  return form.isWide() ? constant(bits & form.mask()) : constant(llvm::bit_cast<uint32_t>(singleOf(form, bits)), false);
}

void storeLane(Machine &machine, const ElementForm &form, ElementId element, unsigned lane, uint8_t *to) {
  uint64_t bits = laneBits(machine, form, element, lane);
  std::memcpy(to, &bits, form.bytes);
}

} // namespace fuselage::emulator
