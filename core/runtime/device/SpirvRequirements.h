// What a SPIR-V module asks of a device, read from its words.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuselage {

/// CooperativeMatrixKHR.
inline constexpr unsigned kCooperativeMatrixCapability = 6022;

/// The numbers of a module's OpCapability instructions, in order. Empty for anything that is not
/// SPIR-V.
std::vector<unsigned> spirvCapabilities(std::string_view binary);
/// True if the module defines a compute entry point of that name.
bool spirvHasEntry(std::string_view binary, std::string_view entry);
/// Number of storage buffers of descriptor set 0: its highest binding plus one.
uint64_t spirvBindingCount(std::string_view binary);
/// A texel buffer of descriptor set 0: its binding, and the number of SPIR-V's ImageFormat (1: Rgba32f, 3: R32f, ..).
struct SpirvTexelBuffer {
  unsigned binding, format;
};
std::vector<SpirvTexelBuffer> spirvTexelBuffers(std::string_view binary);
/// "Float64", or "capability 4427".
std::string spirvCapabilityName(unsigned capability);

} // namespace fuselage
