// Why edges are fused or not, and what fusing them did.
#pragma once
#include "core/protocol/Steps.h"
#include <iterator>
#include <string_view>

namespace fuselage::message {

/// Moving a collective past an elementwise op beside it, so that two others have nothing between them.
template <class Types = StdTypes> struct FusionMove {
  static constexpr const char *messageName = "FusionMove";
  bool isAllowed = false; ///< it computes the same
  bool isExact = false;   ///< of an allowed one: bit for bit; false: floats are rounded in another order
  bool isDown = false;    ///< after `past`; false: before it
  Int64<Types> past = -1, producer = -1, consumer = -1; ///< ops; the last two could be fused then
  Text<Types> sentence{};                               ///< the move, and why not
  Int64<Types> bytes = -1;                              ///< through memory, that this saves; -1: unknown
  Int64<Types> sent = -1, sentThen = -1;                ///< bytes of what a device hands to the collective; -1: unknown

  template <class Visitor> void fields(Visitor &visit) {
    visit("allowed", isAllowed);
    visit("exact", isExact, leftOutIf(!isAllowed));
    visit("down", isDown);
    visit("past", past);
    visit("producer", producer);
    visit("consumer", consumer);
    visit("sentence", sentence);
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("sent", sent, nullIf(sent < 0));
    visit("sent_then", sentThen, nullIf(sentThen < 0));
  }
};

/// What makes one clause fail for one edge. Unused members are empty or -1.
template <class Types = StdTypes> struct FusionEvidence {
  static constexpr const char *messageName = "FusionEvidence";
  Text<Types> producerMap, consumerMap; ///< "(d0, d1) -> (d1, d0)"
  int clash = -1;                       ///< result of consumerMap (else of producerMap) that is at fault
  Int64<Types> culprit = -1;            ///< op in the way
  Text<Types> culpritOp;
  Numbers<Types> users; ///< other users of the value
  Int64<Types> count = -1, limit = -1;
  List<Types, FusionMove<Types>> moves; ///< of a collective in the way

  template <class Visitor> void fields(Visitor &visit) {
    visit("producer_map", producerMap, leftOutIf(isEmpty(producerMap)));
    visit("consumer_map", consumerMap, leftOutIf(isEmpty(consumerMap)));
    visit("dimension", clash, leftOutIf(clash < 0));
    visit("op", culprit, leftOutIf(culprit < 0));
    visit("op_name", culpritOp, leftOutIf(culprit < 0));
    visit("users", users, leftOutIf(isEmpty(users)));
    visit("count", count, leftOutIf(count < 0));
    visit("limit", limit, leftOutIf(limit < 0));
    visit("moves", moves, leftOutIf(isEmpty(moves)));
  }
};

template <class Types = StdTypes> struct FusionReason {
  static constexpr const char *messageName = "FusionReason";
  Text<Types> code, kind; ///< kind: what sort of NON_FUSABLE_OP
  Text<Types> sentence, detail;
  std::optional<bool> legal; ///< whether it leaves the edge legal; none: nobody knows
  FusionEvidence<Types> evidence;

  template <class Visitor> void fields(Visitor &visit) {
    visit("code", code);
    visit("sub_reason", kind, leftOutIf(isEmpty(kind)));
    visit("sentence", sentence);
    visit("detail", detail, leftOutIf(isEmpty(detail)));
    visit("legal", legal, nullIf(!legal));
    visit("evidence", evidence);
  }
};

/// What becomes of the value on an edge.
enum class FusionVerdict {
  FusedIntoOp,  ///< the producer becomes part of the consumer's payload
  SameDispatch, ///< two ops of one dispatch: the value stays near the cores
  Cloned,       ///< the consumer's dispatch computes it again, from next to nothing
  Separate,     ///< the value goes through memory
};
inline constexpr const char *fusionVerdictNames[] = {"FUSED_INTO_OP", "SAME_DISPATCH", "CLONED", "SEPARATE"};

/// What is known of an edge, in one word for graph, tables and texts.
enum class FusionState {
  None,      ///< separate, and no loss: it moves no bytes, or an earlier step decided it
  Fused,     ///< whatever the verdict calls it
  Possible,  ///< a transform was tried, and fuses it
  Tried,     ///< transforms were tried, and none fuses it
  NotTried,  ///< nobody knows: no transform was tried yet
  Impossible ///< the two ops cannot share loops, and no transform that was tried changes that
};
inline constexpr const char *fusionStateNames[] = {
    "none", "fused", "can_be_fused", "tried_without_success", "not_tried", "cannot_be_fused"};
/// As texts and legends say it.
inline constexpr const char *fusionStateWords[] = {
    "", "fused", "can be fused", "tried without success", "not tried yet", "cannot be fused"};
inline constexpr size_t fusionStateCount = std::size(fusionStateNames);

/// Ids as in the graph.
template <class Types = StdTypes> struct FusionEdge {
  static constexpr const char *messageName = "FusionEdge";
  Text<Types> function;
  Int64<Types> from = 0, to = 0;
  int operand = 0;
  Text<Types> fromOp, toOp, fromLoc, toLoc, type;
  Text<Types> fromName, toName; ///< "%q_mm", as the user's text calls it; empty: no result
  FusionVerdict verdict = FusionVerdict::Separate;
  FusionState state = FusionState::None;
  bool missed = false;                      ///< it is not fused, and moves bytes, or nobody knows how many
  std::optional<bool> legal;                ///< fused, or could be as the ops stand; none: that was not tried
  List<Types, FusionReason<Types>> reasons; ///< the deciding one first
  Texts<Types> unlocks;                     ///< transforms, each of which alone fuses the edge
  Texts<Types> tried;                       ///< transforms that do not, alone or one after the other
  Int64<Types> bytes = -1;                  ///< that fusing saves; -1: unknown
  double microseconds = -1;                 ///< at the report's bandwidth; -1: unknown
  double share = -1;                        ///< of all bytes that the dispatches move, 0 to 1; -1: unknown
  int group = -1;                           ///< index of the FusionGroup that it is in

  template <class Visitor> void fields(Visitor &visit) {
    visit("function", function);
    visit("from", from);
    visit("to", to);
    visit("operand", operand);
    visit("from_op", fromOp);
    visit("to_op", toOp);
    visit("from_name", fromName);
    visit("to_name", toName);
    visit("from_loc", fromLoc);
    visit("to_loc", toLoc);
    visit("type", type);
    visit.choice("verdict", verdict, fusionVerdictNames);
    visit.choice("state", state, fusionStateNames);
    visit("missed", missed);
    visit("legal", legal, nullIf(!legal));
    visit("details", reasons);
    visit("unlocks", unlocks);
    visit("tried", tried, leftOutIf(tried.empty()));
    visit("bytes", bytes, nullIf(bytes < 0));
    visit.rounded("est_us", microseconds, 1e-3, nullIf(microseconds < 0));
    visit.rounded("share", share, 1e-6, nullIf(share < 0));
    visit("group", group, leftOutIf(group < 0));
    // For who reads the report without a program: the codes alone.
    visit.derived("reasons", [&] {
      Texts<Types> codes;
      for (const FusionReason<Types> &reason : reasons)
        codes.push_back(reason.code);
      return codes;
    });
    visit.derived(
        "reason", [&] { return reasons.front().code; }, nullIf(isEmpty(reasons)));
    visit.derived(
        "sub_reason", [&] { return reasons.front().kind; }, nullIf(isEmpty(reasons) || isEmpty(reasons.front().kind)));
  }
};

/// Edges of one function that are the same but for where they are: equal ops at both ends (areEqualOps), in equal
/// dispatches, with the same verdict, reasons, unlocks and bytes.
template <class Types = StdTypes> struct FusionGroup {
  static constexpr const char *messageName = "FusionGroup";
  Numbers<Types> edges;     ///< indices into the report's, ascending; never empty
  Int64<Types> bytes = -1;  ///< that fusing all of them saves, one by one; -1: unknown
  double microseconds = -1; ///< at the report's bandwidth; -1: unknown
  double share = -1;        ///< of all bytes that the dispatches move; -1: unknown
  /// The layers, or other parts of the model, that the edges are in, each once; empty: the edge is alone, or in none.
  Texts<Types> layers;

  template <class Visitor> void fields(Visitor &visit) {
    visit("edges", edges);
    visit("layers", layers, leftOutIf(layers.empty()));
    visit("bytes", bytes, nullIf(bytes < 0));
    visit.rounded("est_us", microseconds, 1e-3, nullIf(microseconds < 0));
    visit.rounded("share", share, 1e-6, nullIf(share < 0));
  }
};

/// Ops that become one kernel.
template <class Types = StdTypes> struct FusionDispatch {
  static constexpr const char *messageName = "FusionDispatch";
  Text<Types> function, name, kind;
  Int64<Types> root = -1; ///< -1: not known
  Numbers<Types> ops;
  Int64<Types> bytes = -1;
  bool bytesAtMost = false; ///< data decides what it reads; it may be less

  template <class Visitor> void fields(Visitor &visit) {
    visit("function", function);
    visit("name", name);
    visit("kind", kind);
    visit("root", root, nullIf(root < 0));
    visit("ops", ops);
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("bytes_at_most", bytesAtMost, leftOutIf(!bytesAtMost));
  }
};

/// An op that is in a dispatch or at an end of an edge, by what it is: hashes (16 hexadecimal digits) that do not
/// depend on names, numbers, places or the order of functions, so that a report of a later revision can be compared.
template <class Types = StdTypes> struct FusionOp {
  static constexpr const char *messageName = "FusionOp";
  Int64<Types> op = -1;
  Text<Types> name, loc;
  Text<Types> form;  ///< the op itself: name, attributes, types, regions
  Text<Types> above; ///< form, and all that it is computed from
  Text<Types> below; ///< form, and all that is computed from it
  Text<Types> near;  ///< form, and the forms of its producers and users

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("name", name);
    visit("loc", loc);
    visit("form", form);
    visit("above", above);
    visit("below", below);
    visit("near", near);
  }
};

