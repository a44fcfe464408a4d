// Equal layers, blocks, heads: groups of nodes that repeat one after the other.
#pragma once
#include "core/graph/model/FlowIndex.h"

namespace fuselage {

/// What counts as a repeat.
struct RepeatOptions {
  unsigned leastCount = 3;  ///< instances
  unsigned leastSaved = 12; ///< nodes in all instances but the first
  bool similarEnds = true;  ///< takes in a first and a last instance that differ a little
};

/// Finds repeats in one function, from GraphNode::form, the edges and the nesting, and returns them
/// outer before inner. An instance is a run of nodes in program order with the nodes inside of them;
/// weights, constants, empty tensors and fills of them go with the instance that alone reads them. The
/// instances of a repeat are equal node by node in form, and operand by operand in where it comes
/// from: the same node of the same instance, a weight, a constant of equal form, or outside of the instance (where the
/// first of a chain may have a constant). What is there three times is found where it is there twice, too, and so is
/// what makes up most of a function. One instance before the equal ones and one after them may differ in a few
/// nodes: the first layer of a model prepares what the others share, the last one leaves out what nobody reads. Of the
/// places where a repeat may be cut, the one is taken that the fewest values cross; no planned dispatch is cut. Repeats
/// within an instance are found as well. Method: maximal runs of equal forms in program order (findPeriodicRuns), then
/// exact comparison of the edges. O(n log n) in nodes plus edges.
std::vector<GraphRepeat> findRepeats(const FlowIndex &flow, const RepeatOptions &options = {});

} // namespace fuselage
