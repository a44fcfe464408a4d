// What bufferization makes of a module: buffers, copies with their conflicts, peaks.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include <algorithm>
#include <optional>

namespace fuselage::message {

/// What is dynamic counts as the least it can be; -1 bytes: nobody knows.
template <class Types = StdTypes> struct BufferBytes {
  static constexpr const char *messageName = "BufferBytes";
  Int64<Types> bytes = 0;
  bool lowerBound = false;

  template <class Visitor> void fields(Visitor &visit) {
    visit("bytes", bytes);
    visit("lower_bound", lowerBound);
  }
};
/// By memory space.
template <class Types = StdTypes> using BufferPeaks = Map<Types, BufferBytes<Types>>;

/// op -1: there is none.
template <class Types = StdTypes> struct BufferPlace {
  static constexpr const char *messageName = "BufferPlace";
  Int64<Types> op = -1;
  int operand = -1;

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("operand", operand);
  }
};

/// Of a write to what is read-only there is no read, and the definition is what must not be written.
template <class Types = StdTypes> struct BufferConflict {
  static constexpr const char *messageName = "BufferConflict";
  BufferPlace<Types> read, write;
  Int64<Types> definition = -1;
  int result = -1, argument = -1; ///< of the definition; one of them is -1
  bool isNone() const { return write.op < 0 && definition < 0; }

  template <class Visitor> void fields(Visitor &visit) {
    visit("read", read, nullIf(read.op < 0));
    visit("conflicting_write", write, nullIf(write.op < 0));
    visit.group("last_write", [&](auto &last) {
      last("op", definition, nullIf(definition < 0));
      last("result", result, nullIf(result < 0));
      last("argument", argument, nullIf(argument < 0));
    });
  }
};

template <class Types = StdTypes> struct BufferOperand {
  static constexpr const char *messageName = "BufferOperand";
  BufferPlace<Types> place;
  Text<Types> value; ///< "%3"
  Text<Types> type;  ///< "tensor<4x8xf32>"
  bool inPlace = true, reads = false, writes = false;
  Text<Types> reason; ///< a code, empty where nothing was made
  Text<Types> sentence;
  BufferConflict<Types> conflict;
  int buffer = -1; ///< index into BuffersReport::buffers: its copy, or new buffer
  int group = -1;  ///< index of the BufferGroup that it is in

  template <class Visitor> void fields(Visitor &visit) {
    place.fields(visit);
    visit("value", value);
    visit("type", type);
    visit("in_place", inPlace);
    visit("reads", reads);
    visit("writes", writes);
    visit("reason", reason, nullIf(isEmpty(reason)));
    visit("sentence", sentence);
    visit("conflict", conflict, nullIf(conflict.isNone()));
    visit("buffer", buffer, nullIf(buffer < 0));
    visit("group", group, leftOutIf(group < 0));
  }
};

/// A buffer that the module makes, or that bufferization makes for it. Of a module on tensors, `first`
/// and `last` are the ops on tensors whose bufferized forms make and use it last.
template <class Types = StdTypes> struct Buffer {
  static constexpr const char *messageName = "Buffer";
  Int64<Types> op = -1;            ///< that it is made for; of an argument the function
  int operand = -1, argument = -1; ///< of a copy the operand that it stands in for; of an argument or attribution
  /// "copy" (its contents come from another buffer), "alloc", "stack", "attribution", "call result",
  /// "carried" or "argument"
  Text<Types> kind;
  Text<Types> reason;
  Text<Types> sentence;
  Text<Types> function;
  Text<Types> type;
  Text<Types> space;
  BufferBytes<Types> size;
  Int64<Types> first = -1, last = -1; ///< ops, inclusive, in program order
  bool freed = false, escapes = false;
  int group = -1; ///< index of the BufferGroup that it is in

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("operand", operand, nullIf(operand < 0));
    visit("argument", argument, nullIf(argument < 0));
    visit("kind", kind);
    visit("reason", reason, nullIf(isEmpty(reason)));
    visit("sentence", sentence);
    visit("function", function);
    visit("type", type);
    visit("space", space);
    size.fields(visit);
    visit("first", first);
    visit("last", last);
    visit("freed", freed);
    visit("escapes", escapes);
    visit("group", group, leftOutIf(group < 0));
  }
};

