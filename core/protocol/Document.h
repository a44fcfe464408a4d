// The engine, what is open, and its text.
#pragma once
#include "core/protocol/Steps.h"
#include <optional>

namespace fuselage::message {

/// Of the protocol: client and engine must speak the same.
inline constexpr int version = 1;

template <class Types = StdTypes> struct Initialized {
  static constexpr const char *messageName = "initialize";
  int version = 0;
  Text<Types> engine;
  Text<Types> mlir;
  Int64<Types> pid = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("engine", engine);
    visit("mlir", mlir);
    visit("pid", pid);
  }
};

template <class Types = StdTypes> struct Preset {
  static constexpr const char *messageName = "Preset";
  Text<Types> name;
  Text<Types> pipeline; ///< empty: the default one
  Text<Types> description;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("pipeline", pipeline);
    visit("description", description);
  }
};
template <class Types = StdTypes> struct Pass {
  static constexpr const char *messageName = "Pass";
  Text<Types> argument;
  Text<Types> description;

  template <class Visitor> void fields(Visitor &visit) {
    visit("argument", argument);
    visit("description", description);
  }
};
template <class Types = StdTypes> struct Catalog {
  static constexpr const char *messageName = "pipeline/list";
  List<Types, Preset<Types>> presets;
  List<Types, Pass<Types>> passes;

  template <class Visitor> void fields(Visitor &visit) {
    visit("presets", presets);
    visit("passes", passes);
  }
};

/// Which compiler lowers a module that is in Torch or ONNX.
template <class Types = StdTypes> struct Advice {
  static constexpr const char *messageName = "Advice";
  Text<Types> form;
  Text<Types> program;
  Text<Types> pipeline; ///< for fusion/fuse and pipeline/record
  bool isThere = false;
  Text<Types> install; ///< the command that installs the program where it is not there; empty: there is none
  Text<Types> sentence;

  template <class Visitor> void fields(Visitor &visit) {
    visit("form", form);
    visit("program", program);
    visit("pipeline", pipeline);
    visit("is_there", isThere);
    visit("install", install, leftOutIf(isEmpty(install)));
    visit("sentence", sentence);
  }
};

template <class Types = StdTypes> struct Document {
  static constexpr const char *messageName = "document/open";
  Text<Types> path;
  Text<Types> name;
  Texts<Types> functions;
  Int64<Types> ops = 0;
  Int64<Types> lines = 0; ///< -1: not counted
  Int64<Types> bytes = 0;
  Int64<Types> gaps = 0;      ///< pieces of text that the reader skipped
  Int64<Types> tolerated = 0; ///< ops that the universal parser read
  bool log = false;           ///< a pass-by-pass log; `steps` are its own
  Text<Types> tool;           ///< the command whose log it is, by tool/start; else empty
  Text<Types> source;         ///< the file that the tool ran on
  List<Types, Step<Types>> steps;
  List<Types, Diagnostic<Types>> diagnostics;
  std::optional<Advice<Types>> advice;

  template <class Visitor> void fields(Visitor &visit) {
    visit("path", path);
    visit("name", name);
    visit("functions", functions);
    visit("ops", ops);
    visit("lines", lines);
    visit("bytes", bytes);
    visit("gaps", gaps);
    visit("tolerated", tolerated);
    visit("log", log);
    visit("tool", tool, leftOutIf(isEmpty(tool)));
    visit("source", source, leftOutIf(isEmpty(source)));
    visit("steps", steps, leftOutIf(steps.size() == 0));
    visit("diagnostics", diagnostics);
    visit("advice", advice, leftOutIf(!advice));
  }
};

/// A compiler that is in a folder of PATH.
template <class Types = StdTypes> struct Tool {
  static constexpr const char *messageName = "Tool";
  Text<Types> program;
  Text<Types> path;
  Text<Types> command; ///< how it is mostly called

  template <class Visitor> void fields(Visitor &visit) {
    visit("program", program);
    visit("path", path);
    visit("command", command);
  }
};
template <class Types = StdTypes> struct Tools {
  static constexpr const char *messageName = "tool/list";
  List<Types, Tool<Types>> tools;

  template <class Visitor> void fields(Visitor &visit) { visit("tools", tools); }
};

/// A tool's log, since it was asked for the last time.
template <class Types = StdTypes> struct ToolProgress {
  static constexpr const char *messageName = "tool/poll";
  bool running = false;
  Int64<Types> bytes = 0; ///< of the log
  int first = 0;          ///< number of the first of `steps`; all before it stay
  List<Types, Step<Types>> steps;
  Text<Types> problem; ///< how it ended, if not well

  template <class Visitor> void fields(Visitor &visit) {
    visit("running", running);
    visit("bytes", bytes);
    visit("first", first);
    visit("steps", steps);
    visit("problem", problem);
  }
};

