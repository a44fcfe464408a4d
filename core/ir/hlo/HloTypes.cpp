#include "core/ir/hlo/HloTypes.h"
#include "core/ir/hlo/HloCursor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage::hlo {

static Type floatType(MLIRContext *context, StringRef name) {
  return llvm::StringSwitch<Type>(name)
      .Case("f16", Float16Type::get(context))
      .Case("bf16", BFloat16Type::get(context))
      .Case("f32", Float32Type::get(context))
      .Case("f64", Float64Type::get(context))
      .Case("f8e5m2", Float8E5M2Type::get(context))
      .Case("f8e4m3", Float8E4M3Type::get(context))
      .Case("f8e4m3fn", Float8E4M3FNType::get(context))
      .Case("f8e4m3b11fnuz", Float8E4M3B11FNUZType::get(context))
      .Case("f8e5m2fnuz", Float8E5M2FNUZType::get(context))
      .Case("f8e4m3fnuz", Float8E4M3FNUZType::get(context))
      .Case("f8e3m4", Float8E3M4Type::get(context))
      .Case("f8e8m0fnu", Float8E8M0FNUType::get(context))
      .Case("f4e2m1fn", Float4E2M1FNType::get(context))
      .Case("c64", ComplexType::get(Float32Type::get(context)))
      .Case("c128", ComplexType::get(Float64Type::get(context)))
      .Default({});
}

static Type foreignType(MLIRContext *context, StringRef name) {
  return OpaqueType::get(StringAttr::get(context, "hlo"), name);
}

static Type elementType(MLIRContext *context, StringRef name) {
  if (name == "pred")
    return IntegerType::get(context, 1);
  if (Type type = floatType(context, name))
    return type;
  bool isUnsigned = name.starts_with("u");
  unsigned width = 0;
  constexpr unsigned widest = 64;
  if ((isUnsigned || name.starts_with("s")) && !name.drop_front().getAsInteger(10, width) && width > 0 &&
      width <= widest)
    return IntegerType::get(context, width, isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
  return foreignType(context, name);
}

/// Whether a layout is the one that a tensor has without saying so: row-major, no tiles, memory space 0.
static bool isRowMajor(StringRef layout, size_t rank) {
  std::optional<SmallVector<int64_t>> order = numbersIn(layout);
  if (layout.empty() || layout == "{}")
    return true;
  if (!order || order->size() != rank)
    return false;
  for (auto [place, dim] : llvm::enumerate(*order))
    if (dim != int64_t(rank - 1 - place))
      return false;
  return true;
}

static std::string encodingOf(const ArrayShape &shape) {
  std::string text = isRowMajor(shape.layout, shape.dims.size()) ? "" : shape.layout.str();
  bool isBounded = false;
  std::string bounds;
  for (auto [extent, isDynamic] : llvm::zip_equal(shape.dims, shape.dynamic)) {
    isBounded |= isDynamic && extent >= 0;
    bounds += (bounds.empty() ? "" : ",") + (extent < 0 ? std::string("?") : std::to_string(extent));
  }
  if (isBounded)
    text += (text.empty() ? "<=" : " <=") + bounds;
  return text;
}

Type typeOf(MLIRContext *context, const ArrayShape &shape) {
  if (!shape.hasDims())
    return foreignType(context, shape.element);
  SmallVector<int64_t> extents;
  for (auto [extent, isDynamic] : llvm::zip_equal(shape.dims, shape.dynamic))
    extents.push_back(isDynamic ? ShapedType::kDynamic : extent);
  std::string encoding = encodingOf(shape);
  Attribute attribute = encoding.empty() ? StringAttr() : StringAttr::get(context, encoding);
  return RankedTensorType::get(extents, elementType(context, shape.element), attribute);
}

/// What is kept of a text; the file has the rest.
static std::string shortened(StringRef text, size_t most) {
  if (text.size() <= most)
    return text.str();
  return (text.take_front(most) + "... (" + Twine(text.size()) + " bytes)").str();
}

Attribute attributeOf(MLIRContext *context, StringRef value) {
  constexpr size_t mostText = 1024;
  if (std::optional<int64_t> number = numberIn(value))
    return IntegerAttr::get(IntegerType::get(context, 64), *number);
  if (auto numbers = numbersIn(value))
    return DenseI64ArrayAttr::get(context, *numbers);
  if (value == "true" || value == "false")
    return BoolAttr::get(context, value == "true");
  return StringAttr::get(context, shortened(unquoted(value), mostText));
}

Attribute literalOf(MLIRContext *context, StringRef literal, Type type) {
  constexpr size_t mostText = 64;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.getRank() == 0) {
    Type element = tensor.getElementType();
    double real = 0;
    if (auto number = numberIn(literal); number && isa<IntegerType>(element))
      return IntegerAttr::get(IntegerType::get(context, 64), *number);
    if (isa<FloatType>(element) && llvm::to_float(literal, real))
      return FloatAttr::get(Float64Type::get(context), real);
  }
  return StringAttr::get(context, shortened(literal, mostText));
}

} // namespace fuselage::hlo