/// How many there are of what a report lists: every text and view that counts says these.
template <class Types = StdTypes> struct FusionTotals {
  static constexpr const char *messageName = "FusionTotals";
  Int64<Types> dispatches = 0, edges = 0;
  Int64<Types> fusedIntoOp = 0, sameDispatch = 0, cloned = 0, separate = 0; ///< of the edges
  Int64<Types> missed = 0;                                                  ///< of the separate ones, and of these:
  Int64<Types> canBeFused = 0, triedWithoutSuccess = 0, notTried = 0, cannotBeFused = 0;
  Int64<Types> bytes = -1;       ///< of all dispatches; -1: some are unknown
  bool bytesAtMost = false;      ///< data decides what some read; it may be less
  Int64<Types> missedBytes = -1; ///< fusing saves at most these; -1: not known
  double missedMicroseconds = -1;
  Int64<Types> fused() const { return edges - separate; }

  template <class Visitor> void fields(Visitor &visit) {
    visit("dispatches", dispatches);
    visit("edges", edges);
    visit("fused_into_op", fusedIntoOp);
    visit("same_dispatch", sameDispatch);
    visit("cloned", cloned);
    visit("separate", separate);
    visit("missed", missed);
    visit("can_be_fused", canBeFused);
    visit("tried_without_success", triedWithoutSuccess);
    visit("not_tried", notTried);
    visit("cannot_be_fused", cannotBeFused);
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("bytes_at_most", bytesAtMost);
    visit("missed_bytes", missedBytes, nullIf(missedBytes < 0));
    visit.rounded("missed_us", missedMicroseconds, 1e-3, nullIf(missedMicroseconds < 0));
  }
};

