// batch_norm_inference, batch_norm_training and batch_norm_grad, by reductions and elementwise ops.
#include "core/transforms/composites/PointwiseBuilder.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The operand over all its dimensions, and tensors with one element a feature.
class BatchNorm {
public:
  static std::optional<BatchNorm> of(HloCall &call) {
    RankedTensorType type = call.isOnTensors() && !call.operands.empty() ? call.operandType(0) : RankedTensorType();
    auto feature = call.op.integer({"feature_index"});
    auto epsilon = call.op.number({"epsilon"});
    if (!type || !type.hasStaticShape() || !feature || !epsilon || *feature < 0 || *feature >= type.getRank() ||
        !isa<FloatType>(type.getElementType())) {
      (void)call.refuse("its operands are not floats of known sizes, or its feature is no dimension");
      return std::nullopt;
    }
    for (unsigned at = 1; at < call.operands.size(); ++at)
      if (call.operandType(at) != type && call.operandType(at).getShape() != ArrayRef(type.getDimSize(*feature))) {
        (void)call.refuse("its operands do not have one element a feature");
        return std::nullopt;
      }
    return BatchNorm(call, type, *feature, *epsilon);
  }

  Indexed whole(Value tensor) const { return {tensor, all_}; }
  Indexed perFeature(Value tensor) const { return {tensor, {feature_}}; }

  using Body = PointwiseBuilder::Body;
  Value map(ArrayRef<Indexed> inputs, ArrayRef<unsigned> dims, Body body) {
    return builder_.map(inputs, dims, element_, body).tensor;
  }
  Value mapWhole(ArrayRef<Indexed> inputs, Body body) { return map(inputs, all_, body); }
  Value mapFeatures(ArrayRef<Indexed> inputs, Body body) { return map(inputs, {feature_}, body); }

  /// The sum of what `term` makes of the inputs.
  Value sum(ArrayRef<Indexed> inputs, Body term) {
    Value zero = zeroOf(call_->builder, call_->loc, element_);
    unsigned features[] = {feature_};
    return builder_
        .reduce(inputs, features, zero,
                [&](OpBuilder &inner, Location loc, ValueRange args) -> Value {
                  Value value = term(inner, loc, args.drop_back());
                  return arith::AddFOp::create(inner, loc, args.back(), value);
                })
        .tensor;
  }

  Value constant(OpBuilder &builder, Location loc, double number) const {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element_, number));
  }
  /// sqrt(variance + epsilon)
  Value deviation(OpBuilder &builder, Location loc, Value variance) const {
    Value sum = arith::AddFOp::create(builder, loc, variance, constant(builder, loc, epsilon_));
    return math::SqrtOp::create(builder, loc, sum);
  }
  /// How many elements a feature has.
  double count() const { return double(type_.getNumElements()) / std::max<int64_t>(type_.getDimSize(feature_), 1); }

  /// scale * (x - mean) / deviation + offset
  Value normalized(Value operand, Value scale, Value offset, Value mean, Value variance) {
    return mapWhole({whole(operand), perFeature(scale), perFeature(offset), perFeature(mean), perFeature(variance)},
                    [&](OpBuilder &inner, Location loc, ValueRange args) -> Value {
                      Value centered = arith::SubFOp::create(inner, loc, args[0], args[3]);
                      Value unit = arith::DivFOp::create(inner, loc, centered, deviation(inner, loc, args[4]));
                      return arith::AddFOp::create(inner, loc, arith::MulFOp::create(inner, loc, args[1], unit),
                                                   args[2]);
                    });
  }

private:
  BatchNorm(HloCall &call, RankedTensorType type, int64_t feature, double epsilon)
      : call_(&call), type_(type), element_(type.getElementType()), feature_(feature), epsilon_(epsilon),
        all_(llvm::to_vector(llvm::seq<unsigned>(type.getRank()))), builder_(call.builder, call.loc, type.getRank()) {
    builder_.learn(whole(call.operands[0]));
  }

  HloCall *call_;
  RankedTensorType type_;
  Type element_;
  unsigned feature_;
  double epsilon_;
  SmallVector<unsigned> all_;
  PointwiseBuilder builder_;
};

