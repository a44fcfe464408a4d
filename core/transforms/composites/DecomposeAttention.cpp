// attention and online_attention as two contractions with a softmax between them.
#include "core/transforms/composites/CompositeOp.h"
#include "core/transforms/composites/PointwiseBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The operands of an attention op and the dimensions of its space.
struct AttentionParts {
  Indexed query, key, value;
  Value scale;                 ///< a float, or a tensor of one
  std::optional<Indexed> mask; ///< added to the scores, or booleans that say which count
  SmallVector<Indexed> outputs;
  SmallVector<unsigned> scoreDims; ///< those of the probabilities
  unsigned spaceRank = 0;
  Type compute; ///< the type of the softmax
};

/// A tensor by a map that only picks dimensions; nullopt where it does more.
std::optional<Indexed> indexed(Value tensor, AffineMap map) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || type.getRank() != map.getNumResults())
    return std::nullopt;
  Indexed found{tensor, {}};
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(found.dims, dim.getPosition()))
      return std::nullopt;
    found.dims.push_back(dim.getPosition());
  }
  return found;
}

/// tm_tensor has no maps: [batch.., rows, depth] each, a mask of [batch.., rows, columns], and no scale.
SmallVector<AffineMap> mapsByRank(CompositeOp op) {
  ValueRange inputs = op.inputs();
  auto type = inputs.size() >= 3 ? dyn_cast<RankedTensorType>(inputs[0].getType()) : RankedTensorType();
  if (!type || type.getRank() < 2)
    return {};
  unsigned batch = type.getRank() - 2, rank = batch + 4;
  Builder builder(op->getContext());
  auto map = [&](unsigned first, unsigned second) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim = 0; dim < batch; ++dim)
      exprs.push_back(builder.getAffineDimExpr(dim));
    exprs.append({builder.getAffineDimExpr(batch + first), builder.getAffineDimExpr(batch + second)});
    return AffineMap::get(rank, 0, exprs, builder.getContext());
  };
  // Dimensions after the batch: rows, columns of the result, depth, keys.
  SmallVector<AffineMap> maps = {map(0, 2), map(3, 2), map(3, 1)};
  if (inputs.size() == 4)
    maps.push_back(map(0, 3));
  maps.push_back(map(0, 1));
  return maps;
}

bool isFloatTensor(const Indexed &operand) {
  return isa<FloatType>(cast<RankedTensorType>(operand.tensor.getType()).getElementType());
}

/// Reads operands and dimensions; nullopt where something is not as its dialect says.
std::optional<AttentionParts> readAttention(CompositeOp op, unsigned outputs) {
  SmallVector<Value> inputs(op.inputs());
  SmallVector<AffineMap> maps = op.indexingMaps();
  bool hasMaps = !maps.empty();
  if (!hasMaps)
    maps = mapsByRank(op);
  unsigned fixed = hasMaps ? 4 : 3; // query, key, value, scale
  bool hasMask = inputs.size() == fixed + 1;
  if (op.outputs().size() != outputs || (inputs.size() != fixed && !hasMask) ||
      maps.size() != inputs.size() + outputs || op->getNumResults() != outputs ||
      TypeRange(op->getResultTypes()) != TypeRange(op.outputs().getTypes()))
    return std::nullopt;
  AttentionParts parts;
  parts.spaceRank = maps.front().getNumDims();
  SmallVector<Indexed> operands;
  for (auto [at, tensor] : llvm::enumerate(llvm::concat<Value>(inputs, SmallVector<Value>(op.outputs())))) {
    if (hasMaps && at == 3)
      continue;
    auto operand = indexed(tensor, maps[at]);
    if (!operand || maps[at].getNumDims() != parts.spaceRank)
      return std::nullopt;
    operands.push_back(*operand);
  }
  parts.query = operands[0];
  parts.key = operands[1];
  parts.value = operands[2];
  parts.scale = hasMaps ? inputs[3] : Value();
  if (hasMask)
    parts.mask = operands[3];
  parts.outputs.append(operands.end() - outputs, operands.end());
  if (!isFloatTensor(parts.query) || !isFloatTensor(parts.key) || !isFloatTensor(parts.value) ||
      !llvm::all_of(parts.outputs, isFloatTensor))
    return std::nullopt;
  // The probabilities have what the query keeps for the result, then what keys and values share beyond it.
  const SmallVector<unsigned> &result = parts.outputs.front().dims;
  for (unsigned dim : parts.query.dims)
    if (llvm::is_contained(result, dim))
      parts.scoreDims.push_back(dim);
  unsigned rows = parts.scoreDims.size();
  for (unsigned dim : parts.key.dims)
    if (!llvm::is_contained(result, dim) && llvm::is_contained(parts.value.dims, dim) &&
        !llvm::is_contained(parts.query.dims, dim))
      parts.scoreDims.push_back(dim);
  auto isOfScores = [&](unsigned dim) { return llvm::is_contained(parts.scoreDims, dim); };
  if (parts.scoreDims.size() == rows || (parts.mask && !llvm::all_of(parts.mask->dims, isOfScores)))
    return std::nullopt;
  Type element = cast<RankedTensorType>(parts.query.tensor.getType()).getElementType();
  parts.compute = element.isF64() ? element : Float32Type::get(op->getContext());
  return parts;
}