/// Two nests of affine.for of one block that share a buffer, and whether the first can be computed inside of the
/// second.
template <class Types = StdTypes> struct LoopFusion {
  static constexpr const char *messageName = "LoopFusion";
  Int64<Types> from = -1, to = -1; ///< ops
  int fromLine = 0, toLine = 0;    ///< in the file, from 1; 0: unknown
  Text<Types> function;
  Text<Types> kind;     ///< "producer": the first writes what the second reads; "sibling": both read it
  Texts<Types> buffers; ///< "%t"
  int depth = 0;        ///< the deepest loop of the second that the first fits into, from 1; 0: none
  Text<Types> reason;   ///< a sentence

  template <class Visitor> void fields(Visitor &visit) {
    visit("from", from);
    visit("to", to);
    visit("from_line", fromLine);
    visit("to_line", toLine);
    visit("function", function);
    visit("kind", kind);
    visit("buffers", buffers);
    visit("depth", depth);
    visit("reason", reason);
  }
};

template <class Types = StdTypes> struct FusionReport {
  static constexpr const char *messageName = "fusion/report";
  static constexpr bool repeatsTexts = true; ///< many edges name the same ops and places
  int version = 1;
  int snapshot = -1; ///< -1: a file's, not a document's
  Text<Types> policy;
  double gbps = 0;
  Text<Types>
      gbpsSource; ///< "assumed", "given", "measured on vulkan:0", or "by what was measured on vulkan:0, 12 samples"
  Texts<Types> unproven; ///< functions whose edges have no unlocks, because none were tried
  FusionTotals<Types> totals;
  List<Types, FusionDispatch<Types>> dispatches;
  List<Types, FusionEdge<Types>> edges;   ///< in program order
  List<Types, FusionGroup<Types>> groups; ///< of all edges; what saves most comes first
  List<Types, LoopFusion<Types>> loops;   ///< pairs of nests of affine loops
  List<Types, FusionOp<Types>> ops;       ///< of edges and dispatches; in files of the command line only

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("snapshot", snapshot, leftOutIf(snapshot < 0));
    visit("policy", policy);
    visit("gbps", gbps);
    visit("gbps_source", gbpsSource);
    visit.derived("measure", std::string_view("predicted"));
    visit("unproven", unproven);
    visit("totals", totals);
    visit("dispatches", dispatches);
    visit("edges", edges);
    visit("groups", groups);
    visit("loops", loops, leftOutIf(loops.empty()));
    visit("ops", ops, leftOutIf(ops.empty()));
  }
};

