// Passes run on a copy of a function, and what they made of its edges.
#pragma once
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>
#include <optional>

namespace fuselage {

/// Names an op of a function on trial: its place in a pre-order walk of the function.
using OpMark = unsigned;

/// How the ops of the function hung together before any pass ran; indexed by mark.
struct MarkedOp {
  bool isView = false;            ///< a reshape, slice or cast: it computes nothing, and no dispatch has it
  bool isMove = false;            ///< a copy, transpose or broadcast
  bool computes = false;          ///< an op that dispatches are made of
  std::optional<OpMark> source{}; ///< of a view or move: the op that it reads
  llvm::SmallVector<OpMark, 2> users{};
  bool escapes = false; ///< the function, or an op around it, hands the value on
};
using MarkedOps = std::vector<MarkedOp>;

/// The verdicts on a function whose ops carry marks. Dispatches are formed around those that passes formed.
class MarkedVerdicts {
public:
  MarkedVerdicts(mlir::OwningOpRef<mlir::ModuleOp> module, std::shared_ptr<const MarkedOps> ops,
                 const FusionPolicy &policy, JudgedFor purpose);

  unsigned dispatches() const { return dispatches_; }
  /// The edges through memory that lead from one op to the other, perhaps by way of views.
  llvm::SmallVector<const EdgeVerdict *> separateEdges(OpMark producer, OpMark consumer) const;

  /// Whether the edge is fused here: one op does the work of both, or both are done in one dispatch. What
  /// counts is what computes: the op after the views that the edge comes from, all ops after those that
  /// it goes to. A copy or transpose that is gone without a trace is fused if its reader now reads what
  /// it read. More dispatches than before are no success, nor as much stored, nor edges at either op that
  /// were fused before and are not now.
  bool isFused(OpMark producer, OpMark consumer, const MarkedVerdicts &before) const;

private:
  using Marks = llvm::SmallVector<OpMark, 2>;
  using Edges = llvm::SmallVector<const EdgeVerdict *>;
  const Marks &marksOf(mlir::Operation *op);
  void addPlaces(const BodyVerdicts &body, unsigned first);
  void addEdges(const BodyVerdicts &body);
  bool holds(mlir::Operation *op, OpMark mark) const { return llvm::is_contained(marks_.at(op), mark); }
  bool exists(OpMark mark) const { return holders_.contains(mark); }
  std::optional<OpMark> computingProducer(OpMark mark) const;
  bool addComputingConsumers(OpMark mark, Marks &consumers) const;
  Edges edgesBetween(OpMark producer, OpMark consumer) const;
  bool areMerged(OpMark producer, OpMark consumer) const;
  bool shareDispatch(OpMark producer, OpMark consumer) const;
  bool arePairFused(OpMark producer, OpMark consumer, const MarkedVerdicts &before) const;
  bool isAtOthersExpense(OpMark producer, OpMark consumer, const MarkedVerdicts &before) const;
  bool isLeftOut(OpMark producer, OpMark consumer, const MarkedVerdicts &before) const;
  unsigned storedInputs(OpMark consumer) const;

  std::shared_ptr<const MarkedOps> ops_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  std::vector<BodyVerdicts> bodies_;
  llvm::DenseMap<mlir::Operation *, Marks> marks_;
  llvm::DenseMap<OpMark, llvm::SmallVector<mlir::Operation *, 1>> holders_;  ///< ops that do its work
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 1>> places_; ///< dispatches it is in
  llvm::DenseMap<OpMark, Edges> edgesFrom_, edgesTo_;
  llvm::DenseMap<mlir::Operation *, Edges> edgesToView_;
  unsigned dispatches_ = 0;
  size_t separate_ = 0, stored_ = 0; ///< separate edges, and those that move bytes
};

/// A function by itself, with what it calls, and marks on its ops.
class FusionTrial {
public:
  /// Copies the function. `marks` gets the mark of every op in it. `table` has what it refers to by name; null: the
  /// symbol table that it stands in, if any.
  FusionTrial(mlir::func::FuncOp function, llvm::DenseMap<mlir::Operation *, OpMark> &marks,
              mlir::Operation *table = nullptr);

  FusionTrial copy() const { return FusionTrial(mlir::OwningOpRef<mlir::ModuleOp>(module_.get().clone()), ops_); }
  /// Runs passes, separated by commas, on the function. Failure: the trial is of no use any more.
  llvm::Error run(llvm::StringRef passes);
  /// Runs passes on the ops around an edge (fuseAt); the marks are those of its ops, which no pass has changed.
  /// Failure: also if there are no such ops.
  llvm::Error runAt(OpMark from, OpMark to, unsigned reach, llvm::StringRef passes);
  /// Leaves the trial as it is. `formed`: as if all dispatches were formed (completeDispatches).
  llvm::Expected<MarkedVerdicts> judge(const FusionPolicy &policy, JudgedFor purpose, bool formed = false) const;
  /// Whether passes have formed dispatches, or some stood there.
  bool hasDispatchRegions() const;
  /// Tells states of the function apart; large data is not looked at.
  uint64_t fingerprint() const;

private:
  FusionTrial(mlir::OwningOpRef<mlir::ModuleOp> module, std::shared_ptr<const MarkedOps> ops)
      : module_(std::move(module)), ops_(std::move(ops)) {}

  mlir::OwningOpRef<mlir::ModuleOp> module_;
  std::shared_ptr<const MarkedOps> ops_;
};

} // namespace fuselage
