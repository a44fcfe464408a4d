// A mesh of devices: named axes with sizes, and the device at each place.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

struct MeshAxis {
  std::string name;
  int64_t size = 1;
};

/// Places are numbered in row-major order: the last axis runs fastest.
struct DeviceMesh {
  /// More devices than that are refused, so that a damaged file takes no memory.
  static constexpr int64_t maxDevices = 1 << 16;

  std::string name; ///< of the symbol, without '@'; empty: it is written where it is used, or derived
  std::vector<MeshAxis> axes;
  std::vector<int64_t> deviceIds{}; ///< by place; empty: the numbers of the places

  /// How many places there are; 1 without axes. Only of a mesh that checkMesh() takes.
  int64_t count() const;
  int64_t deviceAt(int64_t place) const { return deviceIds.empty() ? place : deviceIds[place]; }
  /// Where a place is along an axis.
  int64_t coordinate(int64_t place, unsigned axis) const;
  std::optional<unsigned> axisNamed(llvm::StringRef name) const;
  /// "data=2 x model=4"
  std::string str() const;
};

/// Why a mesh makes no sense, as a sentence without a full stop; empty if it does.
std::string checkMesh(const DeviceMesh &mesh);

} // namespace fuselage