/// What a goal gained where it was measured.
template <class Types = StdTypes> struct FuseTimes {
  static constexpr const char *messageName = "FuseTimes";
  Text<Types> device;
  double before = -1, after = -1;   ///< microseconds: the less of two readings
  double noise = -1;                ///< what readings of the dispatches that differ lay apart
  double predicted = unknownNumber; ///< microseconds less by prediction; NaN: sizes are not known

  template <class Visitor> void fields(Visitor &visit) {
    visit("device", device);
    visit("us_before", before);
    visit("us_after", after);
    visit("noise_us", noise);
    visit("predicted_us", predicted, nullIf(predicted != predicted));
  }
};

/// What a part of a goal gains: the program without it, less the program with all that is kept.
template <class Types = StdTypes> struct FusePart {
  static constexpr const char *messageName = "FusePart";
  Text<Types> pass;
  bool kept = true;
  Int64<Types> dispatches = 0;      ///< less, by prediction
  Int64<Types> bytes = 0;           ///< less through memory, by prediction; means nothing where `predicted` is NaN
  double us = 0;                    ///< less, as measured
  double noise = 0;                 ///< what is less than that was not measured, in microseconds
  double predicted = unknownNumber; ///< microseconds less by prediction; NaN: sizes are not known

  template <class Visitor> void fields(Visitor &visit) {
    visit("pass", pass);
    visit("kept", kept);
    visit("dispatches", dispatches);
    visit("bytes", bytes, nullIf(predicted != predicted));
    visit("us", us);
    visit("noise_us", noise);
    visit("predicted_us", predicted, nullIf(predicted != predicted));
  }
};

template <class Types = StdTypes> struct FuseResult {
  static constexpr const char *messageName = "fusion/fuse";
  FusionHistory<Types> history;
  bool fused = false;
  Text<Types> pipeline;
  Texts<Types> reasons; ///< where it is not fused
  Texts<Types> dropped; ///< parts of all that pays that did not, with why
  int tries = 0;
  Texts<Types> tried; ///< where it is not fused: the transforms that the tries were made of
  bool gaveUp = false;
  Text<Types> measure;    ///< "predicted" or "measured"
  Text<Types> prediction; ///< what is predicted goes by that: "assumed", "by what was measured on host, 12 samples"
  std::optional<FuseTimes<Types>> times;
  List<Types, FusePart<Types>> parts; ///< measured, where there are more than one
  int dispatchesBefore = 0, dispatchesAfter = 0;
  int first = 0; ///< number of the first new step

  template <class Visitor> void fields(Visitor &visit) {
    history.fields(visit);
    visit("fused", fused);
    visit("pipeline", pipeline);
    visit("reasons", reasons);
    visit("dropped", dropped);
    visit("tries", tries);
    visit("tried", tried, leftOutIf(tried.empty()));
    visit("gave_up", gaveUp);
    visit("measure", measure);
    visit("prediction", prediction);
    visit("times", times, nullIf(!times));
    visit("parts", parts);
    visit("dispatches_before", dispatchesBefore);
    visit("dispatches_after", dispatchesAfter);
    visit("first", first);
  }
};

