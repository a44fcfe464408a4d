// The forms that a script knows: the built-in ones, and those that it or its libraries declare.
#pragma once
#include "core/schedules/forms/NormalForm.h"

namespace fuselage {

/// A form is declared by an attribute of a named sequence, which is its normalizer:
///
///   transform.named_sequence @drop_fills(%funcs: !transform.any_op {transform.readonly}) attributes {fuselage.form = {
///       name = "NoFillForm", summary = "Nothing is filled.", forbids = ["linalg.fill", "tosa.*", @matcher],
///       implies = ["CanonicalForm"]}} { ... }
///
/// What is not allowed is named by an op, a dialect (its terminators may stay), or a named sequence of one argument
/// that only matches. `summary` and `implies` may be left out. A sequence that does nothing, or has no body, is no
/// normalizer.
class FormSet {
public:
  /// Of the named sequences in `module`, of which a copy is kept. Failure: a declaration that is not as above, with the
  /// place.
  static llvm::Expected<FormSet> declaredIn(mlir::ModuleOp module);

  /// Those that are built in come first.
  std::vector<const NormalForm *> all() const;
  /// A declared form by its name, else a built-in one as findForm. Null: there is none.
  const NormalForm *find(llvm::StringRef name) const;
  /// "AnyForm, CanonicalForm, ..."
  std::string names() const;

private:
  std::shared_ptr<const std::deque<NormalForm>> declared_ = std::make_shared<const std::deque<NormalForm>>();
};

} // namespace fuselage
