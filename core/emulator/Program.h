// A kernel as the emulator runs it: decoded once, with every value in arrays of lanes.
#pragma once
#include "core/emulator/Memory.h"
#include "mlir/IR/Operation.h"
#include <deque>
#include <memory>
#include <vector>

namespace fuselage::emulator {

class Machine;

/// One element of a value: an array with a lane for each thread. Vectors are several, and buffers, which are their
/// number, a shift in bytes, an offset in elements, sizes and strides.
struct ElementId {
  uint32_t index = 0;
  bool isWide = true;     ///< 8 bytes a lane
  bool isUniform = false; ///< the same in all threads: lane 0 has it, others where somebody reads them
};
using ElementIds = llvm::SmallVector<ElementId, 1>;

class Instruction {
public:
  virtual ~Instruction() = default;
  virtual void run(Machine &machine) const = 0;

  mlir::Operation *op = nullptr;
  bool isUniform = false;   ///< computes lane 0 alone
  bool isBroadcast = false; ///< and puts that into all lanes
  unsigned weight = 1;      ///< what a lane of it costs, about a nanosecond each
};

/// The instructions of a block.
struct Code {
  std::vector<const Instruction *> instructions{};
  uint64_t weight = 1; ///< of a lane
};

struct Constant {
  ElementId element;
  uint64_t bits; ///< of the word, double or float
};

/// Memory that is there once for each workgroup, or each thread.
struct AllocationSite {
  ElementId number; ///< holds the buffer's number
  Buffer::Kind kind;
  mlir::MemRefType type;
  uint64_t bytes;
  unsigned elementBytes, granule;
  std::string name;
  bool isDynamic = false; ///< as large as the launch says
  std::string initial{};  ///< bytes that it is filled with, again and again; empty: with nothing
};

/// What a launch gives to its threads.
enum class LaunchValue {
  BlockId,
  ThreadId,
  GridDim,
  BlockDim,
  GlobalId,
  LaneId,
  SubgroupId,
  SubgroupCount,
  SubgroupSize,
  DynamicBytes
};
struct LaunchInput {
  LaunchValue value;
  unsigned dimension;
  ElementId element;
};

struct Program {
  std::deque<std::unique_ptr<Instruction>> instructions{};
  std::deque<Code> codes{};
  const Code *entry = nullptr;
  uint32_t singles = 0, words = 0; ///< arrays of either kind
  std::vector<Constant> constants{};
  std::vector<AllocationSite> allocations{};
  std::vector<LaunchInput> inputs{};
  std::vector<std::pair<ElementId, ElementId>> imports{}; ///< from the program around it
  std::vector<mlir::Value> writtenRoots{};                ///< what is written, where it lies outside
  bool writesAnything = false;                            ///< something is written that nobody could trace
};

} // namespace fuselage::emulator
