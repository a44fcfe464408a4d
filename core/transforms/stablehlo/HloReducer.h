// Bodies that combine two lists of elements: those of reduce, reduce_window and the like.
#pragma once
#include "core/transforms/stablehlo/HloLowering.h"

namespace fuselage {

/// Inputs, initial values and the body of a reduction in either form. In its own form, input and initial value stand
/// side by side, and so do the body's arguments: `(%x init: %c), (%y init: %d) ... reducer(%a, %b) (%c, %d)`.
class HloReducer {
public:
  /// Nullopt, with the reason in `call`: it is not one of tensors, or its body is not one block.
  static std::optional<HloReducer> of(HloCall &call);

  unsigned size() const { return inputs.size(); }
  /// Element types of inputs and of accumulators may differ: an i8 is summed up in i32.
  mlir::Type accumulator(unsigned index) const { return initials[index].getType(); }
  /// The one op that the body is, if it is commutative: "add"; else empty.
  std::string simple() const;

  /// Elements combined: what the body yields for (accumulated, added). Empty: it is not known on scalars; `why` says
  /// so.
  std::optional<llvm::SmallVector<mlir::Value>> combine(mlir::OpBuilder &builder, mlir::Location loc,
                                                        mlir::ValueRange accumulated, mlir::ValueRange added,
                                                        std::string &why) const;

  llvm::SmallVector<mlir::Value> inputs;   ///< tensors of one shape
  llvm::SmallVector<mlir::Value> initials; ///< scalars

private:
  explicit HloReducer(HloCall &call) : call_(&call) {}

  HloCall *call_;
  mlir::Block *body_ = nullptr;
  bool isInterleaved_ = false; ///< the body's arguments come in pairs
  std::string applied_;        ///< `applies stablehlo.add`
};

} // namespace fuselage