/// Data that an op moves. `reader` to `destination` are of copies that the program asks for: the op that reads the copy
/// first, the first one that writes to the copy or its source afterwards (-1: there is none), and the values ("%t").
template <class Types = StdTypes> struct BufferMove {
  static constexpr const char *messageName = "BufferMove";
  Int64<Types> op = -1;
  Int64<Types> reader = -1, writer = -1;
  Text<Types> source, destination;
  Text<Types> reason;
  Text<Types> sentence;
  BufferBytes<Types> size;
  bool remains = true; ///< false: source and destination turn out to be the same, and clean-up drops it
  int group = -1;      ///< index of the BufferGroup that it is in

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("reader", reader, nullIf(reader < 0));
    visit("writer", writer, nullIf(writer < 0));
    visit("source", source, nullIf(isEmpty(source)));
    visit("destination", destination, nullIf(isEmpty(destination)));
    visit("reason", reason, nullIf(isEmpty(reason)));
    visit("sentence", sentence);
    size.fields(visit);
    visit("remains", remains);
    visit("group", group, leftOutIf(group < 0));
  }
};

/// Operands, buffers or moves of one function, or of equal dispatches, that are the same but for where they are: equal
/// ops (areEqualOps), in equal ops, with the same reason, type and size, and of a conflict equal ops on either side.
template <class Types = StdTypes> struct BufferGroup {
  static constexpr const char *messageName = "BufferGroup";
  Numbers<Types> operands, buffers, moves; ///< indices into the report's, ascending; one of them is not empty
  BufferBytes<Types> size;                 ///< of all of them; of operands what their copies and new buffers take

  template <class Visitor> void fields(Visitor &visit) {
    visit("operands", operands, leftOutIf(isEmpty(operands)));
    visit("buffers", buffers, leftOutIf(isEmpty(buffers)));
    visit("moves", moves, leftOutIf(isEmpty(moves)));
    size.fields(visit);
  }
};

/// The peak of a function in a memory space.
template <class Types = StdTypes> struct BufferPeak {
  static constexpr const char *messageName = "BufferPeak";
  Text<Types> function;
  Text<Types> space;
  BufferBytes<Types> size;
  Int64<Types> at = -1; ///< op

  template <class Visitor> void fields(Visitor &visit) {
    visit("function", function);
    visit("space", space);
    size.fields(visit);
    visit("at", at, nullIf(at < 0));
  }
};

/// An op that the report speaks of.
template <class Types = StdTypes> struct BufferOp {
  static constexpr const char *messageName = "BufferOp";
  Int64<Types> id = -1;
  Text<Types> name;     ///< "linalg.matmul"
  Text<Types> function; ///< that it is in
  Text<Types> loc;      ///< "file:line:col", or empty
  Text<Types> layer;    ///< that it lies in, as the graph names it: "layer 3"; empty: in none
  int line = -1;        ///< of the snapshot, from 0; -1: of a file's report

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit("op", name);
    visit("function", function);
    visit("loc", loc);
    visit("layer", layer, leftOutIf(isEmpty(layer)));
    visit("line", line, leftOutIf(line < 0));
  }
};

template <class Types = StdTypes> struct BufferProblem {
  static constexpr const char *messageName = "BufferProblem";
  Int64<Types> op = -1;
  Text<Types> message;

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op, nullIf(op < 0));
    visit("message", message);
  }
};

