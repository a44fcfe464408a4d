// What became worse between two reports on fusion, and whether a policy allows it.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include <iterator>

namespace fuselage::message {

enum class GateKind {
  NewMissed,      ///< an edge is missed that the base does not have, or not as a missed one
  LostFusion,     ///< what the base fuses goes through memory
  MoreDispatches, ///< in all
  MoreBytes       ///< that all dispatches move
};
inline constexpr const char *gateKindNames[] = {"new-missed", "lost", "dispatches", "bytes"};
inline constexpr size_t gateKindCount = std::size(gateKindNames);

/// An op, as a finding names it.
template <class Types = StdTypes> struct GateOp {
  static constexpr const char *messageName = "GateOp";
  Int64<Types> op = -1; ///< -1: there is none
  Text<Types> name, value, loc;

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("name", name);
    visit("value", value, leftOutIf(isEmpty(value)));
    visit("loc", loc);
  }
};

template <class Types = StdTypes> struct GateFinding {
  static constexpr const char *messageName = "GateFinding";
  GateKind kind = GateKind::NewMissed;
  bool allowed = false;
  Text<Types> function, message;
  GateOp<Types> from, to;  ///< `to` alone, of a dispatch: its root
  Text<Types> reason;      ///< code of the deciding reason; empty: none
  Texts<Types> unlocks;    ///< transforms that fuse the edge
  Int64<Types> bytes = -1; ///< more through memory; -1: unknown
  Text<Types> fingerprint; ///< the same for the same finding of another run

  template <class Visitor> void fields(Visitor &visit) {
    visit.choice("kind", kind, gateKindNames);
    visit("allowed", allowed);
    visit("function", function);
    visit("message", message);
    visit("from", from, leftOutIf(from.op < 0));
    visit("to", to, leftOutIf(to.op < 0));
    visit("reason", reason, leftOutIf(isEmpty(reason)));
    visit("unlocks", unlocks, leftOutIf(unlocks.empty()));
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("fingerprint", fingerprint);
  }
};

template <class Types = StdTypes> struct GateCount {
  static constexpr const char *messageName = "GateCount";
  GateKind kind = GateKind::NewMissed;
  Int64<Types> base = 0, now = 0; ///< missed edges, fused edges, dispatches, bytes; -1: unknown
  Int64<Types> worse = 0;         ///< by so many; -1: unknown now, and known before
  Text<Types> allowed;            ///< as the policy says it: "0", "5%", "any"
  bool passed = true;

  template <class Visitor> void fields(Visitor &visit) {
    visit.choice("kind", kind, gateKindNames);
    visit("base", base, nullIf(base < 0));
    visit("now", now, nullIf(now < 0));
    visit("worse", worse, nullIf(worse < 0));
    visit("allowed", allowed);
    visit("passed", passed);
  }
};

template <class Types = StdTypes> struct FusionGate {
  static constexpr const char *messageName = "FusionGate";
  int version = 1;
  Text<Types> file, base, policy;
  bool passed = true;
  Int64<Types> better = 0;              ///< edges that the base misses, and that are fused or gone now
  List<Types, GateCount<Types>> counts; ///< one of each kind
  List<Types, GateFinding<Types>> findings;

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("file", file);
    visit("base", base);
    visit("policy", policy);
    visit("passed", passed);
    visit("better", better);
    visit("counts", counts);
    visit("findings", findings);
  }
};

} // namespace fuselage::message
