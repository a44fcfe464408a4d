// What is known of a document once its IR was read: plain data, so that whoever reads a text that kills MLIR can be
// another process.
#pragma once
#include "core/protocol/Diagnostics.h"
#include <string>
#include <vector>

namespace fuselage::lsp {

/// Lines and columns count from 0; -1: unknown. Costs below 0 are unknown, too.
struct OpFact {
  int line = -1, column = -1;
  std::string op{}, label{};                ///< "linalg.matmul", "matmul 128x768x768"
  std::vector<std::string> types{}, maps{}; ///< of results; of operands
  std::string iterators{};                  ///< "parallel, parallel, reduction"
  std::string parameter{};                  ///< the model's parameter that it brings
  int dispatch = -1, layer = -1;            ///< into DocumentFacts
  int64_t flops = -1, bytesRead = -1, bytesWritten = -1;
  bool bytesAtMost = false; ///< data decides what is touched

  template <class Visitor> void fields(Visitor &visit) {
    visit("line", line);
    visit("column", column);
    visit("op", op);
    visit("label", label);
    visit("types", types);
    visit("maps", maps);
    visit("iterators", iterators);
    visit("parameter", parameter);
    visit("dispatch", dispatch);
    visit("layer", layer);
    visit("flops", flops);
    visit("read", bytesRead);
    visit("written", bytesWritten);
    visit("at_most", bytesAtMost);
  }
};

/// Ops that become one kernel.
struct DispatchFact {
  std::string name{}, kind{};
  int line = -1; ///< of its root
  int ops = 0;
  int64_t bytes = -1;
  bool bytesAtMost = false;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("kind", kind);
    visit("line", line);
    visit("ops", ops);
    visit("bytes", bytes);
    visit("at_most", bytesAtMost);
  }
};

/// A value between two ops, as `fuselage explain` judges it.
struct EdgeFact {
  int fromLine = -1, fromColumn = -1, toLine = -1, toColumn = -1;
  std::string id{};       ///< "12:15:0", as `fuselage fuse --edge` takes it
  std::string name{};     ///< "%q_mm", or the op where it has no name
  std::string verdict{};  ///< "fused into the op", "separate"
  std::string state{};    ///< "can be fused"; empty: no loss
  std::string reason{};   ///< "MULTI_USE"
  std::string sentence{}; ///< the reason in words
  std::vector<std::string> unlocks{};
  bool missed = false;
  int64_t bytes = -1; ///< that fusing saves

  template <class Visitor> void fields(Visitor &visit) {
    visit("from_line", fromLine);
    visit("from_column", fromColumn);
    visit("to_line", toLine);
    visit("to_column", toColumn);
    visit("id", id);
    visit("name", name);
    visit("verdict", verdict);
    visit("state", state);
    visit("reason", reason);
    visit("sentence", sentence);
    visit("unlocks", unlocks);
    visit("missed", missed);
    visit("bytes", bytes);
  }
};

/// A part of the model, as its exporter named it.
struct LayerFact {
  std::string path{}, label{}, kind{}; ///< "encoder.layer.3", "layer.3", "layer"
  int parent = -1;
  int first = -1, last = -1; ///< lines of its ops

  template <class Visitor> void fields(Visitor &visit) {
    visit("path", path);
    visit("label", label);
    visit("kind", kind);
    visit("parent", parent);
    visit("first", first);
    visit("last", last);
  }
};

/// What is known of a line of a schedule: what its handles hold, and which forms hold before it.
struct ScheduleFact {
  int line = -1;
  std::string text{}; ///< "%mm: 2 linalg.matmul; CanonicalForm"

  template <class Visitor> void fields(Visitor &visit) {
    visit("line", line);
    visit("text", text);
  }
};

struct DocumentFacts {
  std::vector<message::Diagnostic<>> diagnostics{};
  std::vector<OpFact> ops{}; ///< by line
  std::vector<DispatchFact> dispatches{};
  std::vector<EdgeFact> edges{};
  std::vector<LayerFact> layers{};      ///< each after the one around it
  std::vector<ScheduleFact> schedule{}; ///< by line
  std::vector<std::string> forms{};     ///< normal forms that some function is not in, and that can be made
  bool isJudged = false;                ///< the edges are all that there are
  bool isLowered = false;               ///< they are of what the text is lowered to first, such as linalg for StableHLO
  std::string problem{};                ///< why the edges are not known

  template <class Visitor> void fields(Visitor &visit) {
    visit("diagnostics", diagnostics);
    visit("ops", ops);
    visit("dispatches", dispatches);
    visit("edges", edges);
    visit("layers", layers);
    visit("schedule", schedule);
    visit("forms", forms);
    visit("is_judged", isJudged);
    visit("is_lowered", isLowered);
    visit("problem", problem);
  }
};

} // namespace fuselage::lsp
