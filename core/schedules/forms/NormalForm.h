// Normal forms: what a transform may expect of the IR, said once.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <string>
#include <vector>

namespace fuselage {

/// What keeps IR from being in a form.
struct FormBreach {
  mlir::Operation *op; ///< in the IR that was checked
  std::string why;     ///< "'arith.constant' is the same in every iteration of the loop at line 7"
};

/// A form of the body of a function: what it is, whether a function is in it, and how to bring it there. After
/// "normal forms" of term rewriting, as the talk "Driving MLIR Compilation from Python" proposes them for schedules.
struct NormalForm {
  llvm::StringRef name;    ///< "PerfectForNestForm"
  llvm::StringRef summary; ///< a sentence
  std::vector<llvm::StringRef> implies; ///< forms that what is in this one is in as well
  /// Every breach of what this form asks for beyond those that it implies.
  void (*check)(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
  /// Bodies of named sequences over %func, a handle to one function: the second is for what the first leaves, and so on.
  /// They keep other handles alive: nothing in them consumes what it is given.
  std::vector<llvm::StringRef> normalizers;
  /// A transform that brings a single op into the form and gives a handle to what replaces it, for who holds the op
  /// itself: a normalizer that replaces ops leaves handles to them empty. Null: there is none.
  llvm::StringRef onOp{};
};

/// The built-in forms; each stands behind those that it implies.
const std::vector<NormalForm> &normalForms();
/// Null: there is none of that name.
const NormalForm *findForm(llvm::StringRef name);
/// Whether `form` implies `other`, over any number of steps; a form implies itself.
bool implies(const NormalForm &form, const NormalForm &other);

/// What keeps the function from the form, and from those that it implies, first.
std::vector<FormBreach> checkForm(const NormalForm &form, mlir::FunctionOpInterface function);

/// "fuselage_normalize_to_LoopForm", of stage 0, and with the stage's number behind it for the others.
std::string normalizerName(const NormalForm &form, unsigned stage);
/// The named sequence of that stage, as a text. It uses ops of MLIR only, unless it says `transform.fuselage.`.
std::string normalizerText(const NormalForm &form, unsigned stage);

/// Brings every function of `module` into the form, stage by stage until it is there. Failure: something stays that
/// breaks it, with what and where.
llvm::Error normalizeTo(const NormalForm &form, mlir::ModuleOp module);

} // namespace fuselage