HloResults lowerInference(HloCall &call) {
  std::optional<BatchNorm> norm = BatchNorm::of(call);
  if (!norm || call.operands.size() != 5)
    return failure();
  return SmallVector<Value>{
      norm->normalized(call.operands[0], call.operands[1], call.operands[2], call.operands[3], call.operands[4])};
}

HloResults lowerTraining(HloCall &call) {
  std::optional<BatchNorm> norm = BatchNorm::of(call);
  if (!norm || call.operands.size() != 3)
    return failure();
  Value operand = call.operands[0];
  auto divided = [&](Value sum) {
    return norm->mapFeatures({norm->perFeature(sum)}, [&](OpBuilder &inner, Location loc, ValueRange args) -> Value {
      return arith::DivFOp::create(inner, loc, args[0], norm->constant(inner, loc, norm->count()));
    });
  };
  Value mean =
      divided(norm->sum({norm->whole(operand)}, [](OpBuilder &, Location, ValueRange args) { return args[0]; }));
  Value variance = divided(norm->sum({norm->whole(operand), norm->perFeature(mean)},
                                     [](OpBuilder &inner, Location loc, ValueRange args) -> Value {
                                       Value centered = arith::SubFOp::create(inner, loc, args[0], args[1]);
                                       return arith::MulFOp::create(inner, loc, centered, centered);
                                     }));
  Value output = norm->normalized(operand, call.operands[1], call.operands[2], mean, variance);
  return SmallVector<Value>{output, mean, variance};
}

/// The formulas of the specification.
HloResults lowerGrad(HloCall &call) {
  std::optional<BatchNorm> norm = BatchNorm::of(call);
  if (!norm || call.operands.size() != 5)
    return failure();
  Value operand = call.operands[0], scale = call.operands[1], mean = call.operands[2], variance = call.operands[3];
  Value gradient = call.operands[4];
  Value gradientSum =
      norm->sum({norm->whole(gradient)}, [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  Value productSum = norm->sum({norm->whole(operand), norm->perFeature(mean), norm->whole(gradient)},
                               [](OpBuilder &inner, Location loc, ValueRange args) -> Value {
                                 Value centered = arith::SubFOp::create(inner, loc, args[0], args[1]);
                                 return arith::MulFOp::create(inner, loc, args[2], centered);
                               });
  Value gradScale =
      norm->mapFeatures({norm->perFeature(productSum), norm->perFeature(variance)},
                        [&](OpBuilder &inner, Location loc, ValueRange args) -> Value {
                          return arith::DivFOp::create(inner, loc, args[0], norm->deviation(inner, loc, args[1]));
                        });
  Value gradOperand = norm->mapWhole(
      {norm->whole(operand), norm->perFeature(scale), norm->perFeature(mean), norm->perFeature(variance),
       norm->whole(gradient), norm->perFeature(gradientSum), norm->perFeature(productSum)},
      [&](OpBuilder &inner, Location loc, ValueRange args) -> Value {
        Value count = norm->constant(inner, loc, norm->count());
        Value centered = arith::SubFOp::create(inner, loc, args[0], args[2]);
        Value deviation = norm->deviation(inner, loc, args[3]);
        Value square = arith::MulFOp::create(inner, loc, deviation, deviation);
        Value all = arith::MulFOp::create(inner, loc, args[4], count);
        Value part = arith::DivFOp::create(inner, loc, arith::MulFOp::create(inner, loc, args[6], centered), square);
        Value rest = arith::SubFOp::create(inner, loc, arith::SubFOp::create(inner, loc, all, args[5]), part);
        Value factor = arith::DivFOp::create(inner, loc, arith::DivFOp::create(inner, loc, args[1], deviation), count);
        return arith::MulFOp::create(inner, loc, factor, rest);
      });
  return SmallVector<Value>{gradOperand, gradScale, gradientSum};
}

} // namespace

void addNormalizationLowerings(HloLowerings &lowerings) {
  lowerings["batch_norm_grad"] = lowerGrad;
  lowerings["batch_norm_inference"] = lowerInference;
  lowerings["batch_norm_training"] = lowerTraining;
}

} // namespace fuselage
