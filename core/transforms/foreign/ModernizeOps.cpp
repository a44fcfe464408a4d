#include "core/transforms/foreign/ModernizeOps.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/ops/CollectOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace fuselage {

/// The lists in square brackets that an op's text has, as values and constants.
static SmallVector<SmallVector<OpFoldResult>> bracketLists(Operation *op) {
  SmallVector<SmallVector<OpFoldResult>> lists;
  StringRef text = SyntaxAttr::of(op).getSyntax().text;
  Builder builder(op->getContext());
  bool inList = false;
  while (!text.empty() && text.front() != ':') {
    int64_t number = 0;
    if (text.consume_front("[")) {
      inList = true;
      lists.emplace_back();
    } else if (text.consume_front("]")) {
      inList = false;
    } else if (text.consume_front("\x01o")) {
      unsigned operand = 0;
      if (text.consumeInteger(10, operand) || operand >= op->getNumOperands())
        return {};
      if (inList)
        lists.back().push_back(op->getOperand(operand));
    } else if (inList && !text.consumeInteger(10, number)) {
      lists.back().push_back(builder.getIndexAttr(number));
    } else {
      text = text.drop_front();
    }
  }
  return lists;
}

/// Sizes and the like with constants as such.
static void foldConstants(SmallVectorImpl<OpFoldResult> &list, MLIRContext *context) {
  for (OpFoldResult &element : list)
    if (std::optional<int64_t> constant = getConstantIntValue(element))
      element = IntegerAttr::get(IndexType::get(context), *constant);
}

/// True if `part` is a tensor of these sizes, with or without dimensions of 1.
static bool hasSizes(RankedTensorType part, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  if (llvm::any_of(shape, [](int64_t size) { return size < 0 && !ShapedType::isDynamic(size); }))
    return false;
  return isRankReducedType(RankedTensorType::get(shape, part.getElementType()), part) ==
         SliceVerificationResult::Success;
}

static bool isLegacy(Operation *op, StringRef name) {
  return !op->isRegistered() && SyntaxAttr::of(op) && displayName(op) == name;
}

static void modernizeSlice(OpBuilder &builder, Operation *op, bool isInsert) {
  auto lists = bracketLists(op);
  unsigned tensors = isInsert ? 2 : 1;
  if (lists.size() != 3 || op->getNumOperands() < tensors || op->getNumResults() != 1)
    return;
  auto whole = dyn_cast<RankedTensorType>(op->getOperand(tensors - 1).getType());
  auto part = dyn_cast<RankedTensorType>(isInsert ? op->getOperand(0).getType() : op->getResult(0).getType());
  size_t rank = whole ? whole.getRank() : 0;
  if (!whole || !part || whole.getElementType() != part.getElementType() ||
      llvm::any_of(lists, [&](auto &list) { return list.size() != rank; }))
    return;
  for (auto &list : lists)
    foldConstants(list, op->getContext());
  for (auto [dim, size] : llvm::enumerate(lists[1])) // where the type knows more than the list
    if (part.getRank() == whole.getRank() && !part.isDynamicDim(dim))
      size = builder.getIndexAttr(part.getDimSize(dim));
  builder.setInsertionPoint(op);
  Value modern;
  if (isInsert) {
    if (!hasSizes(part, lists[1]) || op->getResult(0).getType() != whole)
      return;
    modern = tensor::InsertSliceOp::create(builder, op->getLoc(), op->getOperand(0), op->getOperand(1), lists[0],
                                           lists[1], lists[2]);
  } else if (hasSizes(part, lists[1])) {
    modern =
        tensor::ExtractSliceOp::create(builder, op->getLoc(), part, op->getOperand(0), lists[0], lists[1], lists[2]);
  } else {
    modern = tensor::ExtractSliceOp::create(builder, op->getLoc(), op->getOperand(0), lists[0], lists[1], lists[2]);
    if (!tensor::CastOp::areCastCompatible(modern.getType(), part)) {
      modern.getDefiningOp()->erase();
      return;
    }
    modern = tensor::CastOp::create(builder, op->getLoc(), part, modern);
  }
  op->getResult(0).replaceAllUsesWith(modern);
  op->erase();
}

/// An attribute of a generic: its own, or one of the dictionary before its operands.
static ArrayAttr traitOf(Operation *op, StringRef name) {
  if (auto direct = op->getAttrOfType<ArrayAttr>(name))
    return direct;
  for (NamedAttribute attribute : op->getAttrs())
    if (auto dictionary = dyn_cast<DictionaryAttr>(attribute.getValue()))
      if (auto nested = dictionary.getAs<ArrayAttr>(name))
        return nested;
  return {};
}

