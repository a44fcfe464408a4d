// Ops that are not allowed: by name, by dialect, or by what a transform script matches.
#pragma once
#include "core/schedules/forms/NormalForm.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace fuselage {

class Forbidden {
public:
  /// Of names "linalg.fill", dialects "tosa.*", and symbols of named sequences in `library` that take one handle and
  /// only match. Failure: something else is in the list.
  static llvm::Expected<Forbidden> read(mlir::ArrayAttr list,
                                        std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> library);

  /// A breach for each op in the function, by the first thing in the list that it is.
  void check(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches) const;

private:
  /// Why the op is not allowed; empty if it is.
  std::string why(mlir::Operation *op) const;

  std::vector<std::string> names_; ///< with the dot of a dialect at the end
  std::vector<std::pair<std::string, mlir::transform::TransformOpInterface>> matchers_;
  std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> library_; ///< where the matchers are
};

} // namespace fuselage
