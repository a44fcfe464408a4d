// Which forms are known to hold at the lines of a schedule.
#pragma once
#include "core/protocol/Schedules.h"
#include "core/schedules/forms/NormalForm.h"
#include "core/schedules/trace/Trace.h"
#include "llvm/ADT/SetVector.h"
#include <map>

namespace fuselage {

/// Watches one run of a script. A form is known to hold of a function since a check passed
/// (transform.fuselage.check_form, what autoNormalize checks, a normalizer, `fuselage.ensures` of a named sequence), or
/// since a transform left it, and until one does not keep it (formRules): nothing is checked here that the schedule
/// does not ask for, so that tracing stays cheap and the column is the same every time.
class FormColumn {
public:
  using Forms = llvm::SetVector<const NormalForm *>;
  /// Ops that are put into the script later have no lines of their own.
  explicit FormColumn(const Script &script) : script_(script), opCount_(script.ops.size()) {}
  /// The options with the column as their watcher; a run that is traced with them starts it over.
  TraceOptions watching(TraceOptions options);
  /// A check passed.
  void learn(mlir::FunctionOpInterface function, const NormalForm &form);

  /// What is known of a function at the moment, with all that it implies.
  Forms known(mlir::FunctionOpInterface function) const { return known_.lookup(function); }
  /// Of each line of the script that was come to, in order: the strongest forms that were known every time; "AnyForm"
  /// if there are none.
  std::vector<message::LineForms<>> lines() const;
  /// Named sequences that did not ensure what they say.
  const std::vector<Diagnostic> &broken() const { return broken_; }

private:
  using Op = mlir::transform::TransformOpInterface;
  using State = mlir::transform::TransformState;
  using Functions = std::vector<mlir::FunctionOpInterface>;

  void willRun(Op op, const State &state);
  void claim(Op op, const Functions &functions);
  void didRun(Op op, bool succeeded, const State &state);
  void learnFromType(mlir::Type type, const Functions &functions);
  void checkIncluded(Op include, const Functions &functions, const State &state);
  void apply(Op op, const Functions &functions, const Functions &targets);

  const Script &script_;
  size_t opCount_;
  llvm::DenseMap<mlir::Operation *, Forms> known_; ///< by function
  std::vector<std::pair<Functions, Functions>>
      open_; ///< of the ops that run: around their operands, in the first operand
  std::map<unsigned, Forms> byLine_;
  std::vector<Diagnostic> broken_;
};

} // namespace fuselage
