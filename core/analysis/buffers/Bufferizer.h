// Bufferizes a copy of a module, and tells of every operand what became of it and why.
#pragma once
#include "core/analysis/buffers/BufferReason.h"
#include "core/ir/module/PrintedModule.h"
#include "core/protocol/Buffers.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// An operand by op; -1: there is none.
using OperandPlace = message::BufferPlace<>;

/// The three ops of a conflict. Of a write to what is read-only, there is no read, and the definition is
/// what must not be written.
using ConflictPlaces = message::BufferConflict<>;

/// What One-Shot Bufferize decided about a tensor operand.
struct OperandDecision {
  OperandPlace place;
  bool inPlace = true, reads = false, writes = false;
  BufferReason reason = BufferReason::None; ///< None: in place
  ConflictPlaces conflict;
  OpId copyTag = -1; ///< what its copy is tagged with in the bufferized module; -1: it needs none
};

/// What could not be bufferized.
using BufferProblem = message::BufferProblem<>;

struct Bufferization {
  /// The copy of the module after bufferization; its ops are tagged by OpTags.h with the ops of the
  /// module, and what was made for out-of-place operands with tags in [firstCopyTag, endCopyTag).
  mlir::OwningOpRef<mlir::ModuleOp> module;
  OpId firstCopyTag = 0, endCopyTag = 0;
  std::vector<OperandDecision> decisions; ///< in the order of the module's text
  std::vector<BufferProblem> problems;
  bool isComplete = false; ///< `module` is bufferized, but for functions in `problems`
};

/// Whether there is anything to bufferize.
bool hasTensors(mlir::ModuleOp module);

/// `eliminateEmpty`: with eliminate-empty-tensors in front, as the default pipeline does. Nested modules
/// are bufferized each on its own. Functions that One-Shot Bufferize refuses become declarations in the
/// copy, so that the others can be told about. Upstream's code runs here, on IR that it may never have
/// seen: reportBuffers tries it in another process first.
Bufferization bufferizeCopy(mlir::ModuleOp module, bool eliminateEmpty);

/// What the analysis decides on the module as it stands, without preparation: in the copy, what is written out of place
/// is copied by bufferization.alloc_tensor, and nothing is bufferized. Functions in nested modules are left out. Every
/// call has to find its function.
Bufferization analyzeCopy(mlir::ModuleOp module);

} // namespace fuselage
