#include "core/transforms/gpu/VectorLanes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/Utils/VectorUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

using namespace mlir;

namespace fuselage {

static SmallVector<int64_t> coordinates(int64_t lane, VectorType type) {
  return delinearize(lane, computeStrides(type.getShape()));
}
static int64_t laneAt(ArrayRef<int64_t> coordinates, VectorType type) {
  return linearize(coordinates, computeStrides(type.getShape()));
}

bool VectorLanes::touches(Operation *op) {
  auto isVector = llvm::IsaPred<VectorType>;
  if (llvm::any_of(op->getOperandTypes(), isVector) || llvm::any_of(op->getResultTypes(), isVector))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isVector))
        return true;
  return false;
}

Value VectorLanes::index(int64_t value) { return arith::ConstantIndexOp::create(builder_, loc_, value); }
Value VectorLanes::both(Value a, Value b) {
  return !a ? b : !b ? a : Value(arith::AndIOp::create(builder_, loc_, a, b));
}

/// Of a scalar, itself.
VectorLanes::Lanes VectorLanes::lanesOf(Value value) {
  return isa<VectorType>(value.getType()) ? lanes_.lookup(value) : Lanes{value};
}

void VectorLanes::set(Value result, Lanes lanes) {
  if (isa<VectorType>(result.getType()))
    lanes_[result] = std::move(lanes);
  else
    result.replaceAllUsesWith(lanes.front());
}

void VectorLanes::constants(arith::ConstantOp op) {
  auto dense = cast<DenseElementsAttr>(op.getValue());
  Lanes lanes;
  for (Attribute value : dense.getValues<Attribute>()) {
    if (dense.isSplat() && !lanes.empty())
      lanes.push_back(lanes.front());
    else
      lanes.push_back(arith::ConstantOp::create(builder_, loc_, cast<TypedAttr>(value)));
  }
  set(op.getResult(), std::move(lanes));
}

void VectorLanes::elementwise(Operation *op) {
  auto type = cast<VectorType>(op->getResult(0).getType());
  Lanes lanes;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    OperationState state(loc_, op->getName());
    for (Value operand : op->getOperands())
      state.operands.push_back(isa<VectorType>(operand.getType()) ? lanes_[operand][lane] : operand);
    state.addTypes(type.getElementType());
    state.addAttributes(op->getAttrs());
    lanes.push_back(builder_.create(state)->getResult(0));
  }
  set(op->getResult(0), std::move(lanes));
}

void VectorLanes::broadcast(vector::BroadcastOp op) {
  Lanes source = lanesOf(op.getSource()), lanes;
  auto type = op.getResultVectorType();
  auto from = dyn_cast<VectorType>(op.getSourceType());
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    SmallVector<int64_t> place;
    if (from) {
      llvm::append_range(place, ArrayRef(coordinates(lane, type)).take_back(from.getRank()));
      for (auto [dim, at] : llvm::enumerate(place))
        at = from.getDimSize(dim) == 1 ? 0 : at;
    }
    lanes.push_back(source[from ? laneAt(place, from) : 0]);
  }
  set(op.getResult(), std::move(lanes));
}

/// The first of the lanes that a position stands for; nullopt: it is known only when it runs.
static std::optional<int64_t> firstLane(ArrayRef<int64_t> position, VectorType type) {
  if (llvm::is_contained(position, ShapedType::kDynamic))
    return std::nullopt;
  SmallVector<int64_t> place(position);
  place.resize(type.getRank(), 0);
  return laneAt(place, type);
}

LogicalResult VectorLanes::extract(vector::ExtractOp op) {
  std::optional<int64_t> first = firstLane(op.getStaticPosition(), op.getSourceVectorType());
  if (!first)
    return op.emitOpError("takes an element whose place is known only when it runs");
  auto part = dyn_cast<VectorType>(op.getType());
  Lanes source = lanesOf(op.getSource());
  set(op.getResult(), Lanes(ArrayRef(source).slice(*first, part ? part.getNumElements() : 1)));
  return success();
}

LogicalResult VectorLanes::insert(vector::InsertOp op) {
  std::optional<int64_t> first = firstLane(op.getStaticPosition(), op.getDestVectorType());
  if (!first)
    return op.emitOpError("writes an element whose place is known only when it runs");
  Lanes lanes = lanesOf(op.getDest()), value = lanesOf(op.getValueToStore());
  llvm::copy(value, lanes.begin() + *first);
  set(op.getResult(), std::move(lanes));
  return success();
}

