#include "core/graph/build/OpLabel.h"
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "core/dialects/decoders/XlaOps.h"
#include "core/dialects/flow/Flow.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/graph/build/OpKind.h"
#include "core/ir/ops/Payload.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

/// The everyday word for a scalar op: "add" for arith.addf and arith.addi.
static StringRef word(Operation *op) {
  StringRef name = op->getName().stripDialect();
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"addf", "addi"}, "add")
      .Cases({"subf", "subi"}, "sub")
      .Cases({"mulf", "muli"}, "mul")
      .Cases({"divf", "divsi", "divui"}, "div")
      .Cases({"maximumf", "maxnumf", "maxsi", "maxui"}, "max")
      .Cases({"minimumf", "minnumf", "minsi", "minui"}, "min")
      .Cases({"negf"}, "neg")
      .Cases({"cmpf", "cmpi"}, "compare")
      .Cases({"andi"}, "and")
      .Cases({"ori"}, "or")
      .Cases({"xori"}, "xor")
      .Cases({"extf", "truncf", "extsi", "extui", "trunci", "sitofp", "uitofp", "fptosi", "fptoui"}, "cast")
      .Cases({"index_cast", "index_castui"}, "cast")
      .Default(name);
}

/// How a copying generic rearranges its input.
static StringRef copyKind(linalg::LinalgOp op, BlockArgument source) {
  AffineMap input = op.getMatchingIndexingMap(op.getMatchingOpOperand(source));
  AffineMap output = op.getIndexingMapsArray().back();
  if (input == output)
    return "copy";
  if (input.isPermutation() && output.isPermutation())
    return "transpose";
  return input.getNumResults() < output.getNumResults() || !input.isProjectedPermutation() ? "broadcast" : "copy";
}

/// "mul+add": the payload's ops by their words, at most three, casts and constants left out.
static std::string payloadWords(Block &body) {
  SmallVector<StringRef> words;
  unsigned more = 0;
  bool casts = false;
  for (Operation &op : body.without_terminator()) {
    StringRef name = word(&op);
    casts |= name == "cast";
    if (op.hasTrait<OpTrait::ConstantLike>() || name == "cast" || name == "index" ||
        (!words.empty() && words.back() == name))
      continue;
    if (words.size() == 3)
      ++more;
    else
      words.push_back(name);
  }
  if (words.empty())
    return casts ? "cast" : "copy";
  std::string text = llvm::join(words, "+");
  return more ? text + "+" + std::to_string(more) + " more" : text;
}

/// What the body of a linalg.generic (or map, or reduce) computes.
static std::string payloadName(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  Operation *yield = body.getTerminator();
  if (linalg::isaContractionOpInterface(op))
    return "contract";
  if (yield->getNumOperands() == 1) {
    Value yielded = yield->getOperand(0);
    if (auto argument = dyn_cast<BlockArgument>(yielded); argument && argument.getOwner() == &body)
      return copyKind(op, argument).str();
    if (matchPattern(yielded, m_Constant()))
      return "fill";
    Operation *last = yielded.getDefiningOp();
    if (last && last->getBlock() == &body && op.getNumReductionLoops() > 0) {
      StringRef combiner = word(last);
      std::string name = ("reduce " + (combiner == "add" ? StringRef("sum") : combiner)).str();
      // More than the combiner: say what is combined.
      int64_t others = payloadFlops(op) - scalarFlops(last);
      return others > 0 ? name + " of " + std::to_string(others) + (others > 1 ? " ops" : " op") : name;
    }
  }
  return payloadWords(body);
}

static std::string linalgLabel(linalg::LinalgOp op) {
  StringRef name = op->getName().stripDialect();
  std::string what = name.str();
  if ((isa<linalg::GenericOp>(op) || name == "map" || name == "reduce" || name == "elementwise") &&
      op->getNumRegions() == 1 && !op->getRegion(0).empty())
    what = payloadName(op);
  std::string domain = shapeText(loopExtents(op));
  return domain.empty() ? what : what + " " + domain;
}

/// "1.0" of a scalar or a splat, empty for the rest.
static std::string literalText(Attribute value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto elements = dyn_cast_or_null<DenseElementsAttr>(value)) {
    if (elements.isSplat() && elements.getElementType().isIntOrIndexOrFloat())
      value = elements.getSplatValue<Attribute>();
    else
      value = {};
  }
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    os << llvm::format("%g", number.getValueAsDouble());
  else if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
    integer.getValue().print(os, true);
  return text;
}

/// "constant 1.0" for scalars and splats, "constant 768x768" for the rest.
static std::string constantLabel(Operation *op) {
  Attribute value;
  if (!matchPattern(op, m_Constant(&value)))
    return op->getName().stripDialect().str();
  if (std::string text = literalText(value); !text.empty())
    return "constant " + text;
  auto shaped = dyn_cast<ShapedType>(op->getResult(0).getType());
  return shaped && shaped.hasRank() && shaped.getRank() ? "constant " + shapeText(shaped.getShape()) : "constant";
}

