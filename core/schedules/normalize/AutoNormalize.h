// Puts normalizers before the transforms that expect a form that the IR is not in.
#pragma once
#include "core/protocol/Schedules.h"
#include "core/schedules/forms/NormalForm.h"
#include "core/schedules/trace/Trace.h"

namespace fuselage {

/// A normalizer that was put into a script.
struct Insertion {
  unsigned op;      ///< the transform that needs it, in Script::ops
  unsigned include; ///< the inserted op, there as well
  const NormalForm *form;
  unsigned stage;  ///< of the form's normalizers
  std::string why; ///< the first breach that was found
};

/// A transform whose form no normalizer reaches; it runs all the same.
struct UnreachedForm {
  unsigned op;
  const NormalForm *form;
  std::string why;
};

struct AutoNormalized {
  Trace trace; ///< of the script with the insertions
  std::vector<Insertion> insertions;
  std::vector<UnreachedForm> unreached;
  std::vector<message::LineForms<>> forms; ///< known to hold, FormColumn::lines()
  std::vector<Diagnostic> broken;          ///< FormColumn::broken()
};

/// Traces the script; where a transform's requirement does not hold, the form's normalizer is put before it, as an
/// include of a named sequence in the script, and the script starts over. Nothing is put where the check passes.
llvm::Expected<AutoNormalized> autoNormalize(Script &script, mlir::ModuleOp payload, const TraceOptions &options = {});

/// What the inserted normalizers did in one run.
struct NormalizationCost {
  unsigned count = 0;      ///< applications, in loops each of them
  double milliseconds = 0; ///< together
};

/// One normalization that takes the place of all.
struct HoistedNormalization {
  AutoNormalized normalized;          ///< with the one; where there is none, as autoNormalize leaves it
  const NormalForm *form = nullptr;   ///< null: none was found, and `why` says so
  unsigned place = 0;                 ///< before this op of Script::ops
  std::vector<std::string> functions; ///< that it normalizes; empty: all
  NormalizationCost before, after;
  size_t linesCompared = 0; ///< of the payload's text in the end, which is the same as without hoisting
  unsigned tries = 0;
  std::string why;
};

/// autoNormalize, and then a search for the one normalization further up that makes the others unnecessary: of the
/// whole module, or else of the functions that were normalized, from the first op that needed one upwards. It is taken
/// where no requirement is left unmet after it and the payload's text in the end is the same.
llvm::Expected<HoistedNormalization> hoistNormalization(Script &script, mlir::ModuleOp payload,
                                                        const TraceOptions &options = {});

/// What was hoisted, what it saved and how that is known, or why nothing was; a sentence.
std::string describeHoist(const Script &script, const HoistedNormalization &hoisted);

/// The script as a text with everything that was put in, which mlir-opt --transform-interpreter runs where it has no
/// transform.fuselage ops in it.
std::string explicitText(const Script &script);

} // namespace fuselage
