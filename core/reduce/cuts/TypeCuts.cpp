// Sizes and element types, the same everywhere in a module.
#include "core/reduce/cuts/Cuts.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <set>

using namespace mlir;

namespace fuselage {
namespace {

/// Maps sizes and element types.
struct Mapping {
  std::function<int64_t(int64_t size)> size = [](int64_t size) { return size; };
  std::function<Type(Type element)> element = [](Type element) { return element; };
  bool mapsConstants = false;  ///< of type index
  bool dynamicBecomes = false; ///< dynamic sizes of types, to what `size` makes of them
};

llvm::SmallVector<int64_t> mapSizes(ArrayRef<int64_t> shape, const Mapping &mapping) {
  llvm::SmallVector<int64_t> mapped;
  for (int64_t size : shape)
    mapped.push_back(ShapedType::isDynamic(size) && !mapping.dynamicBecomes ? size : mapping.size(size));
  return mapped;
}

Attribute mapScalar(Attribute value, Type type) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return isa<FloatType>(type) ? FloatAttr::get(type, number.getValueAsDouble()) : Attribute();
  if (auto number = dyn_cast<IntegerAttr>(value))
    if (auto width = type.isIndex() ? 64u : isa<IntegerType>(type) ? type.getIntOrFloatBitWidth() : 0u)
      return IntegerAttr::get(type, number.getValue().sextOrTrunc(width));
  return {};
}

/// As many of the values as the new type has. Null: there are not so many, or they are not numbers.
Attribute mapValues(DenseElementsAttr values, ShapedType type) {
  llvm::SmallVector<Attribute> mapped;
  const int64_t count = values.isSplat() ? 1 : type.getNumElements();
  if (count > values.getNumElements())
    return {};
  for (Attribute value : values.getValues<Attribute>()) {
    if (int64_t(mapped.size()) == count)
      break;
    Attribute scalar = mapScalar(value, type.getElementType());
    if (!scalar)
      return {};
    mapped.push_back(scalar);
  }
  return DenseElementsAttr::get(type, mapped);
}

/// Applies a mapping to all types and attributes; false: nothing is changed, or something cannot be.
bool apply(ModuleOp module, const Mapping &mapping) {
  AttrTypeReplacer replacer;
  bool isPossible = true, changed = false;
  auto note = [&](auto before, auto after) {
    changed |= before != after;
    return after;
  };
  replacer.addReplacement([&](Type type) -> std::optional<Type> {
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank() && !isa<MemRefType>(type))
      if (isa<RankedTensorType, VectorType>(type)) {
        llvm::SmallVector<int64_t> shape = mapSizes(shaped.getShape(), mapping);
        return note(type, Type(shaped.cloneWith(ArrayRef<int64_t>(shape), mapping.element(shaped.getElementType()))));
      }
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (!memref.getLayout().isIdentity() && mapSizes(memref.getShape(), mapping) != memref.getShape())
        isPossible = false; // strides follow from other sizes
      return note(type, Type(MemRefType::Builder(memref)
                                 .setShape(mapSizes(memref.getShape(), mapping))
                                 .setElementType(mapping.element(memref.getElementType()))));
    }
    if (type.isIntOrFloat())
      return note(type, mapping.element(type));
    return std::nullopt;
  });
  replacer.addReplacement([&](DenseElementsAttr values) -> std::optional<Attribute> {
    auto type = cast<ShapedType>(replacer.replace(Type(values.getType())));
    Attribute mapped = mapValues(values, type);
    isPossible &= bool(mapped);
    return mapped ? mapped : Attribute(values);
  });
  replacer.addReplacement([&](DenseResourceElementsAttr values) -> std::optional<Attribute> {
    isPossible &= replacer.replace(Type(values.getType())) == values.getType();
    return values;
  });
  replacer.addReplacement([&](DenseI64ArrayAttr sizes) -> std::optional<Attribute> {
    return note(Attribute(sizes),
                Attribute(DenseI64ArrayAttr::get(sizes.getContext(), mapSizes(sizes.asArrayRef(), mapping))));
  });
  replacer.addReplacement([&](FloatAttr value) -> std::optional<Attribute> {
    return note(Attribute(value), mapScalar(value, mapping.element(value.getType())));
  });
  replacer.addReplacement([&](IntegerAttr value) -> std::optional<Attribute> {
    if (value.getType().isIndex() && mapping.mapsConstants)
      return note(Attribute(value), Attribute(IntegerAttr::get(value.getType(), mapping.size(value.getInt()))));
    return note(Attribute(value), mapScalar(value, mapping.element(value.getType())));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  return changed && isPossible;
}

/// The types of all values.
void visitTypes(ModuleOp module, llvm::function_ref<void(Type)> visit) {
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      visit(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          visit(argument.getType());
  });
}

