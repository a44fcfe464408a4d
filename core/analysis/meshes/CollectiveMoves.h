// Past which elementwise ops a collective may be moved without changing what the program computes.
#pragma once
#include "core/analysis/meshes/SameOnDevices.h"

namespace fuselage {

/// Moving a collective past the elementwise op that computes what it sends, or that reads what it gives.
struct CollectiveMove {
  mlir::Operation *collective = nullptr;
  mlir::Operation *past = nullptr;
  bool isDown = true; ///< after the op that reads its result; false: before the op that computes what it sends
  bool isAllowed = false;
  bool isExact = true; ///< of an allowed one: bit for bit; false: floats are rounded in another order
  std::string why{};   ///< a sentence: what must be true of it and is, or what is not
  /// The ops that have nothing between them then.
  mlir::Operation *producer = nullptr, *consumer = nullptr;
  int64_t bytes = -1; ///< through memory, that fusing these saves; -1: not known; of whole tensors in `sdy`
  int64_t sent = -1;  ///< bytes that the collective has before it is moved, and then
  int64_t sentThen = -1;
};

/// Finds moves of the collectives of one module.
class CollectiveMoves {
public:
  explicit CollectiveMoves(mlir::ModuleOp module)
      : shardings_(readShardings(module)), devices_(deviceCount(module, shardings_)),
        isMixed_(hasReplicasAndPartitions(module)), same_(shardings_, devices_) {}
  CollectiveMoves(const CollectiveMoves &) = delete;
  CollectiveMoves &operator=(const CollectiveMoves &) = delete;

  const ModuleShardings &shardings() const { return shardings_; }
  int64_t devices() const { return devices_; }

  /// At most two: down, and up. Those where there is no elementwise op beside it are left out.
  ///
  /// All-gather, all-slice, all-to-all, permute and broadcast only move elements: they may be moved past any
  /// elementwise op whose other inputs are the same on all devices that exchange data, and along the dimensions that
  /// they change. An all-reduce or reduce-scatter that adds may be moved past ops that are linear in the value; one
  /// that takes the maximum or minimum, past ops that never fall when the value rises.
  llvm::SmallVector<CollectiveMove, 2> find(const Collective &collective) const;

private:
  ModuleShardings shardings_;
  int64_t devices_;
  bool isMixed_; ///< groups may number replicas, partitions, or both together
  SameOnDevices same_;
};

/// "it may be moved after %y linalg.generic, ...": the move in words, without a full stop, where `nameOf` names ops.
std::string describeMove(const CollectiveMove &move, llvm::function_ref<std::string(mlir::Operation *)> nameOf);

} // namespace fuselage