static std::string bound(OpFoldResult value) {
  std::optional<int64_t> number = getConstantIntValue(value);
  return number ? std::to_string(*number) : "?";
}

/// "for 0..768 step 32", "forall 4 x 12".
static std::string loopLabel(LoopLikeOpInterface loop) {
  std::string name = loop->getName().stripDialect().str();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(), step = loop.getLoopSteps();
  if (!lower || !upper || !step || lower->empty())
    return name;
  std::string text = name + " ";
  for (size_t i = 0; i < lower->size(); ++i) {
    if (i)
      text += " x ";
    if (getConstantIntValue((*lower)[i]) != 0 || lower->size() == 1)
      text += bound((*lower)[i]) + "..";
    text += bound((*upper)[i]);
    if (getConstantIntValue((*step)[i]) != 1)
      text += " step " + bound((*step)[i]);
  }
  return text;
}

/// "launch 4x12x1, 16x16x1 threads".
static std::string launchLabel(gpu::LaunchOp launch) {
  auto grid = launch.getGridSizeOperandValues(), block = launch.getBlockSizeOperandValues();
  auto size = [](const gpu::KernelDim3 &dims) { return bound(dims.x) + "x" + bound(dims.y) + "x" + bound(dims.z); };
  return "launch " + size(grid) + " of " + size(block) + " threads";
}

/// The shape of a value, also of one of a foreign type; null if it has none.
static ShapedType shapeOf(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped;
  return underlyingTensor(type);
}

/// A name and the shape that the op produces: "extract_slice 32x64".
static std::string shapedLabel(Operation *op, StringRef name) {
  if (op->getNumResults() != 1)
    return name.str();
  ShapedType shaped = shapeOf(op->getResult(0).getType());
  if (!shaped || !shaped.hasRank() || shaped.getRank() == 0)
    return name.str();
  return name.str() + " " + shapeText(shaped.getShape());
}

/// What an op that stands for others is: "MatMul" of torch.operator "onnx.MatMul", "softmax" of a
/// composite "x.softmax".
static std::string nameInString(Operation *op, StringRef name) {
  if (name != "operator" && name != "composite" && name != "custom_call" && name != "Custom")
    return "";
  for (StringRef key : {"string", "name", "call_target_name", "function_name"})
    if (auto text = op->getAttrOfType<StringAttr>(key)) {
      auto [dialect, rest] = text.getValue().split('.');
      return (rest.empty() ? dialect : rest).str();
    }
  return "";
}

/// An op that no decoder knows, of a dialect or version that we only read.
static std::string foreignLabel(Operation *op) {
  if (isXlaOp(op))
    if (std::string label = xlaLabel(op); !label.empty())
      return label;
  std::string spelled = displayName(op);
  StringRef name = StringRef(spelled).contains('.') ? StringRef(spelled).split('.').second : StringRef(spelled);
  if (std::string meant = nameInString(op, name); !meant.empty())
    return shapedLabel(op, meant);
  if (std::string symbol = symbolOf(op); !symbol.empty())
    return (name + " @" + symbol).str();
  if (SymbolRefAttr callee = firstSymbolRef(op); callee && name.ends_with("call"))
    return ("call @" + callee.getLeafReference().getValue()).str();
  if (name == "constant" || name.starts_with("constant.")) {
    std::string value = literalText(op->getAttr("value"));
    return value.empty() ? shapedLabel(op, "constant") : "constant " + value;
  }
  return shapedLabel(op, name);
}

std::string opLabel(Operation *op, const DecodedOp &decoded) {
  if (!decoded.label.empty())
    return decoded.label;
  if (!op->isRegistered())
    return foreignLabel(op);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgLabel(linalgOp);
  if (op->hasTrait<OpTrait::ConstantLike>() && op->getNumResults() == 1)
    return constantLabel(op);
  if (auto call = dyn_cast<CallOpInterface>(op))
    if (auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
      return "call @" + symbol.getLeafReference().str();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return loopLabel(loop);
  if (auto launch = dyn_cast<gpu::LaunchOp>(op))
    return launchLabel(launch);
  StringRef name = op->getName().stripDialect();
  if (auto symbol = op->getAttrOfType<StringAttr>("sym_name"))
    return (name + " @" + symbol.getValue()).str();
  switch (nodeKindOf(op, decoded)) {
  case NodeKind::Compute:
  case NodeKind::Slice:
    return shapedLabel(op, name);
  default:
    return name.str();
  }
}

std::string iteratorsOf(Operation *op) {
  SmallVector<utils::IteratorType> iterators;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    iterators = linalgOp.getIteratorTypesArray();
  else if (auto attention = dyn_cast<flow::AttentionOp>(op))
    iterators = attention.getLoopIteratorTypes();
  return llvm::join(llvm::map_range(iterators, [](utils::IteratorType type) { return stringifyIteratorType(type); }),
                    ", ");
}

SmallVector<AffineMap> indexingMapsOf(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getIndexingMapsArray();
  auto attention = dyn_cast<flow::AttentionOp>(op);
  return attention ? attention.getIndexingMapsArray() : SmallVector<AffineMap>();
}

} // namespace fuselage