void VectorLanes::slice(VectorType whole, ArrayAttr offsets, VectorType part,
                        llvm::function_ref<void(int64_t, int64_t)> each) {
  size_t leading = whole.getRank() - part.getRank();
  for (int64_t lane = 0; lane < part.getNumElements(); ++lane) {
    SmallVector<int64_t> place(leading, 0);
    llvm::append_range(place, coordinates(lane, part));
    for (auto [dim, offset] : llvm::enumerate(offsets))
      place[dim] += cast<IntegerAttr>(offset).getInt();
    each(laneAt(place, whole), lane);
  }
}

void VectorLanes::mask(Value result, llvm::function_ref<Value(unsigned)> size) {
  auto type = cast<VectorType>(result.getType());
  Lanes lanes;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value inside;
    for (auto [dim, at] : llvm::enumerate(coordinates(lane, type)))
      inside = both(inside, arith::CmpIOp::create(builder_, loc_, arith::CmpIPredicate::slt, index(at), size(dim)));
    lanes.push_back(inside);
  }
  set(result, std::move(lanes));
}

void VectorLanes::reduce(vector::ReductionOp op) {
  Lanes source = lanesOf(op.getVector());
  Value sum = op.getAcc();
  for (Value lane : source)
    sum = sum ? vector::makeArithReduction(builder_, loc_, op.getKind(), sum, lane, op.getFastmathAttr()) : lane;
  set(op.getResult(), {sum});
}

VectorLanes::Access VectorLanes::accessOf(VectorTransferOpInterface op) {
  Access access{op.getBase(),       op.getMask(),           op.getIndices(),
                op.getVectorType(), op.getPermutationMap(), op.getInBoundsValues()};
  return access;
}

/// The part of a mask that goes with a lane: masks have the order of the memory's dimensions, and none for those that
/// are repeated.
static SmallVector<int64_t> placeInMask(ArrayRef<int64_t> lane, AffineMap map) {
  std::map<unsigned, int64_t> byDim;
  for (auto [at, result] : llvm::zip_equal(lane, map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      byDim[dim.getPosition()] = at;
  return llvm::map_to_vector(byDim, [](const auto &entry) { return entry.second; });
}

VectorLanes::Place VectorLanes::placeOf(const Access &access, ArrayRef<int64_t> lane) {
  Place place{llvm::to_vector(access.indices), Value()};
  if (access.mask) {
    auto type = cast<VectorType>(access.mask.getType());
    place.condition = lanes_[access.mask][laneAt(placeInMask(lane, access.map), type)];
  }
  for (auto [at, result, isInside] : llvm::zip_equal(lane, access.map.getResults(), access.inBounds)) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim)
      continue;
    Value &position = place.indices[dim.getPosition()];
    if (at != 0)
      position = arith::AddIOp::create(builder_, loc_, position, index(at));
    if (isInside)
      continue;
    Value size = memref::DimOp::create(builder_, loc_, access.base, dim.getPosition());
    place.condition =
        both(place.condition, arith::CmpIOp::create(builder_, loc_, arith::CmpIPredicate::slt, position, size));
  }
  return place;
}

/// `otherwise`: a vector with what a lane has whose element is not read; null: `padding`.
void VectorLanes::read(Value result, const Access &access, Value padding, Value otherwise) {
  Lanes lanes, others = otherwise ? lanesOf(otherwise) : Lanes();
  Type element = access.type.getElementType();
  std::map<SmallVector<int64_t>, Value> known; // what is repeated is read once
  for (int64_t lane = 0; lane < access.type.getNumElements(); ++lane) {
    SmallVector<int64_t> at = coordinates(lane, access.type);
    Value &value = known[placeInMask(at, access.map)];
    if (!value || otherwise) {
      Place place = placeOf(access, at);
      auto load = [&](OpBuilder &builder, Location loc) {
        return memref::LoadOp::create(builder, loc, access.base, place.indices).getResult();
      };
      if (!place.condition) {
        value = load(builder_, loc_);
      } else {
        Value instead = otherwise ? others[lane] : padding;
        if (instead.getDefiningOp<ub::PoisonOp>()) // whatever it is
          instead = arith::ConstantOp::create(builder_, loc_, builder_.getZeroAttr(element));
        auto branch = scf::IfOp::create(
            builder_, loc_, place.condition,
            [&](OpBuilder &builder, Location loc) { scf::YieldOp::create(builder, loc, load(builder, loc)); },
            [&](OpBuilder &builder, Location loc) { scf::YieldOp::create(builder, loc, instead); });
        value = branch.getResult(0);
      }
    }
    lanes.push_back(value);
  }
  set(result, std::move(lanes));
}

