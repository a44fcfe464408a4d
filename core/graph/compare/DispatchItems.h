// What the dispatches of a program compute, in a form in which two compilers' programs can be aligned.
#pragma once
#include "core/graph/model/Graph.h"
#include "mlir/IR/BuiltinOps.h"
#include <set>

namespace fuselage {

/// One piece of work of a dispatch. Elementwise ops of one size that follow each other count as one: compilers merge
/// them as they like.
struct WorkItem {
  enum class Kind { Move, Elementwise, Reduction, Other, Contraction, Convolution };
  Kind kind = Kind::Other;
  int64_t size = -1;            ///< points of the iteration domain; -1: dynamic
  std::vector<int64_t> extents; ///< of the iteration domain without ones, sorted
  std::set<std::string> marks;  ///< parameters that it reads, and places in the user's file
  std::string label;            ///< "matmul 128x768x768"
  unsigned dispatch = 0;
  uint64_t company = 0; ///< equal numbers: of dispatches with the same work in them
  bool isHeavy() const { return kind == Kind::Contraction || kind == Kind::Convolution; }
};

struct ItemizedDispatch {
  /// Whether it only moves data, such as a copy into another layout.
  bool onlyMoves() const;

  OpId op = 0; ///< that stands for it in the graph: the region, the call; of a planned one its root
  GraphDispatch summary;
  std::vector<WorkItem> items;   ///< in program order; never empty
  std::set<std::string> names;   ///< that the exporter gave its ops: "jit(f)/Block_0/dot_general"
  std::vector<unsigned> readers; ///< dispatches of the program that read what it makes, in order
  std::vector<int64_t> forms; ///< numbers of its ops in program order, the same for equal ops of the module (EqualOps)
};

/// The dispatches of all host functions, in program order.
struct ItemizedProgram {
  std::vector<ItemizedDispatch> dispatches;
  bool planned = false; ///< the module has none; these are those that the policy would form
};

ItemizedProgram itemize(mlir::ModuleOp module);

} // namespace fuselage
