#include "core/codegen/host/kernels/LoopJoin.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace fuselage {

namespace {

/// Joins what can be joined of one kernel. Shapes are kept apart from the operands until all is known.
class Joiner {
public:
  Joiner(OpBuilder &builder, LoopKernel &kernel) : builder_(builder), kernel_(kernel) {}
  void join();

private:
  using Groups = SmallVector<ReassociationIndices>;
  unsigned loops() const { return kernel_.ranges.size(); }
  AffineExpr dim(unsigned loop) { return getAffineDimExpr(loop, builder_.getContext()); }
  void start();
  void leaveOut(unsigned loop);
  void mergeWhere(unsigned operand, unsigned position, AffineExpr merged);
  bool canMerge(unsigned operand, unsigned position) const;
  void mergeUnits();
  std::optional<unsigned> placeOf(unsigned operand, unsigned outer, unsigned inner);
  bool joinPair(unsigned outer, unsigned inner);
  void makeViews();

  OpBuilder &builder_;
  LoopKernel &kernel_;
  SmallVector<SmallVector<int64_t>> shapes_; ///< by operand, as merged so far
  SmallVector<Groups> groups_;               ///< by operand: which of its dimensions each of those is
};

} // namespace

void Joiner::start() {
  for (Value operand : kernel_.operands) {
    auto type = llvm::dyn_cast<MemRefType>(operand.getType());
    shapes_.emplace_back(type ? type.getShape() : ArrayRef<int64_t>());
    Groups &groups = groups_.emplace_back();
    for (int64_t i = 0; type && i < type.getRank(); ++i)
      groups.push_back({i});
  }
}

/// The loop is gone; what used it has been rewritten.
void Joiner::leaveOut(unsigned loop) {
  SmallVector<AffineExpr> renamed;
  for (unsigned each = 0; each < loops(); ++each)
    renamed.push_back(each == loop ? getAffineConstantExpr(0, builder_.getContext()) : dim(each - (each > loop)));
  for (AffineMap &map : kernel_.maps)
    map = map.replaceDimsAndSymbols(renamed, {}, loops() - 1, 0);
  kernel_.ranges.erase(kernel_.ranges.begin() + loop);
  if (!kernel_.members.empty())
    kernel_.members.erase(kernel_.members.begin() + loop);
  kernel_.iterators.erase(kernel_.iterators.begin() + loop);
}

/// Whether a dimension of an operand and the next one are one in memory.
bool Joiner::canMerge(unsigned operand, unsigned position) const {
  ReassociationIndices both = groups_[operand][position];
  llvm::append_range(both, groups_[operand][position + 1]);
  SmallVector<ReassociationIndices> parts;
  auto type = llvm::cast<MemRefType>(kernel_.operands[operand].getType());
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (!llvm::is_contained(both, i))
      parts.push_back({i});
    else if (i == both.front())
      parts.push_back(both);
  return memref::CollapseShapeOp::isGuaranteedCollapsible(type, parts);
}

void Joiner::mergeWhere(unsigned operand, unsigned position, AffineExpr merged) {
  auto &shape = shapes_[operand];
  shape[position] *= shape[position + 1];
  shape.erase(shape.begin() + position + 1);
  auto &groups = groups_[operand];
  llvm::append_range(groups[position], groups[position + 1]);
  groups.erase(groups.begin() + position + 1);
  SmallVector<AffineExpr> results(kernel_.maps[operand].getResults());
  results[position] = merged;
  results.erase(results.begin() + position + 1);
  kernel_.maps[operand] = AffineMap::get(loops(), 0, results, builder_.getContext());
}

/// Dimensions of one element go with the next one, or with the one before.
void Joiner::mergeUnits() {
  for (unsigned operand = 0; operand < kernel_.operands.size(); ++operand)
    for (unsigned position = 0; position + 1 < shapes_[operand].size();) {
      AffineMap map = kernel_.maps[operand];
      auto isUnit = [&](unsigned at) {
        return shapes_[operand][at] == 1 && map.getResult(at) == getAffineConstantExpr(0, builder_.getContext());
      };
      if ((isUnit(position) || isUnit(position + 1)) && canMerge(operand, position))
        mergeWhere(operand, position, map.getResult(isUnit(position) ? position + 1 : position));
      else
        ++position;
    }
}

/// Where an operand has two loops next to each other and uses neither elsewhere.
std::optional<unsigned> Joiner::placeOf(unsigned operand, unsigned outer, unsigned inner) {
  AffineMap map = kernel_.maps[operand];
  auto position = map.getResultPosition(dim(inner));
  if (!position || *position == 0 || shapes_[operand][*position] != kernel_.ranges[inner])
    return std::nullopt;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    if ((i != *position && map.getResult(i).isFunctionOfDim(inner)) ||
        (i + 1 != *position && map.getResult(i).isFunctionOfDim(outer)))
      return std::nullopt;
  AffineExpr before = map.getResult(*position - 1);
  AffineExpr rest = simplifyAffineExpr(before - dim(outer), loops(), 0);
  if (rest.isFunctionOfDim(outer) || !canMerge(operand, *position - 1))
    return std::nullopt;
  return *position - 1;
}

/// True if both are one now, in the outer one's place.
bool Joiner::joinPair(unsigned outer, unsigned inner) {
  // Sums that go in order stay in it.
  if (kernel_.iterators[outer] != kernel_.iterators[inner] || (!kernel_.isParallel(outer) && inner != outer + 1))
    return false;
  SmallVector<std::optional<unsigned>> places;
  for (auto [operand, map] : llvm::enumerate(kernel_.maps)) {
    places.push_back(std::nullopt);
    if (!map.isFunctionOfDim(outer) && !map.isFunctionOfDim(inner))
      continue;
    places.back() = placeOf(operand, outer, inner);
    if (!places.back())
      return false;
  }
  int64_t range = kernel_.ranges[inner];
  for (auto [operand, place] : llvm::enumerate(places))
    if (place) {
      AffineExpr rest = simplifyAffineExpr(kernel_.maps[operand].getResult(*place) - dim(outer), loops(), 0);
      mergeWhere(operand, *place, simplifyAffineExpr(dim(outer) + rest * range, loops(), 0));
    }
  kernel_.ranges[outer] *= range;
  if (!kernel_.members.empty())
    llvm::append_range(kernel_.members[outer], kernel_.members[inner]);
  leaveOut(inner);
  return true;
}

void Joiner::makeViews() {
  for (auto [operand, groups] : llvm::zip_equal(kernel_.operands, groups_))
    if (auto type = llvm::dyn_cast<MemRefType>(operand.getType()); type && int64_t(groups.size()) != type.getRank())
      operand = memref::CollapseShapeOp::create(builder_, kernel_.loc, operand, groups);
}

void Joiner::join() {
  start();
  for (unsigned loop = loops(); loop-- > 0;)
    if (kernel_.ranges[loop] == 1 && loops() > 1)
      leaveOut(loop);
  mergeUnits();
  for (unsigned outer = 0; outer < loops(); ++outer)
    for (unsigned inner = 0; inner < loops(); ++inner)
      if (outer != inner && joinPair(outer, inner)) {
        outer = -1u; // Others may go with what is one now.
        break;
      }
  makeViews();
}

void joinLoops(OpBuilder &builder, LoopKernel &kernel) {
  bool asks = !kernel.body->getOps<linalg::IndexOp>().empty();
  if (!asks)
    Joiner(builder, kernel).join();
}

} // namespace fuselage
