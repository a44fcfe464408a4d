// SyntaxAttr: storage, and its text form, which bytecode uses as well.
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/blobs/BlobTable.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/dialects/device/IntroduceDevice.h"
#include "core/dialects/tolerant/TypeMemory.h"
#include "mlir/IR/AttributeSupport.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace fuselage {

bool Syntax::operator==(const Syntax &other) const {
  return text == other.text && groups == other.groups && attributes == other.attributes && types == other.types &&
         units == other.units;
}

namespace detail {

struct SyntaxAttrStorage : AttributeStorage {
  using KeyTy = Syntax;
  explicit SyntaxAttrStorage(const Syntax &syntax) : syntax(syntax) {}
  bool operator==(const KeyTy &key) const { return syntax == key; }
  static llvm::hash_code hashKey(const KeyTy &key) {
    llvm::hash_code attributes(key.attributes.size());
    for (NamedAttribute attribute : key.attributes)
      attributes = llvm::hash_combine(attributes, attribute.getName(), attribute.getValue());
    return llvm::hash_combine(key.text, key.groups, attributes,
                              llvm::hash_combine_range(key.types.begin(), key.types.end()),
                              llvm::hash_combine_range(key.units.begin(), key.units.end()));
  }
  static SyntaxAttrStorage *construct(AttributeStorageAllocator &allocator, const KeyTy &key) {
    Syntax copy{.text = allocator.copyInto(key.text),
                .groups = allocator.copyInto(key.groups),
                .attributes = allocator.copyInto(key.attributes),
                .types = allocator.copyInto(key.types),
                .units = allocator.copyInto(key.units)};
    return new (allocator.allocate<SyntaxAttrStorage>()) SyntaxAttrStorage(copy);
  }

  Syntax syntax;
};

} // namespace detail

SyntaxAttr SyntaxAttr::get(MLIRContext *context, const Syntax &syntax) { return Base::get(context, syntax); }

const Syntax &SyntaxAttr::getSyntax() const { return getImpl()->syntax; }

SyntaxAttr SyntaxAttr::of(Operation *op) { return dyn_cast_or_null<SyntaxAttr>(op->getDiscardableAttr(key)); }

FuselageDialect::FuselageDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<FuselageDialect>()),
      typeMemory_(std::make_unique<TypeMemory>()), blobs_(std::make_unique<BlobTable>(context)) {
  addAttributes<SyntaxAttr>();
  addAttribute(DeviceAttr::getTypeID(), introduceDevice(*this));
  allowUnknownOperations();
}

FuselageDialect::~FuselageDialect() = default;

LogicalResult FuselageDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verifyDeviceOf(op, attribute);
}

void FuselageDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  if (auto device = dyn_cast<DeviceAttr>(attribute)) {
    printer << DeviceAttr::getMnemonic();
    return device.print(printer);
  }
  const Syntax &syntax = cast<SyntaxAttr>(attribute).getSyntax();
  MLIRContext *context = getContext();
  SmallVector<Attribute> types;
  for (Type type : syntax.types)
    types.push_back(TypeAttr::get(type));
  printer << "syntax<";
  printer.printString(syntax.text);
  printer << ", ";
  printer.printString(syntax.groups);
  printer << ", " << DictionaryAttr::get(context, syntax.attributes) << ", " << ArrayAttr::get(context, types) << ", "
          << ArrayAttr::get(context, syntax.units) << ">";
}

Attribute FuselageDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  if (succeeded(parser.parseOptionalKeyword("blob")))
    return blobs_->parse(parser, type);
  if (succeeded(parser.parseOptionalKeyword(DeviceAttr::getMnemonic())))
    return DeviceAttr::parse(parser, {});
  std::string text, groups;
  DictionaryAttr attributes;
  ArrayAttr typeList, units;
  if (parser.parseKeyword("syntax") || parser.parseLess() || parser.parseString(&text) || parser.parseComma() ||
      parser.parseString(&groups) || parser.parseComma() || parser.parseAttribute(attributes) || parser.parseComma() ||
      parser.parseAttribute(typeList) || parser.parseComma() || parser.parseAttribute(units) || parser.parseGreater())
    return {};
  SmallVector<Type> types;
  for (Attribute attribute : typeList) {
    auto type = dyn_cast<TypeAttr>(attribute);
    if (!type) {
      parser.emitError(parser.getNameLoc(), "expected a list of types");
      return {};
    }
    types.push_back(type.getValue());
  }
  return SyntaxAttr::get(
      getContext(),
      {.text = text, .groups = groups, .attributes = attributes.getValue(), .types = types, .units = units.getValue()});
}

} // namespace fuselage