/// Builds the program after the parts.
class AttentionBuilder {
public:
  AttentionBuilder(OpBuilder &builder, CompositeOp op, const AttentionParts &parts)
      : builder_(builder), op_(op), parts_(parts), points_(builder, op.loc(), parts.spaceRank) {}

  bool learnSizes() {
    bool ok = points_.learn(parts_.query) && points_.learn(parts_.key) && points_.learn(parts_.value);
    for (const Indexed &output : parts_.outputs)
      ok = ok && points_.learn(output);
    return ok && (!parts_.mask || points_.learn(*parts_.mask)) &&
           llvm::all_of(parts_.scoreDims, [&](unsigned dim) { return points_.knows(dim); });
  }

  /// Queries times keys, scaled, changed by the op's body and masked. Null tensor: the body is not understood.
  Indexed scores() {
    Indexed product = contract(parts_.query, parts_.key, parts_.scoreDims, std::nullopt);
    SmallVector<Indexed> inputs{product};
    bool hasTensorScale = parts_.scale && isa<RankedTensorType>(parts_.scale.getType());
    if (hasTensorScale)
      inputs.push_back({parts_.scale, {}});
    if (parts_.mask)
      inputs.push_back(*parts_.mask);
    bool hasBody = op_->getNumRegions() == 1 && !op_->getRegion(0).empty();
    if (!parts_.scale && !parts_.mask && !hasBody)
      return product;
    return points_.map(inputs, parts_.scoreDims, parts_.compute, [&](OpBuilder &body, Location loc, ValueRange values) {
      Value score = values.front();
      if (parts_.scale) {
        Value scale = hasTensorScale ? values[1] : parts_.scale;
        score = arith::MulFOp::create(body, loc, score, convertFloat(body, loc, scale, parts_.compute));
      }
      if (hasBody)
        score = applyBody(body, loc, score);
      return parts_.mask ? masked(body, loc, score, values[values.size() - 2]) : score;
    });
  }

  bool isBodyKnown() const {
    if (op_->getNumRegions() == 0 || op_->getRegion(0).empty())
      return true;
    Block *block = op_.body();
    return block && op_.hasKnownBody() && block->getNumArguments() == 1 &&
           isa<FloatType>(block->getArgument(0).getType()) && block->back().getNumOperands() == 1 &&
           isa<FloatType>(block->back().getOperand(0).getType());
  }

  SmallVector<unsigned> rowDims() const {
    SmallVector<unsigned> rows;
    for (unsigned dim : parts_.scoreDims)
      if (llvm::is_contained(parts_.outputs.front().dims, dim))
        rows.push_back(dim);
    return rows;
  }

  Value constant(double number) {
    return arith::ConstantOp::create(builder_, op_.loc(), builder_.getFloatAttr(parts_.compute, number));
  }

  Indexed maximum(const Indexed &scores, std::optional<Indexed> init) {
    auto body = [](OpBuilder &inner, Location loc, ValueRange values) -> Value {
      return arith::MaximumFOp::create(inner, loc, values[0], values[1]);
    };
    return init ? points_.accumulate(scores, *init, body)
                : points_.reduce(scores, rowDims(), constant(-std::numeric_limits<double>::infinity()), body);
  }

  Indexed sum(const Indexed &terms, std::optional<Indexed> init) {
    auto body = [](OpBuilder &inner, Location loc, ValueRange values) -> Value {
      return arith::AddFOp::create(inner, loc, values[0], values[1]);
    };
    return init ? points_.accumulate(terms, *init, body) : points_.reduce(terms, rowDims(), constant(0), body);
  }

  /// exp(scores - maximum), over the dimensions of `scores`.
  Indexed exponential(const Indexed &scores, const Indexed &maximum) {
    return points_.map({scores, maximum}, scores.dims, parts_.compute,
                       [](OpBuilder &inner, Location loc, ValueRange values) -> Value {
                         Value shifted = arith::SubFOp::create(inner, loc, values[0], values[1]);
                         return math::ExpOp::create(inner, loc, shifted);
                       });
  }

