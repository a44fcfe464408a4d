// An FX graph and its kernels as a module of MLIR: a function per graph, a flow.dispatch.region per kernel, an op per
// node, called as torch calls it ("aten.add.Tensor").
#pragma once
#include "core/inductor/CompiledGraph.h"
#include <set>

namespace fuselage::inductor {

/// Writes modules. What is written parses, whatever names and texts the graphs have.
class ModuleText {
public:
  /// `writer`: who made the graphs, "TorchInductor of torch 2.9.1".
  explicit ModuleText(llvm::StringRef writer);
  /// Adds the functions of a graph. Failure: its kernels cannot be put in an order.
  llvm::Error add(const CompiledGraph &graph);
  /// The module; and what there is to say about it.
  std::string take();
  std::vector<Diagnostic> takeNotes() { return std::move(notes_); }

private:
  std::string text_;
  std::vector<Diagnostic> notes_;
  std::set<std::string> names_; // of functions
  unsigned functions_ = 0;      // numbers those that have one name
};

} // namespace fuselage::inductor
