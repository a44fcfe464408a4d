// What happened inside of a step.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include <optional>

namespace fuselage::message {

/// An effective change within a step.
template <class Types = StdTypes> struct StepRewrite {
  static constexpr const char *messageName = "StepRewrite";
  int index = 0;
  Text<Types> kind;        ///< "pattern", "fold", "dead", "cse", "hoist", "regions", "conversion", "direct" or "pass"
  Text<Types> pattern;     ///< its short name, if a pattern
  Text<Types> patternName; ///< its whole debug name
  Text<Types> pass;
  Text<Types> op;             ///< name of the op that was matched, folded, replaced or erased; empty: no single one
  Int64<Types> opBefore = -1; ///< that op in the snapshot before the step; -1: the step made it
  Text<Types> source;         ///< where that op came from, "model.mlir:35"; empty: nobody knows
  Text<Types> function;       ///< around it; empty: the module
  Map<Types, Int64<Types>> inserted, erased, modified; ///< op name -> count
  double microseconds = -1;                            ///< of a pattern; negative: nobody measured
  bool inConversion = false;                           ///< what it replaced stays until the end of the conversion

  template <class Visitor> void fields(Visitor &visit) {
    visit("index", index);
    visit("kind", kind);
    visit("pattern", pattern, leftOutIf(pattern.size() == 0));
    visit("pattern_name", patternName, leftOutIf(patternName.size() == 0));
    visit("pass", pass);
    visit("op", op);
    visit("op_before", opBefore, nullIf(opBefore < 0));
    visit("source", source, leftOutIf(source.size() == 0));
    visit("function", function);
    visit("inserted", inserted);
    visit("erased", erased);
    visit("modified", modified);
    visit("microseconds", microseconds, nullIf(microseconds < 0));
    visit("in_conversion", inConversion, leftOutIf(!inConversion));
  }
};

/// A pattern of a step, and what came of it.
template <class Types = StdTypes> struct PatternUse {
  static constexpr const char *messageName = "PatternUse";
  Text<Types> pattern, patternName;
  int attempts = 0, applied = 0, rolledBack = 0;
  double microseconds = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("pattern", pattern);
    visit("pattern_name", patternName);
    visit("attempts", attempts);
    visit("applied", applied);
    visit("rolled_back", rolledBack);
    visit("microseconds", microseconds);
  }
};

/// The rewrites of a step, in order.
template <class Types = StdTypes> struct StepRewrites {
  static constexpr const char *messageName = "step/rewrites";
  int step = 0;
  List<Types, StepRewrite<Types>> rewrites;
  List<Types, PatternUse<Types>> patterns; ///< the most attempts first
  int attempts = 0;                        ///< of all patterns
  bool resultsAreKnown = true;             ///< false: MLIR told that patterns were tried, and not what came of it
  Text<Types> summary;                     ///< "17 rewrites by 3 patterns, 4 folds; 1,269 attempts"

  template <class Visitor> void fields(Visitor &visit) {
    visit("step", step);
    visit("rewrites", rewrites);
    visit("patterns", patterns);
    visit("attempts", attempts);
    visit("results_are_known", resultsAreKnown, leftOutIf(resultsAreKnown));
    visit("summary", summary);
  }
};

/// Patterns that were tried on an op.
template <class Types = StdTypes> struct OpAttempt {
  static constexpr const char *messageName = "OpAttempt";
  Text<Types> pattern, patternName;
  Text<Types> outcome; ///< "declined", "applied", "rolled back"; "unknown": of some op of this name in the function
  Text<Types> reason;  ///< empty: none was given
  int times = 1;       ///< with the same outcome and reason
  int rewrite = -1;    ///< the rewrite that it is, if applied

  template <class Visitor> void fields(Visitor &visit) {
    visit("pattern", pattern);
    visit("pattern_name", patternName);
    visit("outcome", outcome);
    visit("reason", reason);
    visit("times", times);
    visit("rewrite", rewrite, nullIf(rewrite < 0));
  }
};

/// What a step did with an op.
template <class Types = StdTypes> struct OpRewrites {
  static constexpr const char *messageName = "step/tried";
  Text<Types> op, function;
  Int64<Types> before = -1, after = -1; ///< its OpIds; -1: not there
  int made = -1, removed = -1;          ///< rewrites; -1: none
  List<Types, int> rewrites;            ///< that match, fold or change it
  List<Types, OpAttempt<Types>> attempts;

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("function", function);
    visit("before", before, nullIf(before < 0));
    visit("after", after, nullIf(after < 0));
    visit("made", made, nullIf(made < 0));
    visit("removed", removed, nullIf(removed < 0));
    visit("rewrites", rewrites);
    visit("attempts", attempts);
  }
};

/// The IR in the middle of a step.
template <class Types = StdTypes> struct RewritePlace {
  static constexpr const char *messageName = "step/rewrite";
  int snapshot = -1;    ///< for every other method, as places of a schedule are
  int before = -1;      ///< that before the rewrite
  Text<Types> problem;  ///< why the IR does not verify there; then there is a text alone
  Text<Types> note;     ///< how it differs from the listed run; empty: it does not
  Text<Types> pipeline; ///< that makes it of the snapshot before the step, of a step without a pattern; else empty

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot);
    visit("before", before);
    visit("problem", problem);
    visit("note", note, leftOutIf(note.size() == 0));
    visit("pipeline", pipeline, leftOutIf(pipeline.size() == 0));
  }
};

/// A rewrite that a breakpoint stops at.
template <class Types = StdTypes> struct RewriteStop {
  static constexpr const char *messageName = "step/stop";
  int step = -1, rewrite = -1; ///< -1: there is none
  Text<Types> breakpoint;      ///< the first of those that stop there

  template <class Visitor> void fields(Visitor &visit) {
    visit("step", step, nullIf(step < 0));
    visit("rewrite", rewrite, nullIf(rewrite < 0));
    visit("breakpoint", breakpoint);
  }
};

/// A pattern that was tried on one op as it stands.
template <class Types = StdTypes> struct PatternOffer {
  static constexpr const char *messageName = "PatternOffer";
  Text<Types> pass, pattern, patternName;
  bool applies = false;
  Text<Types> reason;               ///< why it declined; empty: it gave none
  Text<Types> problem;              ///< why the module does not verify with it
  Map<Types, Int64<Types>> opDelta; ///< op name -> count after minus count before
  int snapshot = -1;                ///< with this one rewrite; -1: it declined, or nobody shows it
  Text<Types> pipeline;             ///< that applies it; empty: it declined

  template <class Visitor> void fields(Visitor &visit) {
    visit("pass", pass);
    visit("pattern", pattern);
    visit("pattern_name", patternName);
    visit("applies", applies);
    visit("reason", reason);
    visit("problem", problem);
    visit("op_delta", opDelta);
    visit("snapshot", snapshot, nullIf(snapshot < 0));
    visit("pipeline", pipeline);
  }
};

/// What would apply to an op.
template <class Types = StdTypes> struct OpPatterns {
  static constexpr const char *messageName = "op/patterns";
  Text<Types> op;
  List<Types, PatternOffer<Types>> patterns; ///< those that apply first

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("patterns", patterns);
  }
};

} // namespace fuselage::message
