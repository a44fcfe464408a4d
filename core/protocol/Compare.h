// Two programs' dispatches side by side.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

/// How dispatches of A and of B hang together: they compute the same.
enum class DispatchRelation {
  Same,      ///< one of each
  Differs,   ///< one of each, with other ops in it, too
  Merged,    ///< one of A does what several of B do
  Split,     ///< several of A do what one of B does
  Regrouped, ///< several of each, cut elsewhere
  OnlyA,
  OnlyB,
};
inline constexpr const char *dispatchRelationNames[] = {"same",      "differs", "merged", "split",
                                                        "regrouped", "only_a",  "only_b"};

template <class Types = StdTypes> struct ComparedDispatch {
  static constexpr const char *messageName = "ComparedDispatch";
  int index = 0;       ///< in program order
  Int64<Types> op = 0; ///< that stands for it in the graph
  Text<Types> name;
  Text<Types> kind;
  Text<Types> loc;         ///< of its root op, as runs know dispatches; may be empty
  Texts<Types> ops;        ///< what it computes: "matmul 128x768x768"
  Int64<Types> flops = -1; ///< -1: unknown
  Int64<Types> bytes = -1; ///< through memory
  bool bytesAtMost = false;
  double us = -1; ///< of its kernels, the medians together; -1: it was not timed

  template <class Visitor> void fields(Visitor &visit) {
    visit("index", index);
    visit("op", op);
    visit("name", name);
    visit("kind", kind);
    visit("loc", loc);
    visit("ops", ops);
    visit("flops", flops, nullIf(flops < 0));
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("bytes_at_most", bytesAtMost);
    visit("us", us, nullIf(us < 0));
  }
};

/// Why one side keeps two dispatches apart whose work is in one of the other side: what a dump of XLA fuses and the
/// program beside it does not.
template <class Types = StdTypes> struct ComparedReason {
  static constexpr const char *messageName = "ComparedReason";
  bool ofB = false;     ///< the dispatches are of B
  int from = 0, to = 0; ///< indices of dispatches
  Text<Types> code;     ///< "PRODUCER_REDUCTION", as in fusion/report
  Text<Types> sentence;

  template <class Visitor> void fields(Visitor &visit) {
    visit("of_b", ofB);
    visit("from", from);
    visit("to", to);
    visit("code", code);
    visit("sentence", sentence);
  }
};

template <class Types = StdTypes> struct ComparedRow {
  static constexpr const char *messageName = "ComparedRow";
  DispatchRelation relation = DispatchRelation::Same;
  List<Types, int> a; ///< indices of dispatches
  List<Types, int> b;
  int group = -1;                             ///< index of the ComparedGroup that it is in
  List<Types, ComparedReason<Types>> reasons; ///< if one side is a dump of XLA, those of the other

  template <class Visitor> void fields(Visitor &visit) {
    visit.choice("relation", relation, dispatchRelationNames);
    visit("a", a);
    visit("b", b);
    visit("group", group, leftOutIf(group < 0));
    visit("reasons", reasons, leftOutIf(reasons.size() == 0));
  }
};

/// Rows that are the same but for where they are: of equal dispatches on either side (equal ops, bytes and names), in
/// the same relation.
template <class Types = StdTypes> struct ComparedGroup {
  static constexpr const char *messageName = "ComparedGroup";
  Numbers<Types> rows;      ///< indices into the comparison's, ascending; never empty
  Int64<Types> bytesA = -1; ///< of all dispatches of A in them; -1: unknown
  Int64<Types> bytesB = -1;

  template <class Visitor> void fields(Visitor &visit) {
    visit("rows", rows);
    visit("bytes_a", bytesA, nullIf(bytesA < 0));
    visit("bytes_b", bytesB, nullIf(bytesB < 0));
  }
};

template <class Types = StdTypes> struct ComparedSide {
  static constexpr const char *messageName = "ComparedSide";
  Text<Types> name;     ///< "bert.mlir, step 12: form-dispatches"
  bool planned = false; ///< no dispatches are in it: those that the policy would form
  int step = -1;        ///< of a log
  int snapshot = -1;    ///< of the open document
  List<Types, ComparedDispatch<Types>> dispatches;
  Int64<Types> bytes = 0; ///< of all that are known
  bool bytesAtMost = false;
  int unknown = 0; ///< dispatches whose bytes nobody knows
  Int64<Types> flops = 0;
  Text<Types> device; ///< where it was timed; empty: it was not
  double us = -1;     ///< of one pass, with what runs on the host between dispatches

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("planned", planned);
    visit("step", step, nullIf(step < 0));
    visit("snapshot", snapshot, nullIf(snapshot < 0));
    visit("dispatches", dispatches);
    visit("bytes", bytes);
    visit("bytes_at_most", bytesAtMost);
    visit("unknown", unknown);
    visit("flops", flops);
    visit("device", device);
    visit("us", us, nullIf(us < 0));
  }
};

template <class Types = StdTypes> struct DispatchComparison {
  static constexpr const char *messageName = "compare/with";
  int version = 1;
  ComparedSide<Types> a, b;
  List<Types, ComparedRow<Types>> rows;     ///< in program order of A, what only B has in its place
  List<Types, ComparedGroup<Types>> groups; ///< of all rows, in the order of their first ones
  Map<Types, int> counts;                   ///< of rows, by relation

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("a", a);
    visit("b", b);
    visit("rows", rows);
    visit("groups", groups);
    visit("counts", counts);
  }
};

} // namespace fuselage::message
