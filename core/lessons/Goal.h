// What a task of a lesson asks for: a fact about the program or the window, compared with a value.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

/// "dispatches <= 9", "edge matmul -> add is fused", "traffic <= 12 MiB", "answer = 6 within 5 %".
struct Goal {
  enum class Compare { Equal, NotEqual, AtMost, AtLeast, Less, More };

  std::string text;                     ///< as it was written
  std::string fact;                     ///< a name of factNames()
  std::vector<std::string> arguments{}; ///< "matmul", "add"
  Compare compare = Compare::Equal;
  double number = 0;    ///< in the fact's own unit; of a word, its place among the words of the fact
  std::string word{};   ///< that was written instead of a number: "fused"; empty: a number
  double tolerance = 0; ///< relative, of Equal
};

/// A fact that goals can be about.
struct FactName {
  llvm::StringRef name;
  llvm::StringRef arguments; ///< how they are written: "", "A -> B", "NAME"
  llvm::StringRef unit;      ///< "bytes", "", "%"
  llvm::StringRef words;     ///< values that have names: "fused|can be fused|..."; empty: numbers alone
  llvm::StringRef noun;      ///< how a sentence says it: "dispatches"
  llvm::StringRef one = "";  ///< the noun of a single one, where that is another word
};
llvm::ArrayRef<FactName> factNames();

/// Failure: why the line is no goal, with the facts that there are.
llvm::Expected<Goal> parseGoal(llvm::StringRef line);

/// Where a goal is.
struct GoalState {
  bool holds = false;
  std::string text{}; ///< "12 dispatches, at most 9 wanted"; "9 dispatches"
};

/// `value`: what the fact is now; nullopt: it is not known, for the reason `why`. `tellsWanted`: the text of one that
/// does not hold says what is wanted.
GoalState judge(const Goal &goal, std::optional<double> value, llvm::StringRef why, bool tellsWanted = true);

} // namespace fuselage
