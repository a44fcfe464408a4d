// What a device can do, in one place: every choice of tile, thread, vector and memory follows this.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace fuselage {

/// Discrete: memory of its own. Integrated: the host's memory. Software: a processor that poses as a GPU, or is the
/// host; there "workgroup memory" is a cache line like any other, and a barrier changes coroutines.
enum class DeviceKind { Discrete, Integrated, Software };
inline constexpr const char *deviceKindNames[] = {"discrete", "integrated", "software"};

/// A value and where it came from. Without a source nobody knows it, and the value is the least to be relied on.
template <class T> struct Stated {
  T value{};
  std::string source{};
  bool isKnown() const { return !source.empty(); }
};

/// Sizes are bytes, registers have 32 bits, a unit is a streaming multiprocessor, a workgroup processor, an Xe core or
/// a processor core.
struct DeviceModel {
  std::string name;
  Stated<DeviceKind> kind;
  Stated<std::string> language{"spirv"}; ///< "spirv", "ptx" or "host"
  Stated<std::string> chip;              ///< "sm_90", "znver4"
  Stated<int64_t> subgroupSize{32};
  Stated<std::vector<std::string>> subgroupOperations; ///< "arithmetic", "shuffle", ..
  Stated<int64_t> maxThreads{256};                     ///< of a workgroup
  Stated<int64_t> workgroupBytes{32 * 1024};           ///< memory of one workgroup
  Stated<int64_t> workgroupBytesOptIn{0};              ///< what it has where it asks for more (CUDA)
  Stated<int64_t> unitWorkgroupBytes{0};               ///< of all workgroups of a unit together
  Stated<int64_t> registersPerUnit{0};
  Stated<int64_t> registersPerThread{0};
  Stated<int64_t> threadsPerUnit{0};
  Stated<int64_t> computeUnits{0};
  Stated<std::vector<std::string>> matrixShapes; ///< "m16n8k16 f16"
  Stated<int64_t> cacheLineBytes{64};
  Stated<int64_t> firstCacheBytes{0};  ///< of a unit
  Stated<int64_t> secondCacheBytes{0}; ///< of a unit
  Stated<int64_t> lastCacheBytes{0};
  Stated<double> bandwidth{0};      ///< of memory, in 10^9 bytes a second
  Stated<double> peakF32{0};        ///< 10^9 operations a second outside of matrix units
  Stated<double> peakF16Matrix{0};  ///< the same of matrix units, dense
  Stated<int64_t> maxLoopRounds{0}; ///< of a thread in all its loops; 0: no limit
  /// Vectors of f16 are multiplied and added as such, and need not become f32 for it.
  Stated<bool> computesHalves{false};
  /// Buffers that are only read come faster through texel views than through storage buffers.
  Stated<bool> readsThroughTexels{false};

  bool isSoftware() const { return kind.value == DeviceKind::Software; }
  /// Workgroup memory that a kernel may count on.
  int64_t usableWorkgroupBytes() const {
    return workgroupBytesOptIn.value > workgroupBytes.value ? workgroupBytesOptIn.value : workgroupBytes.value;
  }

  /// visit(key, value, unit) for every value, in the order of reading.
  template <class Self, class Visitor> static void fields(Self &self, Visitor &&visit) {
    visit("kind", self.kind, "");
    visit("language", self.language, "");
    visit("chip", self.chip, "");
    visit("subgroup_size", self.subgroupSize, "threads");
    visit("subgroup_operations", self.subgroupOperations, "");
    visit("max_threads", self.maxThreads, "threads");
    visit("workgroup_bytes", self.workgroupBytes, "bytes");
    visit("workgroup_bytes_opt_in", self.workgroupBytesOptIn, "bytes");
    visit("unit_workgroup_bytes", self.unitWorkgroupBytes, "bytes");
    visit("registers_per_unit", self.registersPerUnit, "of 32 bits");
    visit("registers_per_thread", self.registersPerThread, "of 32 bits");
    visit("threads_per_unit", self.threadsPerUnit, "threads");
    visit("compute_units", self.computeUnits, "");
    visit("matrix_shapes", self.matrixShapes, "");
    visit("cache_line_bytes", self.cacheLineBytes, "bytes");
    visit("first_cache_bytes", self.firstCacheBytes, "bytes");
    visit("second_cache_bytes", self.secondCacheBytes, "bytes");
    visit("last_cache_bytes", self.lastCacheBytes, "bytes");
    visit("bandwidth_gb_s", self.bandwidth, "GB/s");
    visit("peak_f32_gflop_s", self.peakF32, "GFLOP/s");
    visit("peak_f16_matrix_gflop_s", self.peakF16Matrix, "GFLOP/s");
    visit("max_loop_rounds", self.maxLoopRounds, "rounds");
    visit("computes_halves", self.computesHalves, "");
    visit("reads_through_texels", self.readsThroughTexels, "");
  }
};

/// A value as it is shown: "workgroup bytes", "49152 bytes", and where it is from.
struct DeviceFact {
  std::string key, value, source;
};
/// What is known, in the order of the fields.
std::vector<DeviceFact> factsOf(const DeviceModel &model);

/// The known values, a line each: name, value with its unit, source. Indented by `indent` blanks.
std::string describeDeviceModel(const DeviceModel &model, unsigned indent);

} // namespace fuselage