/// What document/open and graph/scene are at.
template <class Types = StdTypes> struct DocumentProgress {
  static constexpr const char *messageName = "document/progress";
  Text<Types> phase; ///< "reading", "graph", "layout"

  template <class Visitor> void fields(Visitor &visit) { visit("phase", phase); }
};

/// What parsing a dump said.
template <class Types = StdTypes> struct SnapshotRead {
  static constexpr const char *messageName = "snapshot/read";
  bool parsed = false;
  Text<Types> problem; ///< why it is not
  Int64<Types> gaps = 0;
  Int64<Types> tolerated = 0;
  List<Types, Diagnostic<Types>> diagnostics;

  template <class Visitor> void fields(Visitor &visit) {
    visit("parsed", parsed);
    visit("problem", problem);
    visit("gaps", gaps);
    visit("tolerated", tolerated);
    visit("diagnostics", diagnostics);
  }
};

template <class Types = StdTypes> struct TextLines {
  static constexpr const char *messageName = "text/lines";
  Int64<Types> first = 0;
  Int64<Types> total = 0;
  Texts<Types> lines;

  template <class Visitor> void fields(Visitor &visit) {
    visit("first", first);
    visit("total", total);
    visit("lines", lines);
  }
};
template <class Types = StdTypes> struct TextMatch {
  static constexpr const char *messageName = "TextMatch";
  int line = 0;
  int column = 0;
  int length = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("line", line);
    visit("column", column);
    visit("length", length);
  }
};
template <class Types = StdTypes> struct TextMatches {
  static constexpr const char *messageName = "text/find";
  List<Types, TextMatch<Types>> matches;
  Int64<Types> total = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("matches", matches);
    visit("total", total);
  }
};
/// The op that a line belongs to; lines [first, last] are its own.
template <class Types = StdTypes> struct OpAt {
  static constexpr const char *messageName = "text/opAt";
  Int64<Types> id = -1;
  int first = -1;
  int last = -1;

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit("first", first);
    visit("last", last);
  }
};

/// Where the name at a place of a text is defined and used.
template <class Types = StdTypes> struct TextUses {
  static constexpr const char *messageName = "text/uses";
  Text<Types> name;                         ///< empty: there is none
  List<Types, TextMatch<Types>> definition; ///< one, or none
  List<Types, TextMatch<Types>> uses;       ///< the first of `total`
  Int64<Types> total = 0;
  bool exact = true; ///< false: by the name alone

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("definition", definition);
    visit("uses", uses);
    visit("total", total);
    visit("exact", exact);
  }
};

/// From `row` on, rows are the lines `line`, .. (from 1) of the file.
template <class Types = StdTypes> struct SourceRun {
  static constexpr const char *messageName = "SourceRun";
  int row = 0;
  int line = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("row", row);
    visit("line", line);
  }
};
/// Lines as somebody wrote them.
template <class Types = StdTypes> struct SourceLines {
  static constexpr const char *messageName = "text/source";
  int snapshot = -1; ///< whose text it is: the one that was asked about, or the first
  Text<Types> file;
  Int64<Types> first = 0;
  Int64<Types> total = 0;
  Texts<Types> lines;
  List<Types, SourceRun<Types>> runs;
  Text<Types> problem; ///< why there is no text

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot);
    visit("file", file);
    visit("first", first);
    visit("total", total);
    visit("lines", lines);
    visit("runs", runs);
    visit("problem", problem);
  }
};
template <class Types = StdTypes> struct SourceRange {
  static constexpr const char *messageName = "SourceRange";
  int first = 0;
  int last = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("first", first);
    visit("last", last);
  }
};
/// Ops of a snapshot, and the rows of text/source that they come from.
template <class Types = StdTypes> struct SourceOps {
  static constexpr const char *messageName = "text/opFrom";
  List<Types, Int64<Types>> ids;
  List<Types, SourceRange<Types>> ranges;

  template <class Visitor> void fields(Visitor &visit) {
    visit("ids", ids);
    visit("ranges", ranges);
  }
};

/// The file that graph/export, step/export, step/reproducer and fusion/save wrote.
template <class Types = StdTypes> struct WrittenFile {
  static constexpr const char *messageName = "step/export";
  Text<Types> path;

  template <class Visitor> void fields(Visitor &visit) { visit("path", path); }
};
/// A reply without content.
template <class Types = StdTypes> struct Nothing {
  static constexpr const char *messageName = "shutdown";
  template <class Visitor> void fields(Visitor &) {}
};

} // namespace fuselage::message
