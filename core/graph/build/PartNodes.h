// The nodes of parts, made in two stages: what ops say by themselves, then what the text says of them. Internal to
// core/graph.
#pragma once
#include "core/graph/build/OpNodes.h"
#include "core/graph/build/PlannedParts.h"
#include <atomic>

namespace fuselage {

/// The regions whose ops are nodes, too.
llvm::MutableArrayRef<mlir::Region> shownRegions(mlir::Operation *op, const DecodedOp &decoded);
/// Of a function all, of inner regions those that are used.
llvm::SmallVector<mlir::BlockArgument> shownArguments(mlir::Block &block);

class PartNodes {
public:
  /// `ids`: of the module's ops, read when nodes are made. `names`: of its values and types. `cancelled`: or null.
  PartNodes(const llvm::DenseMap<mlir::Operation *, OpId> &ids, GraphNames &names, const std::atomic<bool> *cancelled)
      : ids_(ids), names_(names), opNodes_(names), cancelled_(cancelled) {}

  /// Makes the nodes of a part in the order of its text: the arguments of a block, then its ops, each before what it
  /// holds. Neither values nor the printed text are looked at.
  void make(Part &part);
  /// Names arguments; if there is `printed`, ops get what a picture does without, too: lines, locations, names of
  /// results, maps and iterators. Does some nodes at a time: the first and every second lot after them, or the others,
  /// so that two threads can share the work. GraphNames knows all values if it is shared.
  void addDetails(llvm::MutableArrayRef<Part> parts, const PrintedModule *printed, bool first) const;

private:
  bool stopped() const { return cancelled_ && cancelled_->load(std::memory_order_relaxed); }
  void make(mlir::Region &region, Part &part);
  void make(mlir::Operation *op, Part &part);
  GraphNode argumentNode(mlir::BlockArgument argument);

  const llvm::DenseMap<mlir::Operation *, OpId> &ids_;
  GraphNames &names_;
  OpNodes opNodes_;
  const std::atomic<bool> *cancelled_;
  llvm::DenseSet<mlir::Value> weightArguments_; ///< that nobody calls so
  OpId nextArgument_ = -1;
};

} // namespace fuselage
