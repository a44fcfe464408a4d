// Which pieces of work of two programs are the same. Internal to core/graph/compare.
#pragma once
#include "core/graph/compare/DispatchItems.h"
#include "llvm/ADT/ArrayRef.h"

namespace fuselage {

/// Pairs (place in `a`, place in `b`), in order of `a`. First the products and convolutions are aligned: as many as can
/// be in the order of both, those of the same extents, parameters and places rather than others of the same size.
/// Between two of these pairs, reductions and elementwise work of the same size are aligned in the same way; what is
/// left pairs with what is left close by, in any order. Elementwise work of a dispatch without a partner pairs with the
/// piece that work before it pairs with, if that is of the same size: the other side made one of both. Time and memory:
/// the product of the numbers of products on both sides.
std::vector<std::pair<unsigned, unsigned>> alignItems(llvm::ArrayRef<const WorkItem *> a,
                                                      llvm::ArrayRef<const WorkItem *> b);

} // namespace fuselage
