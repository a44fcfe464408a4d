#include "core/runtime/device/SpirvRequirements.h"
#include <cstdint>
#include <cstring>
#include <map>

namespace fuselage {

// Numbers of the SPIR-V specification.
constexpr uint32_t magicNumber = 0x07230203;
constexpr unsigned opEntryPoint = 15, opCapability = 17, opTypeImage = 25, opTypePointer = 32, opVariable = 59,
                   opDecorate = 71;
constexpr uint32_t decorationBinding = 33;

/// Calls visit(opcode, operand words, their number) for each instruction; stops at a malformed one.
template <class Visit> static void forEachInstruction(std::string_view binary, const Visit &visit) {
  std::vector<uint32_t> words(binary.size() / 4);
  std::memcpy(words.data(), binary.data(), words.size() * 4);
  if (words.size() < 5 || words[0] != magicNumber)
    return;
  for (size_t at = 5; at < words.size();) {
    unsigned length = words[at] >> 16;
    if (length == 0 || at + length > words.size())
      return;
    visit(words[at] & 0xffff, words.data() + at + 1, length - 1);
    at += length;
  }
}

std::vector<unsigned> spirvCapabilities(std::string_view binary) {
  std::vector<unsigned> capabilities;
  forEachInstruction(binary, [&](unsigned opcode, const uint32_t *operands, unsigned count) {
    if (opcode == opCapability && count == 1)
      capabilities.push_back(operands[0]);
  });
  return capabilities;
}

bool spirvHasEntry(std::string_view binary, std::string_view entry) {
  bool found = false;
  forEachInstruction(binary, [&](unsigned opcode, const uint32_t *operands, unsigned count) {
    if (opcode != opEntryPoint || count < 3)
      return;
    const char *name = reinterpret_cast<const char *>(operands + 2);
    found |= entry == std::string_view(name, strnlen(name, (count - 2) * 4));
  });
  return found;
}

uint64_t spirvBindingCount(std::string_view binary) {
  uint64_t bindings = 0;
  forEachInstruction(binary, [&](unsigned opcode, const uint32_t *operands, unsigned count) {
    if (opcode == opDecorate && count == 3 && operands[1] == decorationBinding)
      bindings = std::max(bindings, uint64_t(operands[2]) + 1);
  });
  return bindings;
}

std::vector<SpirvTexelBuffer> spirvTexelBuffers(std::string_view binary) {
  std::map<uint32_t, uint32_t> bindings, formats; // of variables; of images, then of pointers to them
  std::vector<SpirvTexelBuffer> buffers;
  constexpr uint32_t dimBuffer = 5;
  forEachInstruction(binary, [&](unsigned opcode, const uint32_t *operands, unsigned count) {
    if (opcode == opDecorate && count == 3 && operands[1] == decorationBinding)
      bindings[operands[0]] = operands[2];
    else if (opcode == opTypeImage && count >= 8 && operands[2] == dimBuffer)
      formats[operands[0]] = operands[7];
    else if (opcode == opTypePointer && count == 3 && formats.count(operands[2]))
      formats[operands[0]] = formats[operands[2]];
    else if (opcode == opVariable && count >= 3 && formats.count(operands[0]) && bindings.count(operands[1]))
      buffers.push_back({bindings[operands[1]], formats[operands[0]]});
  });
  return buffers;
}

std::string spirvCapabilityName(unsigned capability) {
  switch (capability) {
  case 1:
    return "Shader";
  case 9:
    return "Float16";
  case 10:
    return "Float64";
  case 11:
    return "Int64";
  case 22:
    return "Int16";
  case 39:
    return "Int8";
  case 49:
    return "StorageImageExtendedFormats";
  case 4433:
    return "StorageBuffer16BitAccess";
  case 4448:
    return "StorageBuffer8BitAccess";
  case 4441:
    return "VariablePointersStorageBuffer";
  case 4442:
    return "VariablePointers";
  case kCooperativeMatrixCapability:
    return "CooperativeMatrixKHR";
  default:
    return "capability " + std::to_string(capability);
  }
}

} // namespace fuselage
