// What running a dispatch's kernels on an emulated GPU found.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

/// A thread at an op. Workgroups and threads are counted in a row, x first; -1: not of a single one.
template <class Types = StdTypes> struct KernelFindingPlace {
  static constexpr const char *messageName = "KernelFindingPlace";
  Text<Types> op;        ///< "memref.store"; empty: nobody else is involved
  Text<Types> loc;       ///< "file:line:col" of what the op comes from; empty: unknown
  Int64<Types> line = 0; ///< in the listing of the stage "mapped", from 1; 0: unknown
  Text<Types> text;      ///< that line
  Int64<Types> workgroup = -1, thread = -1;

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("loc", loc);
    visit("line", line);
    visit("text", text);
    visit("workgroup", workgroup);
    visit("thread", thread);
  }
};

/// Something that is wrong, as it was seen first.
template <class Types = StdTypes> struct KernelFinding {
  static constexpr const char *messageName = "KernelFinding";
  Text<Types> kind;    ///< "read-write race", "out of bounds", ..
  Text<Types> message; ///< a sentence
  KernelFindingPlace<Types> first, second;
  Text<Types> buffer;     ///< empty: no memory is involved
  List<Types, int> index; ///< of the element; empty: unknown
  Int64<Types> count = 0; ///< how often these two ops did so

  template <class Visitor> void fields(Visitor &visit) {
    visit("kind", kind);
    visit("message", message);
    visit("first", first);
    visit("second", second);
    visit("buffer", buffer);
    visit("index", index);
    visit("count", count);
  }
};

template <class Types = StdTypes> struct CheckedLaunch {
  static constexpr const char *messageName = "CheckedLaunch";
  Text<Types> name;
  List<Types, int> grid, block;
  Int64<Types> workgroupsRun = 0, workgroups = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("grid", grid);
    visit("block", block);
    visit("workgroups_run", workgroupsRun);
    visit("workgroups", workgroups);
  }
};

template <class Types = StdTypes> struct KernelCheck {
  static constexpr const char *messageName = "KernelCheck";
  Text<Types> dispatch;
  Int64<Types> index = -1; ///< the dispatch's number in the program; -1: it is a function as it was written
  Text<Types> loc, target, chip;
  bool ok = false;     ///< there are no findings, and results that were compared are right
  Text<Types> summary; ///< a sentence: what was found, and how
  List<Types, CheckedLaunch<Types>> launches;
  List<Types, KernelFinding<Types>> findings;
  Int64<Types> accesses = 0, barriers = 0; ///< that were checked; that workgroups passed
  Int64<Types> compared = 0, elements = 0; ///< of the results: with the reference, and all
  double maxAbsError = unknownNumber;      ///< of those that were compared
  List<Types, Text<Types>> notes;          ///< what was left out, and why

  template <class Visitor> void fields(Visitor &visit) {
    visit("dispatch", dispatch);
    visit("dispatch_index", index);
    visit("loc", loc);
    visit("target", target);
    visit("chip", chip);
    visit("ok", ok);
    visit("summary", summary);
    visit("launches", launches);
    visit("findings", findings);
    visit("accesses", accesses);
    visit("barriers", barriers);
    visit("compared", compared);
    visit("elements", elements);
    visit("max_abs_error", maxAbsError);
    visit("notes", notes);
  }
};

/// Workgroups of the launch that a check is at.
template <class Types = StdTypes> struct KernelProgress {
  static constexpr const char *messageName = "kernel/progress";
  int done = 0, total = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("done", done);
    visit("total", total);
  }
};

} // namespace fuselage::message
