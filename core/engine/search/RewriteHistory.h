// Which rewrites of a step made, changed or removed ops.
#pragma once
#include "core/ir/module/PrintedModule.h"
#include "core/protocol/Search.h"
#include "core/rewrites/Rewrites.h"
#include "llvm/ADT/ArrayRef.h"

namespace fuselage {

/// Ops of the two sides of a step, and places: what comes from one of these, and neither side has, counts as well.
struct FollowedOps {
  llvm::ArrayRef<OpId> before, after;
  llvm::ArrayRef<mlir::Location> places;
};

/// What rewrites did with the ops, in their order.
std::vector<message::HistoryRewrite<>> rewritesAbout(const RewriteLog &log, const FollowedOps &followed);

} // namespace fuselage
