// The bufferization report as plain data: for the command line, and as a message for clients.
#pragma once
#include "core/analysis/buffers/Bufferizer.h"
#include "core/analysis/buffers/KnownSizes.h"
#include "core/protocol/Buffers.h"
#include "core/support/Error.h"
#include "core/support/ForkedCopy.h"
#include "llvm/ADT/DenseMap.h"
#include <atomic>
#include <map>

namespace fuselage {

/// An op that the report speaks of.
struct BufferOpReport {
  std::string name;     ///< "linalg.matmul"
  std::string function; ///< that it is in
  std::string loc;      ///< "file:line:col", or empty
  std::string layer{};  ///< that it lies in; empty: in none, or nobody said
};

using BufferBytes = message::BufferBytes<>;
using BufferPeakReport = message::BufferPeak<>;
using BufferGroupReport = message::BufferGroup<>;

/// A buffer that the module makes, or that bufferization makes for it. Of a module on tensors, `first`
/// and `last` are the ops on tensors whose bufferized forms make and use it last.
struct BufferReport {
  OpId op = -1;      ///< that it is made for; of an argument the function
  int operand = -1;  ///< of a copy: the operand that it stands in for
  int argument = -1; ///< of an argument or attribution
  /// "copy" (its contents come from another buffer), "alloc", "stack", "attribution", "call result",
  /// "carried" or "argument"
  std::string kind;
  BufferReason reason = BufferReason::None;
  std::string function, type, space;
  BufferBytes size;
  OpId first = -1, last = -1; ///< inclusive, in program order
  bool isFreed = false, escapes = false;
  int group = -1; ///< index into BuffersReport::groups
};

struct BufferOperandReport {
  OperandDecision decision;
  std::string value, type; ///< "%3", "tensor<4x8xf32>"
  int buffer = -1;         ///< index into buffers: its copy, or new buffer
  int group = -1;          ///< index into BuffersReport::groups
};

/// Data that an op moves between buffers, as insert_slice does.
struct BufferMoveReport {
  OpId op = -1;
  OpId reader = -1,
       writer = -1; ///< of a copy that the program asks for: who reads it first, who overwrites it or its source
  std::string source{}, destination{}; ///< of such a copy: "%t"
  BufferReason reason = BufferReason::DataMovement;
  BufferBytes size;
  /// False: source and destination turn out to be the same, and clean-up drops it.
  bool remains = true;
  int group = -1; ///< index into BuffersReport::groups
};

struct BuffersReport {
  bool hasTensors = false;
  bool isComplete = true;                    ///< all of it could be bufferized
  std::vector<BufferOperandReport> operands; ///< in program order
  std::vector<BufferReport> buffers;         ///< by function, in program order
  std::vector<BufferMoveReport> moves;
  std::vector<BufferGroupReport> groups; ///< of all operands, buffers and moves; what takes most comes first
  std::vector<BufferPeakReport> peaks;   ///< by function and memory space
  std::vector<BufferProblem> problems;
  /// Empty tensors of the module that need no buffer: what is written to them is written where it goes.
  std::vector<OpId> eliminated;
  ArgumentSizes sizes;                ///< the dynamic sizes that were given and used
  std::map<OpId, BufferOpReport> ops; ///< all that the above name

  /// By memory space the largest of all functions.
  message::BufferPeaks<> largestPeaks() const;
  /// Bytes that copies and moves write, each once.
  BufferBytes copiedBytes() const;
};

struct BuffersOptions {
  std::string function;      ///< only what is in it; empty: everything
  ArgumentSizes sizes;       ///< of dynamic dimensions, of the arguments of `sizedFunction`
  std::string sizedFunction; ///< empty: the first public one
  bool keepEmpty = false;    ///< without eliminate-empty-tensors, which the default pipeline runs first
  bool peaksOnly = false;    ///< leaves all else empty
  unsigned seconds = 30;     ///< of processor time that it may take
  const std::atomic<bool> *cancelled = nullptr; ///< once true, the report ends, but for what upstream is at
};

/// What bufferizing a module may use up. What upstream needs in between is not bounded by what the module holds.
TrialLimits bufferizationLimits(unsigned seconds);
/// What is said of a process that died of it, around how it died.
inline constexpr llvm::StringLiteral kBufferizing = "bufferizing this module";
inline constexpr llvm::StringLiteral kBufferizingAdvice = "try it on a part of the module to see which op it is";

/// Reports on a module on tensors (as the default pipeline would bufferize it as it stands), on memrefs,
/// or on both. `module` is left as it is. What kills upstream does so in a copy of the process, which bufferizes first;
/// an expendable process (Expendable.h) does without. Failure: no such function; bufferization crashes on the module or
/// takes too long; it was cancelled.
llvm::Expected<BuffersReport> reportBuffers(mlir::ModuleOp module, const BuffersOptions &options);

/// Lists the groups of a report, what takes most first, and numbers its operands, buffers and moves by them. `ops`:
/// those of the module, by OpId, which must not change meanwhile.
void groupBuffers(BuffersReport &report, llvm::ArrayRef<mlir::Operation *> ops);

/// Says of the ops that a report names which layer they lie in, as the graph calls it (LayerNames).
void nameLayers(BuffersReport &report, llvm::function_ref<std::string(OpId)> layerOf);

/// The report as clients see it, ops with their line (from 0) by `lineOf`, where it is given.
message::BuffersReport<> messageOf(const BuffersReport &report, llvm::function_ref<int64_t(OpId)> lineOf = nullptr);

/// As a compiler would say it: every copy with its conflict, then other buffers, lifetimes and peaks; if `flat` each
/// for itself, else those of a group as one. `placeOf`: where an op stands in the text that the user sees.
std::string formatBuffers(const BuffersReport &report, llvm::function_ref<Diagnostic(OpId)> placeOf, bool flat = false);

/// "4.0 KiB", "at least 4.0 KiB", "unknown".
std::string formatBytes(const BufferBytes &size);

} // namespace fuselage
