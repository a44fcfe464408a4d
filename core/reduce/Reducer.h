// The search for cuts: what is tried on a module and passes, and what is taken.
#pragma once
#include "core/reduce/ReduceOptions.h"
#include "core/reduce/cuts/Cuts.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"

namespace fuselage {

/// Holds the smallest module and passes so far that show the symptom.
class Reducer {
public:
  Reducer(mlir::OwningOpRef<mlir::ModuleOp> module, std::vector<PassUnit> passes, SymptomTest &test,
          const ReduceOptions &options);

  mlir::ModuleOp module() const { return *module_; }
  llvm::ArrayRef<PassUnit> passes() const { return passes_; }
  const Symptom &symptom() const { return test_.symptom(); }
  const ReduceOptions &options() const { return options_; }
  unsigned tried() const { return tried_; }
  unsigned taken() const { return taken_; }
  /// Nothing is to be tried any more; why() says why.
  bool isOver() const { return !why_.empty(); }
  const std::string &why() const { return why_; }

  /// Tries another module, which is taken if it shows the symptom and is smaller.
  bool tryModule(mlir::OwningOpRef<mlir::ModuleOp> module, llvm::StringRef cut);
  /// Tries a cut at all its places, then at halves of them, and so on to single ones. True: one was taken.
  bool tryPlaced(const PlacedCut &cut);
  /// The first of a group that can be taken.
  bool tryGroup(llvm::ArrayRef<WholeCut> group);
  bool tryWhole(const WholeCut &cut) { return tryGroup(cut); }
  /// Tries other passes on the module; `module`: on another module, of any size.
  bool tryPasses(std::vector<PassUnit> passes, llvm::StringRef cut, mlir::OwningOpRef<mlir::ModuleOp> module = nullptr);

private:
  bool shows(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes, llvm::StringRef cut);
  void say(llvm::StringRef cut) const;

  mlir::OwningOpRef<mlir::ModuleOp> module_;
  std::vector<PassUnit> passes_;
  SymptomTest &test_;
  const ReduceOptions &options_;
  double weight_;
  llvm::DenseSet<uint64_t> seen_; ///< that were tried, by hash
  unsigned opsBefore_, tried_ = 0, taken_ = 0;
  std::string why_;
};

/// Fewer passes, a later module, fewer options. An option of the last pass stays if another rewrite would be to blame
/// without it. True: some were taken.
bool reducePasses(Reducer &reducer, const FaultLimits &limits);
/// Fewer passes alone: of what is left when the module is small.
bool dropPasses(Reducer &reducer);
/// For passes that take a list of patterns: those that are needed, also where the pass crashes or hangs.
bool reducePatterns(Reducer &reducer, const FaultLimits &limits);

} // namespace fuselage