void VectorLanes::write(Value vector, const Access &access) {
  Lanes lanes = lanesOf(vector);
  for (int64_t lane = 0; lane < access.type.getNumElements(); ++lane) {
    Place place = placeOf(access, coordinates(lane, access.type));
    auto store = [&](OpBuilder &builder, Location loc) {
      memref::StoreOp::create(builder, loc, lanes[lane], access.base, place.indices);
    };
    if (!place.condition)
      store(builder_, loc_);
    else
      scf::IfOp::create(builder_, loc_, place.condition, [&](OpBuilder &builder, Location loc) {
        store(builder, loc);
        scf::YieldOp::create(builder, loc);
      });
  }
}

/// Ops between values and memory.
LogicalResult VectorLanes::move(Operation *op) {
  auto along = [&](Value base, ValueRange indices, VectorType type, Value mask) {
    unsigned rank = cast<MemRefType>(base.getType()).getRank();
    return Access{base,
                  mask,
                  indices,
                  type,
                  AffineMap::getMinorIdentityMap(rank, type.getRank(), op->getContext()),
                  SmallVector<bool>(type.getRank(), true)};
  };
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op); transfer && !isa<MemRefType>(transfer.getShapedType()))
    return op->emitOpError("moves a vector from or to a tensor; bufferize first");
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](vector::TransferReadOp each) {
        return read(each.getResult(), accessOf(each), each.getPadding(), Value()), success();
      })
      .Case([&](vector::TransferWriteOp each) { return write(each.getVector(), accessOf(each)), success(); })
      .Case([&](vector::LoadOp each) {
        return read(each.getResult(), along(each.getBase(), each.getIndices(), each.getVectorType(), Value()), Value(),
                    Value()),
               success();
      })
      .Case([&](vector::StoreOp each) {
        return write(each.getValueToStore(), along(each.getBase(), each.getIndices(), each.getVectorType(), Value())),
               success();
      })
      .Case([&](vector::MaskedLoadOp each) {
        return read(each.getResult(), along(each.getBase(), each.getIndices(), each.getVectorType(), each.getMask()),
                    Value(), each.getPassThru()),
               success();
      })
      .Case([&](vector::MaskedStoreOp each) {
        return write(each.getValueToStore(),
                     along(each.getBase(), each.getIndices(), each.getVectorType(), each.getMask())),
               success();
      })
      .Default([&](Operation *) { return op->emitOpError("is an op on vectors that has no form in scalars here"); });
}

/// Loops, branches and what they hand on.
LogicalResult VectorLanes::flow(Operation *op) {
  auto flat = [&](ValueRange values) {
    Lanes all;
    for (Value value : values)
      llvm::append_range(all, lanesOf(value));
    return all;
  };
  auto take = [&](ValueRange before, ValueRange now) {
    for (Value value : before) {
      auto type = dyn_cast<VectorType>(value.getType());
      size_t count = type ? type.getNumElements() : 1;
      set(value, Lanes(now.take_front(count)));
      now = now.drop_front(count);
    }
  };
  if (auto yield = dyn_cast<scf::YieldOp>(op)) {
    scf::YieldOp::create(builder_, loc_, flat(yield.getOperands()));
    return success();
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto fresh = scf::ForOp::create(builder_, loc_, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
                                    flat(loop.getInitArgs()));
    loop.getInductionVar().replaceAllUsesWith(fresh.getInductionVar());
    take(loop.getRegionIterArgs(), fresh.getRegionIterArgs());
    take(loop.getResults(), fresh.getResults());
    if (!fresh.getBody()->empty())
      fresh.getBody()->getTerminator()->erase();
    fresh.getBody()->getOperations().splice(fresh.getBody()->end(), loop.getBody()->getOperations());
    return success();
  }
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return op->emitOpError("hands on vectors in a way that is not known here");
  SmallVector<Type> types;
  for (Type type : branch.getResultTypes()) {
    auto vector = dyn_cast<VectorType>(type);
    types.append(vector ? vector.getNumElements() : 1, vector ? vector.getElementType() : type);
  }
  auto fresh = scf::IfOp::create(builder_, loc_, types, branch.getCondition(), /*withElseRegion=*/true);
  fresh.getThenRegion().takeBody(branch.getThenRegion());
  fresh.getElseRegion().takeBody(branch.getElseRegion());
  take(branch.getResults(), fresh.getResults());
  return success();
}

