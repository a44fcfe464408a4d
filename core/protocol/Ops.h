// What there is to say of one op.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include <optional>

namespace fuselage::message {

template <class Types = StdTypes> struct OpResult {
  static constexpr const char *messageName = "OpResult";
  Text<Types> name;
  Text<Types> type;
  Int64<Types> bytes = -1;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("type", type);
    visit("bytes", bytes);
  }
};
template <class Types = StdTypes> struct OpOperand {
  static constexpr const char *messageName = "OpOperand";
  Text<Types> name;
  Text<Types> type;
  std::optional<Int64<Types>> from; ///< the node that it comes from; none: a block argument that is no node
  Text<Types> group;                ///< the keyword that it is written after: "ins", "offsets"; or empty

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("type", type);
    visit("from", from, nullIf(!from));
    visit("group", group);
  }
};
template <class Types = StdTypes> struct OpAttribute {
  static constexpr const char *messageName = "OpAttribute";
  Text<Types> name;
  Text<Types> value;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("value", value);
  }
};
/// Where an op came from, an op of the opened document.
template <class Types = StdTypes> struct Origin {
  static constexpr const char *messageName = "Origin";
  int snapshot = 0;
  Int64<Types> id = 0;
  int line = -1;
  Text<Types> name; ///< "linalg.matmul %scores"

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot);
    visit("id", id);
    visit("line", line);
    visit("name", name);
  }
};
/// A weight or a constant of more than one element that an op reads, directly or through ops on such alone.
template <class Types = StdTypes> struct OpPort {
  static constexpr const char *messageName = "OpPort";
  Int64<Types> id = 0; ///< of its node in the graph, where weights are nodes
  Text<Types> name;    ///< "encoder.layer.3.output.dense.weight"
  Text<Types> type;    ///< "tensor<768x3072xf32>"
  Int64<Types> bytes = -1;
  bool isConstant = false; ///< else a weight

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit("name", name);
    visit("type", type);
    visit("bytes", bytes);
    visit("constant", isConstant, leftOutIf(!isConstant));
  }
};
template <class Types = StdTypes> struct OpDetails {
  static constexpr const char *messageName = "op/details";
  Int64<Types> id = 0;
  Text<Types> op;
  Text<Types> loc;
  int first = -1;
  int last = -1;
  List<Types, OpResult<Types>> results;
  List<Types, OpOperand<Types>> operands;
  List<Types, OpAttribute<Types>> attributes;
  Texts<Types> maps;
  Text<Types> iterators;
  Int64<Types> flops = -1;
  Int64<Types> bytesRead = -1;
  Int64<Types> bytesWritten = -1;
  bool bytesAtMost = false; ///< data decides what is read: it may be less
  int dispatch = -1;
  Numbers<Types> users;
  Texts<Types> userNames; ///< "linalg.matmul %scores", by user
  List<Types, Origin<Types>> provenance;
  List<Types, OpPort<Types>> ports; ///< the first ones of a part that has very many
  int portCount = 0;
  int inside = 0;             ///< of a part of the model: the ops in it
  bool callsDispatch = false; ///< what is fused in it was decided in an earlier step (fusion/decided)
  Text<Types> role, detail;   ///< "tile load", and a sentence; empty where nothing is known

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit("op", op);
    visit("role", role);
    visit("detail", detail);
    visit("loc", loc);
    visit("first", first);
    visit("last", last);
    visit("results", results);
    visit("operands", operands);
    visit("attributes", attributes);
    visit("maps", maps);
    visit("iterators", iterators);
    visit("flops", flops);
    visit("bytes_read", bytesRead);
    visit("bytes_written", bytesWritten);
    visit("bytes_at_most", bytesAtMost, leftOutIf(!bytesAtMost));
    visit("dispatch", dispatch);
    visit("users", users);
    visit("user_names", userNames);
    visit("provenance", provenance);
    visit("ports", ports, leftOutIf(isEmpty(ports)));
    visit("port_count", portCount, leftOutIf(portCount == 0));
    visit("inside", inside, leftOutIf(inside == 0));
    visit("calls_dispatch", callsDispatch, leftOutIf(!callsDispatch));
  }
};

} // namespace fuselage::message
