// A model as a tree: modules, stages, layers, dispatches, ops.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

enum class OutlineKind { Module, Function, Stage, Layer, Block, Dispatch, Op };
inline constexpr const char *outlineKinds[] = {"module", "function", "stage", "layer", "block", "dispatch", "op"};

/// Numbers are sums over all that is in the row. Those of time belong to the report of a run: its kernels go by the
/// `loc` of their dispatch.
template <class Types = StdTypes> struct OutlineRow {
  static constexpr const char *messageName = "OutlineRow";
  int id = 0;      ///< its index in Outline::rows
  int parent = -1; ///< id of the row around it, which comes before it
  OutlineKind kind = OutlineKind::Module;
  Text<Types> name;          ///< "encoder.layer.3.attention"; of dispatches and ops their own
  Text<Types> label;         ///< among its siblings: "attention"
  Int64<Types> node = -1;    ///< the op to go to, of a dispatch its root
  Int64<Types> cluster = -1; ///< the id that graph/scene knows it by (a cluster or a node); -1: it is not drawn as one
  Int64<Types> outside = -1; ///< the cluster between it and the row around it, if there is one
  int ops = 0;
  int dispatches = 0;
  Int64<Types> bytes = 0; ///< that its dispatches read and write; -1: unknown
  bool bytesAtMost = false;
  Int64<Types> flops = 0; ///< of its dispatches; -1: unknown
  int missed = 0;         ///< missed fusions with both ends in it
  Text<Types> loc;        ///< of a dispatch, as in `dispatch_locs` of a scene
  int form = -1;          ///< siblings of equal numbers are equal but for where they are: in all numbers, ops and parts

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit("parent", parent);
    visit.choice("kind", kind, outlineKinds);
    visit("name", name);
    visit("label", label);
    visit("node", node);
    visit("cluster", cluster);
    visit("outside", outside, leftOutIf(outside == -1));
    visit("ops", ops);
    visit("dispatches", dispatches);
    visit("bytes", bytes);
    visit("bytes_at_most", bytesAtMost, leftOutIf(!bytesAtMost));
    visit("flops", flops);
    visit("missed", missed);
    visit("loc", loc, leftOutIf(isEmpty(loc)));
    visit("form", form, leftOutIf(form < 0));
  }
};

template <class Types = StdTypes> struct Outline {
  static constexpr const char *messageName = "graph/outline";
  int snapshot = 0;
  bool judged = true;                  ///< false: nobody knows what is `missed`
  List<Types, OutlineRow<Types>> rows; ///< parents before children, in the order of a tree that is open

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot);
    visit("judged", judged);
    visit("rows", rows);
  }
};

} // namespace fuselage::message
