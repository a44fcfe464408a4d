// Normal forms: what a transform may expect of the IR, said once.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringRef.h"
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fuselage {

/// What keeps IR from being in a form.
struct FormBreach {
  mlir::Operation *op; ///< in the IR that was checked
  std::string why;     ///< "'arith.constant' is the same in every iteration of the loop at line 7"
};

/// A named sequence over a handle to functions.
struct Normalizer {
  std::string name; ///< of the sequence: "fuselage_normalize_to_LoopForm"
  std::string text; ///< all of it, of the built-in ones; it uses ops of MLIR only, unless it says `transform.fuselage.`
};

/// A form of the body of a function: what it is, whether a function is in it, and how to bring it there. After
/// "normal forms" of term rewriting, as the talk "Driving MLIR Compilation from Python" proposes them for schedules.
struct NormalForm {
  std::string name;                        ///< "PerfectForNestForm"
  std::string summary;                     ///< a sentence
  std::vector<const NormalForm *> implies; ///< forms that what is in this one is in as well
  /// Every breach of what this form asks for beyond those that it implies.
  std::function<void(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches)> check;
  /// The second is for what the first leaves, and so on. They keep other handles alive: nothing in them consumes what
  /// it is given.
  std::vector<Normalizer> normalizers;
  /// A transform that brings a single op into the form and gives a handle to what replaces it, for who holds the op
  /// itself: a normalizer that replaces ops leaves handles to them empty. Empty: there is none.
  std::string onOp{};
  /// Where the normalizers of a declared form are, with what they include; null: they are built in.
  std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> library{};
};

/// The built-in forms; each stands after those that it implies.
const std::deque<NormalForm> &normalForms();
/// A built-in form by its name, with or without "Form" after it; case and dashes do not matter: "gpu-mapped" will do.
/// Null: there is none.
const NormalForm *findForm(llvm::StringRef name);
/// Whether `form` implies `other`, over any number of steps; a form implies itself.
bool implies(const NormalForm &form, const NormalForm &other);

/// What keeps the function from the form, and from those that it implies, in program order.
std::vector<FormBreach> checkForm(const NormalForm &form, mlir::FunctionOpInterface function);

/// Brings every function of `module` into the form, stage by stage until it is there. Failure: something stays that
/// breaks it, with what and where.
llvm::Error normalizeTo(const NormalForm &form, mlir::ModuleOp module);

} // namespace fuselage