/// The maps and iterators; nothing where they do not fit each other or the values.
static std::optional<std::pair<SmallVector<AffineMap>, SmallVector<utils::IteratorType>>>
readTrait(Operation *op, ValueRange inputs, TypeRange results) {
  ArrayAttr maps = traitOf(op, "indexing_maps"), iterators = traitOf(op, "iterator_types");
  if (!maps || !iterators || maps.size() != inputs.size() + results.size())
    return std::nullopt;
  SmallVector<AffineMap> mapList;
  SmallVector<utils::IteratorType> iteratorList;
  for (Attribute attribute : iterators) {
    auto name = dyn_cast<StringAttr>(attribute);
    auto type = name ? utils::symbolizeIteratorType(name.getValue()) : std::nullopt;
    if (!type)
      return std::nullopt;
    iteratorList.push_back(*type);
  }
  SmallVector<Type> types(inputs.getTypes());
  llvm::append_range(types, results);
  for (auto [attribute, type] : llvm::zip_equal(maps, types)) {
    auto map = dyn_cast<AffineMapAttr>(attribute);
    auto shaped = dyn_cast<ShapedType>(type);
    if (!map || map.getValue().getNumDims() != iteratorList.size() || map.getValue().getNumSymbols() != 0 ||
        map.getValue().getNumResults() != (shaped && shaped.hasRank() ? shaped.getRank() : 0))
      return std::nullopt;
    mapList.push_back(map.getValue());
  }
  // Every loop must get its range from some operand.
  if (!inversePermutation(concatAffineMaps(mapList, op->getContext())))
    return std::nullopt;
  return std::pair(mapList, iteratorList);
}

static void modernizeGeneric(OpBuilder &builder, Operation *op) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock() || op->getNumResults() == 0)
    return;
  OperandRange inputs = TolerantOp(op).group("ins");
  Block &body = op->getRegion(0).front();
  bool isStatic = llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
  Operation *yield = body.empty() ? nullptr : &body.back();
  if (!isStatic || inputs.size() != op->getNumOperands() || body.getNumArguments() != inputs.size() || !yield ||
      displayName(yield) != "linalg.yield" || yield->getNumOperands() != op->getNumResults())
    return;
  for (auto [argument, input] : llvm::zip_equal(body.getArguments(), inputs))
    if (argument.getType() != getElementTypeOrSelf(input.getType()))
      return;
  for (auto [yielded, type] : llvm::zip_equal(yield->getOperandTypes(), op->getResultTypes()))
    if (yielded != cast<RankedTensorType>(type).getElementType())
      return;
  auto trait = readTrait(op, inputs, op->getResultTypes());
  if (!trait)
    return;
  builder.setInsertionPoint(op);
  SmallVector<Value> outputs;
  for (Type type : op->getResultTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    outputs.push_back(tensor::EmptyOp::create(builder, op->getLoc(), tensor.getShape(), tensor.getElementType()));
    body.addArgument(tensor.getElementType(), op->getLoc());
  }
  auto modern = linalg::GenericOp::create(builder, op->getLoc(), op->getResultTypes(), inputs, outputs, trait->first,
                                          trait->second);
  modern.getRegion().takeBody(op->getRegion(0));
  builder.setInsertionPoint(yield);
  linalg::YieldOp::create(builder, yield->getLoc(), yield->getOperands());
  yield->erase();
  op->replaceAllUsesWith(modern);
  op->erase();
}

/// A size of what a barrier let through; its reader could not know that the barrier gives tensors.
static void modernizeDim(OpBuilder &builder, Operation *op) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 || !isa<RankedTensorType>(op->getOperand(0).getType()) ||
      !op->getOperand(1).getType().isIndex() || !op->getResult(0).getType().isIndex())
    return;
  builder.setInsertionPoint(op);
  if (!op->use_empty())
    op->getResult(0).replaceAllUsesWith(
        tensor::DimOp::create(builder, op->getLoc(), op->getOperand(0), op->getOperand(1)));
  op->erase();
}

bool isLegacyOp(Operation *op) {
  return !op->isRegistered() &&
         llvm::any_of(std::initializer_list<StringRef>{"subtensor", "subtensor_insert", "tensor.extract_slice",
                                                       "tensor.insert_slice", "linalg.generic", "tensor.dim"},
                      [&](StringRef name) { return isLegacy(op, name); });
}

void modernizeOps(Operation *root) {
  OpBuilder builder(root->getContext());
  for (Operation *op : collectOps(root, isLegacyOp)) {
    std::string name = displayName(op); // what it was, by the name that the text has for it
    if (name == "linalg.generic")
      modernizeGeneric(builder, op);
    else if (name == "tensor.dim")
      modernizeDim(builder, op);
    else
      modernizeSlice(builder, op, name == "subtensor_insert" || name == "tensor.insert_slice");
  }
}

} // namespace fuselage
