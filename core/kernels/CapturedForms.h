// The modules that a dispatch goes through on its way to kernels.
#pragma once
#include "core/codegen/Codegen.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// Copies of them, of the path that gave the kernels.
class CapturedForms : public CodegenWatcher {
public:
  mlir::OwningOpRef<mlir::ModuleOp> begun, mapped, lowered;
  /// In LLVM's dialect, before the pass that makes binaries; null: there is none.
  mlir::OwningOpRef<mlir::ModuleOp> beforeBinary;
  /// Nothing after that is wanted.
  bool mappedIsEnough = false;

  void begins(mlir::ModuleOp module) override;
  void isMapped(mlir::ModuleOp module) override;
  void lowers(mlir::Pass &pass, mlir::ModuleOp module) override;
  void isLowered(mlir::ModuleOp module) override;
  bool endsWhenMapped() const override { return mappedIsEnough; }
};

} // namespace fuselage
