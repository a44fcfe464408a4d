// A function of many equal layers with a few of them, to try things on.
#pragma once
#include "core/ir/layers/EqualLayers.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// An op and all that are in it: what trying something on it costs goes by their number.
size_t countAllOps(mlir::Operation *op);

/// Layers that are left of a run.
struct FewLayers {
  size_t first = 4, last = 2;
};

/// A copy of a function in which of every run of equal layers a few are left, by default the first four and the last
/// two. Passes and planners that look at an op and what is around it treat the layers left out as they treat the third
/// and the fourth of these, which have two layers on either side: where these two come out alike, they speak for all
/// between. What is in the layers, such as many experts, may be a run of the copy.
class ShortFunction {
public:
  static constexpr size_t kSpeaker = 3; ///< the layer that speaks for those left out
  static constexpr size_t kWitness = 2; ///< the one that has to come out alike

  /// nullopt: there is nothing to leave out, or something after the layers, other than a return, reads what one that
  /// would be left out computes. Results that only such layers return are left out of the copy. The function is not
  /// changed, and has to outlive this.
  static std::optional<ShortFunction> of(mlir::func::FuncOp function, FewLayers few = {});

  mlir::func::FuncOp function() const { return function_; }
  /// The copy. It is in no module, and symbols that it refers to are where those of the function are.
  mlir::func::FuncOp get() const { return *copy_; }
  /// Another copy, in which one layer more of a run is left.
  mlir::OwningOpRef<mlir::func::FuncOp> withLonger(size_t run) const;
  size_t countRuns() const { return runs_.size(); }
  /// Layers of a run that the copy lacks.
  size_t countLeftOut(size_t run) const { return static_cast<size_t>(leftOut(runs_[run])); }

  /// An edge between two ops of the function, at any depth.
  struct Edge {
    mlir::Operation *from = nullptr, *to = nullptr;
  };
  /// The edge in the copy; nullopt: `edge.to` is left out.
  std::optional<Edge> copyOf(Edge edge) const;
  /// The same edge of the layer that speaks for that of `edge.to`; the edge itself where that one is left. Null ops: it
  /// has none.
  Edge speakerOf(Edge edge) const;
  /// The same edge of the layer before the one that speaks; nullopt: `edge` is in no layer that speaks.
  std::optional<Edge> witnessOf(Edge edge) const;

private:
  ShortFunction(mlir::func::FuncOp function, FewLayers few) : function_(function), few_(few) {}
  /// First layers of a run that are left.
  size_t countFirst(const EqualLayers &layers) const {
    return few_.first + (longer_ && &layers == &runs_[*longer_] ? 1 : 0);
  }
  bool isLeftOut(const EqualLayers &layers, size_t layer) const {
    return layer >= countFirst(layers) && layer + few_.last < layers.count();
  }
  long leftOut(const EqualLayers &layers) const {
    return static_cast<long>(layers.count() - countFirst(layers) - few_.last);
  }
  /// The op of the entry block that `op` is, or is in; null: none.
  mlir::Operation *topOf(mlir::Operation *op) const {
    return mlir::func::FuncOp(function_).front().findAncestorOpInBlock(*op);
  }
  bool canBeShort() const;
  void build();
  const EqualLayers *layersOf(mlir::Operation *op, LayerPlace &place) const;
  Edge moved(const EqualLayers &layers, Edge edge, long by) const;
  mlir::Operation *moved(const EqualLayers &layers, mlir::Operation *op, long by) const;

  mlir::func::FuncOp function_;
  FewLayers few_;
  std::optional<size_t> longer_{}; ///< the run, by its number, of which one layer more is left
  std::vector<EqualLayers> runs_;
  mlir::OwningOpRef<mlir::func::FuncOp> copy_;
  mlir::IRMapping mapping_;
};

} // namespace fuselage