  /// Element by element over the dimensions of the first.
  template <typename Op> Indexed combine(const Indexed &left, const Indexed &right) {
    return points_.map({left, right}, left.dims, parts_.compute,
                       [](OpBuilder &inner, Location loc, ValueRange values) -> Value {
                         return Op::create(inner, loc, values[0], values[1]);
                       });
  }

  /// Probabilities, in the type of the values, times values.
  Indexed context(Indexed probabilities, std::optional<Indexed> init) {
    Type type = cast<RankedTensorType>(parts_.value.tensor.getType()).getElementType();
    return contract(converted(probabilities, type), parts_.value, parts_.outputs.front().dims, init);
  }

  /// A tensor with its elements in another type.
  Indexed converted(const Indexed &tensor, Type to) {
    if (cast<RankedTensorType>(tensor.tensor.getType()).getElementType() == to)
      return tensor;
    return points_.map(tensor, tensor.dims, to, [&](OpBuilder &inner, Location loc, ValueRange values) {
      return convertFloat(inner, loc, values[0], to);
    });
  }

private:
  Indexed contract(const Indexed &left, const Indexed &right, ArrayRef<unsigned> dims, std::optional<Indexed> init) {
    Type compute = parts_.compute;
    auto body = [compute](OpBuilder &inner, Location loc, ValueRange values) -> Value {
      Value product = arith::MulFOp::create(inner, loc, convertFloat(inner, loc, values[0], compute),
                                            convertFloat(inner, loc, values[1], compute));
      return arith::AddFOp::create(inner, loc, product, values[2]);
    };
    return init ? points_.accumulate({left, right}, *init, body)
                : points_.reduce({left, right}, dims, constant(0), body);
  }

  Value applyBody(OpBuilder &body, Location loc, Value score) {
    Type argument = op_.body()->getArgument(0).getType();
    Value changed = op_.inlineBody(body, convertFloat(body, loc, score, argument)).front();
    return convertFloat(body, loc, changed, parts_.compute);
  }

  Value masked(OpBuilder &body, Location loc, Value score, Value mask) {
    if (isa<FloatType>(mask.getType()))
      return arith::AddFOp::create(body, loc, score, convertFloat(body, loc, mask, parts_.compute));
    Value isKept = mask;
    if (mask.getType().getIntOrFloatBitWidth() != 1)
      isKept = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ne, mask,
                                     arith::ConstantOp::create(body, loc, body.getZeroAttr(mask.getType())));
    Value never = arith::ConstantOp::create(
        body, loc, body.getFloatAttr(parts_.compute, -std::numeric_limits<double>::infinity()));
    return arith::SelectOp::create(body, loc, isKept, score, never);
  }

  OpBuilder &builder_;
  CompositeOp op_;
  const AttentionParts &parts_;
  PointwiseBuilder points_;
};

} // namespace

Decomposition decomposeAttention(OpBuilder &builder, CompositeOp op) {
  auto parts = readAttention(op, 1);
  if (!parts)
    return {};
  AttentionBuilder attention(builder, op, *parts);
  if (!attention.isBodyKnown() || !attention.learnSizes())
    return {};
  Indexed scores = attention.scores();
  Indexed terms = attention.exponential(scores, attention.maximum(scores, std::nullopt));
  Indexed probabilities = attention.combine<arith::DivFOp>(terms, attention.sum(terms, std::nullopt));
  Indexed context = attention.context(probabilities, std::nullopt);
  Type element = cast<RankedTensorType>(parts->outputs.front().tensor.getType()).getElementType();
  return {attention.converted(context, element).tensor};
}

/// One part of the keys: what was accumulated before is scaled to the new maximum.
Decomposition decomposeOnlineAttention(OpBuilder &builder, CompositeOp op) {
  auto parts = readAttention(op, 3);
  auto isCompute = [&](const Indexed &output) {
    return cast<RankedTensorType>(output.tensor.getType()).getElementType() == parts->compute;
  };
  if (!parts || !llvm::all_of(parts->outputs, isCompute))
    return {};
  AttentionBuilder attention(builder, op, *parts);
  SmallVector<unsigned> rows = attention.rowDims();
  if (parts->outputs[1].dims != rows || parts->outputs[2].dims != rows || !attention.isBodyKnown() ||
      !attention.learnSizes())
    return {};
  Indexed scores = attention.scores();
  Indexed maximum = attention.maximum(scores, parts->outputs[1]);
  Indexed terms = attention.exponential(scores, maximum);
  Indexed decay = attention.exponential(parts->outputs[1], maximum);
  Indexed sum = attention.sum(terms, attention.combine<arith::MulFOp>(parts->outputs[2], decay));
  Indexed context = attention.context(terms, attention.combine<arith::MulFOp>(parts->outputs[0], decay));
  return {context.tensor, maximum.tensor, sum.tensor};
}

} // namespace fuselage