/// Of ops that name the dynamic sizes of their result, which has none any more.
void dropSizeOperands(ModuleOp module) {
  module.walk([](Operation *op) {
    if (isa<tensor::EmptyOp, tensor::GenerateOp>(op))
      op->setOperands({});
    else if (auto alloc = dyn_cast<memref::AllocOp>(op))
      alloc.getDynamicSizesMutable().clear();
    else if (auto alloca = dyn_cast<memref::AllocaOp>(op))
      alloca.getDynamicSizesMutable().clear();
  });
}

WholeCut sizeCut(int64_t from, int64_t to, bool takesMultiples, bool mapsConstants) {
  return {"sizes of " + std::to_string(from) + " become " + std::to_string(to), [=](ModuleOp module) {
            Mapping mapping;
            mapping.mapsConstants = mapsConstants;
            mapping.size = [=](int64_t size) {
              if (size == from)
                return to;
              return takesMultiples && size > 0 && size % from == 0 ? size / from * to : size;
            };
            return apply(module, mapping);
          }};
}

WholeCut elementCut(Type from, Type to, const std::string &name) {
  return {name, [=](ModuleOp module) {
            Mapping mapping;
            mapping.element = [=](Type element) { return element == from ? to : element; };
            return apply(module, mapping);
          }};
}

} // namespace

/// Dynamic sizes of all types become `to`. Ops that take sizes as operands, such as tensor.empty, do without them.
static WholeCut staticCut(int64_t to) {
  return {"dynamic sizes become " + std::to_string(to), [=](ModuleOp module) {
            Mapping mapping;
            mapping.dynamicBecomes = true;
            mapping.size = [=](int64_t size) { return ShapedType::isDynamic(size) ? to : size; };
            if (!apply(module, mapping))
              return false;
            dropSizeOperands(module);
            return true;
          }};
}

std::vector<WholeCut> staticCuts(ModuleOp module) {
  bool isDynamic = false;
  visitTypes(module, [&](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    isDynamic |= shaped && shaped.hasRank() && !shaped.hasStaticShape();
  });
  std::vector<WholeCut> cuts;
  for (int64_t to : {1, 2, 4, 7})
    if (isDynamic)
      cuts.push_back(staticCut(to));
  return cuts;
}

std::vector<std::vector<WholeCut>> sizeCuts(ModuleOp module) {
  std::set<int64_t, std::greater<>> sizes;
  visitTypes(module, [&](Type type) {
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
      for (int64_t size : shaped.getShape())
        if (size > 1)
          sizes.insert(size);
  });
  std::vector<std::vector<WholeCut>> groups;
  for (int64_t from : sizes) {
    std::vector<int64_t> smaller{1, 2, 3};
    for (int64_t size = 4; size < from; size *= 2)
      smaller.push_back(size);
    std::vector<WholeCut> group;
    for (int64_t to : smaller)
      if (to < from)
        for (bool takesMultiples : {false, true})
          for (bool mapsConstants : {false, true})
            group.push_back(sizeCut(from, to, takesMultiples, mapsConstants));
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<std::vector<WholeCut>> elementTypeCuts(ModuleOp module) {
  std::set<std::string> seen;
  std::vector<std::vector<WholeCut>> groups;
  Builder builder(module.getContext());
  visitTypes(module, [&](Type type) {
    Type element = getElementTypeOrSelf(type), to;
    if (isa<FloatType>(element) && !element.isF32())
      to = builder.getF32Type();
    else if (isa<IntegerType>(element) && element.getIntOrFloatBitWidth() > 32)
      to = builder.getI32Type();
    if (!to)
      return;
    std::string name;
    llvm::raw_string_ostream os(name);
    os << element << " becomes " << to;
    if (seen.insert(name).second)
      groups.push_back({elementCut(element, to, name)});
  });
  return groups;
}

} // namespace fuselage
