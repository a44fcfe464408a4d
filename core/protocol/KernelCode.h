// A dispatch's kernels as code, at every stage that there is, and what can be told of them.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

/// Something that is known of a kernel, and how it was got: measured by a tool, counted in a listing, computed of a
/// chip's limits. What is not known has none.
template <class Types = StdTypes> struct KernelFact {
  static constexpr const char *messageName = "KernelFact";
  Text<Types> key;   ///< "registers": stays the same for programs
  Text<Types> label; ///< "registers a thread"
  Text<Types> value; ///< "40", "at most 256 B", "8 of 32 blocks, by registers"
  double number = unknownNumber;
  Text<Types> how; ///< "ptxas -v for sm_90"

  template <class Visitor> void fields(Visitor &visit) {
    visit("key", key);
    visit("label", label);
    visit("value", value);
    visit("number", number);
    visit("how", how);
  }
};

/// One launch of the dispatch; the host's code has no grid.
template <class Types = StdTypes> struct KernelUnit {
  static constexpr const char *messageName = "KernelUnit";
  Text<Types> entry;
  List<Types, int> grid, block;
  List<Types, KernelFact<Types>> facts;

  template <class Visitor> void fields(Visitor &visit) {
    visit("entry", entry);
    visit("grid", grid);
    visit("block", block);
    visit("facts", facts);
  }
};

/// Lines `first` to `last` of a listing, from 1, come from here.
template <class Types = StdTypes> struct ListingPlace {
  static constexpr const char *messageName = "ListingPlace";
  Int64<Types> first = 0, last = 0;
  Text<Types> file;
  Int64<Types> line = 0, column = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("first", first);
    visit("last", last);
    visit("file", file);
    visit("line", line);
    visit("column", column);
  }
};

/// The code at a stage: of one kernel, or of the dispatch as a whole.
template <class Types = StdTypes> struct KernelListing {
  static constexpr const char *messageName = "KernelListing";
  Text<Types> stage;  ///< "linalg", "mapped", "spirv", "glsl", "llvm", "ptx", "sass", "asm"
  Text<Types> title;  ///< "SPIR-V assembly"
  Text<Types> kernel; ///< its entry; empty: all of the dispatch
  Text<Types> madeBy; ///< "spirv-dis", "LLVM's NVPTX backend"
  Text<Types> text;
  bool cut = false;                        ///< there is more than was sent
  List<Types, ListingPlace<Types>> places; ///< in order; lines without one are of unknown origin

  template <class Visitor> void fields(Visitor &visit) {
    visit("stage", stage);
    visit("title", title);
    visit("kernel", kernel);
    visit("made_by", madeBy);
    visit("text", text);
    visit("cut", cut);
    visit("places", places);
  }
};

template <class Types = StdTypes> struct KernelCode {
  static constexpr const char *messageName = "KernelCode";
  Text<Types> dispatch;
  Int64<Types> index = -1; ///< the dispatch's number in the program
  Text<Types> loc;         ///< where its root op comes from
  Text<Types> target;      ///< "spirv", "ptx", "host"
  Text<Types> chip;        ///< of PTX; of the host, the processor's name
  List<Types, KernelUnit<Types>> kernels;
  List<Types, KernelListing<Types>> listings;
  List<Types, Text<Types>> missing; ///< what is left out, and why: a sentence each

  template <class Visitor> void fields(Visitor &visit) {
    visit("dispatch", dispatch);
    visit("dispatch_index", index);
    visit("loc", loc);
    visit("target", target);
    visit("chip", chip);
    visit("kernels", kernels);
    visit("listings", listings);
    visit("missing", missing);
  }
};

} // namespace fuselage::message