LogicalResult VectorLanes::compute(Operation *op) {
  auto copy = [&](Value result, Value source) { return set(result, lanesOf(source)), success(); };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ConstantOp each) {
        if (!isa<DenseElementsAttr>(each.getValue()))
          return LogicalResult(each.emitOpError("has elements that are not written in the module"));
        return constants(each), success();
      })
      .Case([&](ub::PoisonOp each) {
        auto type = cast<VectorType>(each.getType());
        Value any = arith::ConstantOp::create(builder_, loc_, builder_.getZeroAttr(type.getElementType()));
        return set(each.getResult(), Lanes(type.getNumElements(), any)), success();
      })
      .Case([&](vector::BroadcastOp each) { return broadcast(each), success(); })
      .Case([&](vector::ShapeCastOp each) { return copy(each.getResult(), each.getSource()); })
      .Case([&](vector::ExtractOp each) { return extract(each); })
      .Case([&](vector::InsertOp each) { return insert(each); })
      .Case([&](vector::FromElementsOp each) { return set(each.getResult(), Lanes(each.getElements())), success(); })
      .Case([&](vector::ToElementsOp each) {
        for (auto [result, lane] : llvm::zip_equal(each.getResults(), lanesOf(each.getSource())))
          result.replaceAllUsesWith(lane);
        return success();
      })
      .Case([&](vector::ExtractStridedSliceOp each) {
        Lanes source = lanesOf(each.getSource()), lanes(each.getType().getNumElements());
        slice(each.getSourceVectorType(), each.getOffsets(), each.getType(),
              [&](int64_t from, int64_t to) { lanes[to] = source[from]; });
        return set(each.getResult(), std::move(lanes)), success();
      })
      .Case([&](vector::InsertStridedSliceOp each) {
        Lanes lanes = lanesOf(each.getDest()), source = lanesOf(each.getValueToStore());
        slice(each.getDestVectorType(), each.getOffsets(), each.getSourceVectorType(),
              [&](int64_t to, int64_t from) { lanes[to] = source[from]; });
        return set(each.getResult(), std::move(lanes)), success();
      })
      .Case([&](vector::TransposeOp each) {
        Lanes source = lanesOf(each.getVector()), lanes(source.size());
        for (size_t lane = 0; lane < source.size(); ++lane) {
          SmallVector<int64_t> at = coordinates(lane, each.getSourceVectorType());
          lanes[laneAt(applyPermutation(at, each.getPermutation()), each.getResultVectorType())] = source[lane];
        }
        return set(each.getResult(), std::move(lanes)), success();
      })
      .Case([&](vector::ReductionOp each) { return reduce(each), success(); })
      .Case([&](vector::CreateMaskOp each) {
        return mask(each.getResult(), [&](unsigned dim) { return each.getOperand(dim); }), success();
      })
      .Case([&](vector::ConstantMaskOp each) {
        return mask(each.getResult(), [&](unsigned dim) { return index(each.getMaskDimSizes()[dim]); }), success();
      })
      .Case([&](vector::StepOp each) {
        Lanes lanes;
        for (int64_t lane = 0; lane < cast<VectorType>(each.getType()).getNumElements(); ++lane)
          lanes.push_back(index(lane));
        return set(each.getResult(), std::move(lanes)), success();
      })
      .Case([&](vector::FMAOp each) {
        Lanes a = lanesOf(each.getLhs()), b = lanesOf(each.getRhs()), c = lanesOf(each.getAcc()), lanes;
        for (size_t lane = 0; lane < a.size(); ++lane)
          lanes.push_back(math::FmaOp::create(builder_, loc_, a[lane], b[lane], c[lane]));
        return set(each.getResult(), std::move(lanes)), success();
      })
      .Default([&](Operation *) { return move(op); });
}

LogicalResult VectorLanes::rewrite(Operation *op) {
  builder_.setInsertionPoint(op);
  loc_ = op->getLoc();
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
      return op->emitOpError("has a vector of no known length");
  for (Value operand : op->getOperands())
    if (isa<VectorType>(operand.getType()) && !lanes_.contains(operand))
      return op->emitOpError("takes a vector from where its elements are not known");
  rewritten_.push_back(op);
  if (isa<scf::YieldOp>(op) || op->getNumRegions() > 0)
    return flow(op);
  if (OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1 && !op->hasTrait<OpTrait::ConstantLike>())
    return elementwise(op), success();
  return compute(op);
}

void VectorLanes::eraseRewritten() {
  for (Operation *op : llvm::reverse(rewritten_)) {
    op->dropAllUses();
    op->erase();
  }
}

} // namespace fuselage
