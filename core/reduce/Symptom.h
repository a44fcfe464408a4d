// What a module and passes show that a reduction keeps: the same fault, wrong results, or what a judge says.
#pragma once
#include "core/bisect/Blame.h"
#include "core/bisect/Fault.h"
#include "core/run/HostCheck.h"

namespace fuselage {

enum class SymptomKind {
  Fault,        ///< a pass crashes, hangs, fails, or leaves IR that does not verify
  WrongResults, ///< the module computes something else after the passes
  Command,      ///< a command says that the IR after the passes is bad
  LostFusion,   ///< an edge cannot be fused any more after the passes
  MoreBytes,    ///< the dispatches move more bytes after the last pass
  MoreTime,     ///< the program takes longer on the host after the last pass
};

/// What was found in the beginning.
struct Symptom {
  SymptomKind kind = SymptomKind::Fault;
  Fault fault{};
  std::string why{};                  ///< of results and of a command: "@main gives other results: .."
  std::string command{};              ///< that judges
  std::string producer{}, consumer{}; ///< of the edge
  std::string function{};             ///< that is run
  HostCheckOptions check{};
};

/// "canonicalize crashes with signal 11 (Segmentation fault)", "@main gives other results after canonicalize: ..".
std::string describe(const Symptom &symptom);

struct SymptomOptions {
  /// Without these, faults of passes and results are looked at. All are as in BlameOptions.
  std::string predicate{}, producer{}, consumer{};
  Worse worse = Worse::No;
  HostCheckOptions check{};
  unsigned draws = 2; ///< of inputs
  FaultLimits limits{};
};

/// Looks for one symptom in modules and passes. Modules need not verify; those that do not, do not show it.
class SymptomTest {
public:
  virtual ~SymptomTest() = default;
  /// Failure: it was cancelled, or the system is at its limits.
  virtual llvm::Expected<bool> shows(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes) = 0;
  const Symptom &symptom() const { return symptom_; }
  /// Whether function `name` has to keep its name and stay.
  bool isRun(llvm::StringRef name) const {
    return (symptom_.kind == SymptomKind::WrongResults || symptom_.kind == SymptomKind::MoreTime) &&
           symptom_.function == name;
  }
  /// Gives passes less time, or all that the limits say (0).
  virtual void setMilliseconds(unsigned) {}
  /// Why the last module could not be judged; empty: all could.
  const std::string &problem() const { return problem_; }

protected:
  Symptom symptom_;
  std::string problem_;
};

} // namespace fuselage