template <class Types = StdTypes> struct FuseProgress {
  static constexpr const char *messageName = "fusion/progress";
  Text<Types> phase; ///< "search", "apply", "measure" or "check"
  Text<Types> what;  ///< the pass that is next
  int done = 0, total = 0;
  Text<Types> found; ///< of a search for all that pays: the pipeline of what pays so far; empty: nothing yet

  template <class Visitor> void fields(Visitor &visit) {
    visit("phase", phase);
    visit("what", what);
    visit("done", done);
    visit("total", total);
    visit("found", found, leftOutIf(isEmpty(found)));
  }
};

/// Where the dispatches of a snapshot were formed, and which edge there became one between two of them.
template <class Types = StdTypes> struct FusionDecision {
  static constexpr const char *messageName = "fusion/decided";
  int step = -1;                   ///< that formed them
  Text<Types> name;                ///< of that step
  int snapshot = -1;               ///< before it
  Int64<Types> from = -1, to = -1; ///< ops in that snapshot; -1: not found
  int operand = -1;                ///< of `to`; -1: there is no such edge

  template <class Visitor> void fields(Visitor &visit) {
    visit("step", step);
    visit("name", name);
    visit("snapshot", snapshot);
    visit("from", from, nullIf(from < 0));
    visit("to", to, nullIf(to < 0));
    visit("operand", operand, nullIf(operand < 0));
  }
};

template <class Types = StdTypes> struct Bandwidth {
  static constexpr const char *messageName = "fusion/bandwidth";
  Text<Types> device;
  double gbps = 0;
  Text<Types> source; ///< "measured on host", "by what was measured on host, 12 samples"

  template <class Visitor> void fields(Visitor &visit) {
    visit("device", device);
    visit("gbps", gbps);
    visit("source", source);
  }
};

/// What the dispatches of a snapshot are and cost: counts as the totals of its FusionReport, and what is predicted of
/// one pass, each dispatch once.
template <class Types = StdTypes> struct StepCost {
  static constexpr const char *messageName = "fusion/cost";
  int snapshot = 0;
  Int64<Types> dispatches = 0;
  Int64<Types> bytes = -1;    ///< through memory; -1: some are unknown
  bool bytesAtMost = false;   ///< data decides what some read; it may be less
  Int64<Types> launches = -1; ///< of kernels in one call of the function, at least; -1: unknown
  double predictedUs = -1;    ///< launching and moving alone; -1: bytes are unknown
  Text<Types> device;         ///< that it is predicted for; empty: none
  Text<Types> prediction;     ///< "assumed", or "by what was measured on vulkan:0, 12 samples"

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot);
    visit("dispatches", dispatches);
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("bytes_at_most", bytesAtMost);
    visit("launches_at_least", launches, nullIf(launches < 0));
    visit("predicted_us", predictedUs, nullIf(predictedUs < 0));
    visit("device", device);
    visit("prediction", prediction);
  }
};

/// A reason, with its page in Markdown.
template <class Types = StdTypes> struct ReasonHelp {
  static constexpr const char *messageName = "ReasonHelp";
  Text<Types> code, kindOf, sentence, page;
  bool legal = false;
  Texts<Types> unlocks;

  template <class Visitor> void fields(Visitor &visit) {
    visit("code", code);
    visit("kind_of", kindOf);
    visit("sentence", sentence);
    visit("legal", legal);
    visit("unlocks", unlocks);
    visit("page", page);
  }
};
template <class Types = StdTypes> struct ReasonHelps {
  static constexpr const char *messageName = "fusion/help";
  List<Types, ReasonHelp<Types>> reasons;

  template <class Visitor> void fields(Visitor &visit) { visit("reasons", reasons); }
};

} // namespace fuselage::message
