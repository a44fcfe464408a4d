#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

std::string shapeText(ArrayRef<int64_t> extents) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      extents, os,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          os << '?';
        else
          os << extent;
      },
      "x");
  return text;
}

std::optional<int64_t> knownSize(OpFoldResult value) {
  if (!value)
    return std::nullopt;
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return ShapedType::isDynamic(*known) ? std::nullopt : known;
  // Constants of other versions: `std.constant`, or an arith.constant that was read as a twin.
  auto operand = dyn_cast<Value>(value);
  Operation *def = operand ? operand.getDefiningOp() : nullptr;
  if (!def || def->getNumOperands() != 0 || !displayName(def).ends_with("constant"))
    return std::nullopt;
  auto number = def->getAttrOfType<IntegerAttr>("value");
  return number && number.getValue().getSignificantBits() <= 64
             ? std::optional<int64_t>(number.getValue().getSExtValue())
             : std::nullopt;
}

std::string symbolOf(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return name ? name.getValue().str() : std::string();
}

/// The first symbol reference in an attribute, lists of them included.
static SymbolRefAttr symbolIn(Attribute attribute) {
  if (auto symbol = dyn_cast<SymbolRefAttr>(attribute))
    return symbol;
  if (auto list = dyn_cast<ArrayAttr>(attribute))
    for (Attribute element : list)
      if (SymbolRefAttr symbol = symbolIn(element))
        return symbol;
  return {};
}

SymbolRefAttr firstSymbolRef(Operation *op) {
  // Where there are several, the usual names come first.
  for (StringRef name : {"entry_point", "entry_points", "callee"})
    if (Attribute attribute = op->getAttr(name))
      if (SymbolRefAttr symbol = symbolIn(attribute))
        return symbol;
  for (NamedAttribute attribute : op->getAttrDictionary())
    if (SymbolRefAttr symbol = symbolIn(attribute.getValue()))
      return symbol;
  return {};
}

std::string spell(SymbolRefAttr symbol) {
  std::string text = symbol.getRootReference().str();
  for (FlatSymbolRefAttr nested : symbol.getNestedReferences())
    text += "::" + nested.getValue().str();
  return text;
}

/// Sizes of the op's operand segments, if it says them and they add up.
static std::optional<SmallVector<unsigned>> segmentsOf(Operation *op) {
  auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!sizes)
    return std::nullopt;
  SmallVector<unsigned> segments;
  unsigned total = 0;
  for (int32_t size : sizes.asArrayRef()) {
    if (size < 0)
      return std::nullopt;
    segments.push_back(size);
    total += size;
  }
  return total == op->getNumOperands() ? std::optional(segments) : std::nullopt;
}

static OperandRange rangeOf(Operation *op, unsigned first, unsigned count) {
  if (first > op->getNumOperands() || count > op->getNumOperands() - first)
    return op->getOperands().take_front(0);
  return op->getOperands().slice(first, count);
}

OperandRange operandGroup(Operation *op, unsigned number) {
  if (auto segments = segmentsOf(op)) {
    if (number >= segments->size())
      return rangeOf(op, 0, 0);
    unsigned first = std::accumulate(segments->begin(), segments->begin() + number, 0u);
    return rangeOf(op, first, (*segments)[number]);
  }
  unsigned seen = 0;
  for (const OperandGroup &group : TolerantOp(op).groups())
    if (group.name.empty() && seen++ == number)
      return rangeOf(op, group.first, group.count);
  return rangeOf(op, 0, 0);
}

unsigned workloadOf(Operation *op) {
  if (auto segments = segmentsOf(op))
    return segments->empty() ? 0 : segments->front();
  // `[%x, %y](%a)`: indices before another group. `(%a)` alone is no workload.
  std::vector<OperandGroup> groups = TolerantOp(op).groups();
  if (groups.empty())
    return 0;
  const OperandGroup &first = groups.front();
  if (first.name == "workload")
    return first.first == 0 ? first.count : 0;
  if (groups.size() < 2 || !first.name.empty() || first.first != 0)
    return 0;
  OperandRange operands = rangeOf(op, 0, first.count);
  return llvm::all_of(operands.getTypes(), [](Type type) { return type.isIndex(); }) ? first.count : 0;
}

