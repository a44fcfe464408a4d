// What a RewriteWatch is told of ops that are inserted, erased and modified.
#include "core/rewrites/EqualOps.h"
#include "core/rewrites/RewriteWatch.h"

namespace fuselage {

bool RewriteWatch::insertionBegins(mlir::Block *block) {
  if (!isDirect() || changeDepth_ > 0 || !block || !isWatched(block->getParentOp()))
    return false;
  if (!unit_)
    open(RewriteKind::Direct);
  return true;
}

void RewriteWatch::inserted(mlir::Operation *op) {
  const auto [number, isNew] = numbers_.met(op);
  if (!isNew) // it moves
    return;
  if (unit_ && unit_->root < 0 && unit_->inserted.empty())
    unit_->function = log_.ops[number].function;
  if (unit_)
    unit_->inserted.push_back(number);
  else
    pending_.push_back(number);
}

void RewriteWatch::hoisted(mlir::Operation *op) {
  if (!isDriver())
    return;
  bool isNext = log_.rewrites.size() > drivers_.back().rewrites && log_.rewrites.back().kind == RewriteKind::Hoist;
  if (isNext) {
    log_.rewrites.back().modified.push_back(numbers_.of(op));
    return;
  }
  open(RewriteKind::Hoist, numbers_.of(op));
  unit_->modified.push_back(unit_->root);
  close();
}

void RewriteWatch::erased(mlir::Operation *op) {
  if (std::optional<unsigned> number = numbers_.known(op); unit_ && number)
    unit_->erased.push_back(*number);
  if (!inConversion()) // where it stays until the end
    numbers_.forget(op);
}

void RewriteWatch::modified(mlir::Operation *op) {
  if (op->getNumRegions() > 0)
    numbers_.forgetFunction();
  if (unit_)
    unit_->modified.push_back(numbers_.of(op));
}

void RewriteWatch::changeBegins(mlir::Operation *op, bool replaces) {
  if (changeDepth_++ > 0 || !isWatching())
    return;
  if (isDirect()) {
    if (!isWatched(op))
      return;
    op->walk([&](mlir::Operation *nested) { dying_.push_back(nested); });
    bool isCse = log_.passes[passNames_.back()] == "cse";
    if (!unit_)
      open(!isCse ? RewriteKind::Direct : hasEqual(op) ? RewriteKind::Cse : RewriteKind::Dead);
  } else if (unit_) {
    if (inConversion() && regionsDepth_ == 0) // whose listener hears of it at its end
      erased(op);
    return;
  } else if (drivers_.empty() || (inConversion() && op != folding_)) {
    return; // what a conversion does by itself is its end
  } else {
    open(op == folding_ ? RewriteKind::Fold : replaces ? RewriteKind::Cse : RewriteKind::Dead, numbers_.of(op));
  }
  isChanging_ = true;
  unit_->root = numbers_.of(op);
  unit_->function = log_.ops[unit_->root].function;
  unit_->erased.push_back(unit_->root);
}

void RewriteWatch::changeEnds() {
  if (--changeDepth_ > 0 || !isChanging_)
    return;
  isChanging_ = false;
  folding_ = nullptr;
  close();
  for (mlir::Operation *gone : dying_)
    numbers_.forget(gone);
  dying_.clear();
}

void RewriteWatch::modificationEnds(mlir::Operation *op) {
  if (!isDirect() || changeDepth_ > 0 || !isWatched(op))
    return;
  // It has happened by now: what went before it ends with it.
  bool isOfLast = log_.rewrites.size() > std::max(passRewrites_, driverEndRewrites_);
  if (unit_)
    unit_->modified.push_back(numbers_.of(op));
  else if (isOfLast)
    log_.rewrites.back().modified.push_back(numbers_.of(op));
  else
    modifiedBefore_.push_back(numbers_.of(op));
}

void RewriteWatch::regionsBegin(mlir::Operation *owner) {
  if (regionsDepth_++ > 0 || !isWatching() || unit_ || !owner)
    return;
  if (drivers_.empty() && passDepth_ == 0)
    return;
  driverBegins(Driver::Patterns, owner);
  open(RewriteKind::Regions, numbers_.of(owner));
}

void RewriteWatch::regionsEnd(bool changed) {
  if (--regionsDepth_ > 0 || !unit_ || unit_->kind != RewriteKind::Regions)
    return;
  if (changed)
    close();
  else
    unit_.reset();
  driverEnds(false);
}

} // namespace fuselage