/// The node of the graph for an argument that the report names.
template <class Types = StdTypes> struct BufferArgument {
  static constexpr const char *messageName = "BufferArgument";
  Int64<Types> op = -1; ///< the function
  int argument = -1;    ///< its number
  Int64<Types> node = -1;

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("argument", argument);
    visit("node", node);
  }
};

template <class Types = StdTypes> struct BuffersReport {
  static constexpr const char *messageName = "buffers/report";
  int version = 1;
  int snapshot = -1; ///< -1: a file's, not a document's
  bool hasTensors = false;
  bool complete = true;                       ///< all of it could be bufferized
  List<Types, BufferOperand<Types>> operands; ///< in program order
  List<Types, Buffer<Types>> buffers;         ///< by function, in program order
  List<Types, BufferMove<Types>> moves;
  List<Types, BufferGroup<Types>> groups; ///< of all operands, buffers and moves; what takes most comes first
  List<Types, BufferPeak<Types>> memory;  ///< by function and memory space
  BufferPeaks<Types> peaks;               ///< the largest of all functions
  BufferBytes<Types> copied;              ///< that copies and moves write, each once
  /// Empty tensors of the module that need no buffer: what is written to them is written where it goes.
  Numbers<Types> eliminated;
  Map<Types, Int64<Types>> sizes; ///< of dynamic dimensions that were given and used: "arg0.1" -> 128
  List<Types, BufferProblem<Types>> problems;
  List<Types, BufferOp<Types>> ops;                            ///< all that the above name, by id
  std::optional<List<Types, BufferArgument<Types>>> arguments; ///< of a document's snapshot

  /// Null: the report does not speak of it.
  const BufferOp<Types> *op(Int64<Types> id) const {
    const auto found = std::lower_bound(ops.begin(), ops.end(), id,
                                        [](const BufferOp<Types> &op, Int64<Types> wanted) { return op.id < wanted; });
    return found != ops.end() && found->id == id ? &*found : nullptr;
  }
  /// -1: the report does not speak of it, or has no lines.
  int lineOf(Int64<Types> id) const { return op(id) ? op(id)->line : -1; }
  /// The node of the graph that stands for where the conflict's buffer comes from.
  Int64<Types> nodeOf(const BufferConflict<Types> &conflict) const {
    if (arguments && conflict.argument >= 0)
      for (const BufferArgument<Types> &known : *arguments)
        if (known.op == conflict.definition && known.argument == conflict.argument)
          return known.node;
    return conflict.definition;
  }

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("snapshot", snapshot, leftOutIf(snapshot < 0));
    visit("has_tensors", hasTensors);
    visit("complete", complete);
    visit("operands", operands);
    visit("buffers", buffers);
    visit("moves", moves);
    visit("groups", groups);
    visit("memory", memory);
    visit("peaks", peaks);
    visit("copied", copied);
    visit("eliminated", eliminated);
    visit("sizes", sizes);
    visit("problems", problems);
    visit("ops", ops);
    visit("arguments", arguments, leftOutIf(!arguments));
  }
};

/// The answer with `peaksOnly`.
template <class Types = StdTypes> struct SnapshotPeaks {
  static constexpr const char *messageName = "SnapshotPeaks";
  int snapshot = -1;
  BufferPeaks<Types> peaks;

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot);
    visit("peaks", peaks);
  }
};

/// Why a buffer was made, with the page in Markdown.
template <class Types = StdTypes> struct BufferReasonHelp {
  static constexpr const char *messageName = "BufferReasonHelp";
  Text<Types> code, sentence, page;

  template <class Visitor> void fields(Visitor &visit) {
    visit("code", code);
    visit("sentence", sentence);
    visit("page", page);
  }
};
template <class Types = StdTypes> struct BufferReasonHelps {
  static constexpr const char *messageName = "buffers/help";
  List<Types, BufferReasonHelp<Types>> reasons;

  template <class Visitor> void fields(Visitor &visit) { visit("reasons", reasons); }
};

} // namespace fuselage::message