/// A list with `static_<name>` values, kDynamic standing for the operands of a segment in order.
static SmallVector<OpFoldResult> genericList(Operation *op, StringRef name, OperandRange values) {
  Attribute attribute = op->getAttr(("static_" + name).str());
  SmallVector<int64_t> statics;
  if (auto dense = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    statics.append(dense.asArrayRef().begin(), dense.asArrayRef().end());
  else if (auto list = dyn_cast_or_null<ArrayAttr>(attribute)) // before 2023
    for (Attribute element : list)
      statics.push_back(isa<IntegerAttr>(element) ? cast<IntegerAttr>(element).getInt() : ShapedType::kDynamic);
  SmallVector<OpFoldResult> mixed;
  Builder builder(op->getContext());
  for (int64_t number : statics) {
    // Before 2023, -1 meant dynamic for sizes and the smallest number for offsets.
    bool isDynamic = ShapedType::isDynamic(number) || (number == -1 && !values.empty());
    if (!isDynamic) {
      mixed.push_back(builder.getIndexAttr(number));
    } else if (!values.empty()) {
      mixed.push_back(values.front());
      values = values.drop_front();
    } else {
      return {};
    }
  }
  return mixed;
}

void readSlice(Operation *op, TileAccess &tile) {
  TolerantOp tolerant(op);
  auto segments = segmentsOf(op);
  auto read = [&](StringRef name, unsigned fromEnd) -> SmallVector<OpFoldResult> {
    if (auto list = tolerant.mixedList(name))
      return *list;
    if (!segments || segments->size() < 3)
      return {};
    return genericList(op, name, operandGroup(op, segments->size() - fromEnd));
  };
  tile.offsets = read("offsets", 3);
  tile.sizes = read("sizes", 2);
  tile.strides = read("strides", 1);
}

std::string describeTile(TileAccess &tile, Type moved, StringRef verb, StringRef otherwise) {
  auto whole = dyn_cast_or_null<RankedTensorType>(tile.tensorType);
  auto shaped = dyn_cast_or_null<ShapedType>(moved);
  Type element;
  SmallVector<int64_t> extents;
  if (!tile.sizes.empty()) {
    for (OpFoldResult size : tile.sizes)
      extents.push_back(knownSize(size).value_or(ShapedType::kDynamic));
    element = shaped ? shaped.getElementType() : whole ? whole.getElementType() : Type();
  } else if (shaped && shaped.hasRank()) {
    llvm::append_range(extents, shaped.getShape());
    element = shaped.getElementType();
  } else if (whole) {
    llvm::append_range(extents, whole.getShape());
    element = whole.getElementType();
  }
  // The moved value may know what the list of sizes does not.
  if (shaped && shaped.hasRank() && shaped.getRank() == static_cast<int64_t>(extents.size()))
    for (auto [extent, known] : llvm::zip_equal(extents, shaped.getShape()))
      if (ShapedType::isDynamic(extent))
        extent = known;
  bool isValid = element && TensorType::isValidElementType(element) &&
                 llvm::all_of(extents, [](int64_t e) { return e >= 0 || ShapedType::isDynamic(e); });
  if (isValid)
    tile.tileType = RankedTensorType::get(extents, element);
  std::string label = verb.str();
  std::string part = isValid ? shapeText(extents) : "";
  if (!part.empty())
    label += " " + part;
  std::string of = whole ? shapeText(whole.getShape()) : otherwise.str();
  if (!of.empty() && of != part)
    label += " of " + of;
  return label;
}

} // namespace fuselage
