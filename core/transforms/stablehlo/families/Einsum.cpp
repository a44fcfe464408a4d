// einsum and torch_index_select: what other ops of StableHLO would write as several, in one loop nest.
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {
namespace {

//===-- einsum ------------------------------------------------------------===//

/// Letters of the loops; those of the result first.
struct EinsumLoops {
  std::string letters;

  AffineMap mapOf(MLIRContext *context, StringRef operand) const {
    SmallVector<AffineExpr> exprs;
    for (char letter : operand)
      exprs.push_back(getAffineDimExpr(letters.find(letter), context));
    return AffineMap::get(letters.size(), 0, exprs, context);
  }
};

bool areLetters(StringRef text, int64_t rank) {
  return int64_t(text.size()) == rank && llvm::all_of(text, [](char c) { return llvm::isAlpha(c); });
}

/// `ab,bc->ac`: the sum over all letters that the result does not have.
HloResults lowerEinsum(HloCall &call) {
  std::string config = call.op.word({"einsum_config", "config"});
  llvm::erase(config, ' ');
  auto [inputs, output] = StringRef(config).split("->");
  SmallVector<StringRef> parts;
  inputs.split(parts, ',');
  RankedTensorType type = call.op->getNumResults() == 1 ? call.resultType() : RankedTensorType();
  if (!type || !call.isOnTensors() || parts.size() != call.operands.size() || parts.size() > 2 ||
      !type.hasStaticShape() || !areLetters(output, type.getRank()))
    return call.refuse("its letters are not those of its operands");
  EinsumLoops loops{output.str()};
  llvm::StringMap<int64_t> sizes;
  bool fits = true;
  auto add = [&](StringRef letters, RankedTensorType operand) {
    if (!areLetters(letters, operand.getRank()))
      return fits = false;
    for (auto [letter, size] : llvm::zip_equal(letters, operand.getShape())) {
      fits &= sizes.try_emplace(StringRef(&letter, 1), size).first->second == size;
      if (loops.letters.find(letter) == std::string::npos)
        loops.letters += letter;
    }
    return fits;
  };
  for (auto [at, part] : llvm::enumerate(parts))
    fits &= add(part, call.operandType(at));
  fits &= add(output, type);
  if (!fits)
    return call.refuse("its letters are not those of its operands");
  MLIRContext *context = call.builder.getContext();
  SmallVector<AffineMap> maps;
  for (StringRef part : parts)
    maps.push_back(loops.mapOf(context, part));
  maps.push_back(loops.mapOf(context, output));
  SmallVector<utils::IteratorType> kinds(loops.letters.size(), utils::IteratorType::reduction);
  std::fill_n(kinds.begin(), output.size(), utils::IteratorType::parallel);
  Value zero = zeroOf(call.builder, call.loc, type.getElementType());
  Value start = filledTensor(call.builder, call.loc, type, zero);
  auto body = [&](OpBuilder &inner, Location loc, ValueRange args) {
    SmallVector<Value> factors;
    for (unsigned at = 0; at < parts.size(); ++at)
      factors.push_back(convertScalar(inner, loc, call.op, args[at], call.writtenOperand(at), call.writtenResult()));
    if (factors.size() == 1) {
      // Of one operand nothing is multiplied: as if by 1.
      Type element = type.getElementType();
      ScalarCall sum{.op = call.op,
                     .builder = inner,
                     .loc = loc,
                     .args = {args.back(), factors[0]},
                     .from = {element, element},
                     .to = element};
      linalg::YieldOp::create(inner, loc, scalarLowering("add")(sum));
      return;
    }
    linalg::YieldOp::create(inner, loc, multiplyAdd(inner, loc, factors[0], factors[1], args.back()));
  };
  return SmallVector<Value>{
      linalg::GenericOp::create(call.builder, call.loc, type, call.operands, start, maps, kinds, body).getResult(0)};
}

//===-- torch_index_select ------------------------------------------------===//

/// Slices of the operand along `dim`, in the order of the indices; the first `batch_dims` dimensions are shared.
HloResults lowerIndexSelect(HloCall &call) {
  auto dim = call.op.integer({"dim"}), batch = call.op.integer({"batch_dims"});
  RankedTensorType type = call.resultType();
  if (!call.isOnTensors() || call.operands.size() != 2 || !dim || !batch || !type.hasStaticShape())
    return call.refuse("it is not on tensors of known sizes");
  int64_t rank = call.operandType(0).getRank(), indexRank = call.operandType(1).getRank();
  if (*batch < 0 || *dim < *batch || *dim >= rank || *batch > indexRank || !call.operandType(0).hasStaticShape() ||
      type.getRank() != rank - 1 + indexRank - *batch)
    return call.refuse("its dimensions do not fit its operands");
  int64_t chosen = indexRank - *batch; // dimensions that take the place of `dim`
  SmallVector<AffineMap> maps{call.builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  Value empty = emptyTensor(call.builder, call.loc, type);
  auto body = [&](OpBuilder &inner, Location loc, ValueRange) {
    auto loop = [&](int64_t at) -> Value { return linalg::IndexOp::create(inner, loc, at); };
    SmallVector<Value> ofIndex, from;
    for (int64_t at = 0; at < *batch; ++at)
      ofIndex.push_back(loop(at));
    for (int64_t at = 0; at < chosen; ++at)
      ofIndex.push_back(loop(*dim + at));
    Value index = tensor::ExtractOp::create(inner, loc, call.operands[1], ofIndex);
    for (int64_t at = 0; at < rank; ++at)
      from.push_back(at == *dim ? arith::IndexCastOp::create(inner, loc, inner.getIndexType(), index).getResult()
                                : loop(at < *dim ? at : at - 1 + chosen));
    // What lies outside is taken from the edge, as gather does.
    Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
    Value last = arith::ConstantIndexOp::create(inner, loc, call.operandType(0).getDimSize(*dim) - 1);
    Value &place = from[*dim];
    place = arith::MinSIOp::create(inner, loc, arith::MaxSIOp::create(inner, loc, place, zero), last);
    Value element = tensor::ExtractOp::create(inner, loc, call.operands[0], from);
    linalg::YieldOp::create(inner, loc, element);
  };
  return SmallVector<Value>{
      linalg::GenericOp::create(call.builder, call.loc, type, ValueRange(), empty, maps, loops, body).getResult(0)};
}

} // namespace

void addEinsumLowerings(HloLowerings &lowerings) {
  lowerings["einsum"] = lowerEinsum;
  lowerings["torch_index_select"] = lowerIndexSelect;
  lowerings["unary_einsum"] = lowerEinsum;
}

} // namespace fuselage
