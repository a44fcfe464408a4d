// Steps of a recording, and what they did.
#pragma once
#include "core/protocol/Diagnostics.h"
#include <optional>

namespace fuselage::message {

/// What a step of a fusion was for, and how far the host's results are from those before.
template <class Types = StdTypes> struct StepFusion {
  static constexpr const char *messageName = "StepFusion";
  Text<Types> reason;   ///< the code that the pass is against, "CONSUMER_CONTRACTION"; may be empty
  int dispatches = 0;   ///< that the module has after the step, by the policy
  bool checked = false; ///< the host ran the module of before the fusion, and that after the step
  double maxAbsError = unknownNumber, maxRelError = unknownNumber;
  bool ok = true;
  Text<Types> note; ///< why it was not checked

  template <class Visitor> void fields(Visitor &visit) {
    visit("reason", reason);
    visit("dispatches", dispatches);
    visit("checked", checked);
    visit("max_abs_error", maxAbsError);
    visit("max_rel_error", maxRelError);
    visit("ok", ok);
    visit("note", note);
  }
};

/// Leads from one snapshot to another.
template <class Types = StdTypes> struct Step {
  static constexpr const char *messageName = "Step";
  int index = 0;
  Text<Types> name;
  Text<Types> pass;
  Text<Types> options;
  Text<Types> pipeline;
  Text<Types> teaches;
  Text<Types> scope;        ///< the op that a dumped pass ran on; empty: the whole module
  Text<Types> origin;       ///< where a dumped step stands; empty: recorded here
  double milliseconds = -1; ///< negative: nobody measured
  int before = -1;          ///< snapshots; -1: the log does not have it
  int after = -1;
  bool changed = false;
  bool failed = false;
  Map<Types, Int64<Types>> opDelta;
  List<Types, Diagnostic<Types>> diagnostics;
  std::optional<StepFusion<Types>> fusion; ///< of steps that fuse

  template <class Visitor> void fields(Visitor &visit) {
    visit("index", index);
    visit("name", name);
    visit("pass", pass);
    visit("options", options);
    visit("pipeline", pipeline);
    visit("teaches", teaches);
    visit("scope", scope);
    visit("origin", origin);
    visit("milliseconds", milliseconds, nullIf(milliseconds < 0));
    visit("before", before, nullIf(before < 0));
    visit("after", after, nullIf(after < 0));
    visit("changed", changed);
    visit("failed", failed);
    visit("op_delta", opDelta);
    visit("diagnostics", diagnostics);
    visit("fusion", fusion, leftOutIf(!fusion));
  }
};

/// The recording as fusions and undo leave it.
template <class Types = StdTypes> struct FusionHistory {
  static constexpr const char *messageName = "fusion/undo";
  List<Types, Step<Types>> steps;
  int kept = 0;           ///< steps that stay when something is recorded
  int undo = 0, redo = 0; ///< fusions that can be undone and done again

  template <class Visitor> void fields(Visitor &visit) {
    visit("steps", steps);
    visit("kept", kept);
    visit("undo", undo);
    visit("redo", redo);
  }
};

/// What was recorded.
template <class Types = StdTypes> struct Recording : FusionHistory<Types> {
  static constexpr const char *messageName = "pipeline/record";
  bool failed = false;
  bool cancelled = false;               ///< the steps are those that had finished
  List<Types, Diagnostic<Types>> notes; ///< why the default pipeline was cut

  template <class Visitor> void fields(Visitor &visit) {
    FusionHistory<Types>::fields(visit);
    visit("failed", failed);
    visit("cancelled", cancelled, leftOutIf(!cancelled));
    visit("notes", notes);
  }
};

/// Sent before a pass runs, so that a crash can be named.
template <class Types = StdTypes> struct StepStarted {
  static constexpr const char *messageName = "step/started";
  int index = 0;
  int total = 0;
  Text<Types> name;
  Text<Types> pass;
  Text<Types> pipeline;

  template <class Visitor> void fields(Visitor &visit) {
    visit("index", index);
    visit("total", total);
    visit("name", name);
    visit("pass", pass);
    visit("pipeline", pipeline);
  }
};

/// An op of the snapshot after a step.
template <class Types = StdTypes> struct GraphDiffNode {
  static constexpr const char *messageName = "GraphDiffNode";
  Int64<Types> id = 0;
  Text<Types> change;     ///< "same", "added" or "changed"
  Numbers<Types> origins; ///< ids before the step

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit("change", change);
    visit("origins", origins);
  }
};
template <class Types = StdTypes> struct GraphDiff {
  static constexpr const char *messageName = "step/graphDiff";
  List<Types, GraphDiffNode<Types>> after;
  Numbers<Types> removed;

  template <class Visitor> void fields(Visitor &visit) {
    visit("after", after);
    visit("removed", removed);
  }
};

} // namespace fuselage::message
