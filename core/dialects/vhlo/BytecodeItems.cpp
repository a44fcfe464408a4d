#include "core/dialects/vhlo/BytecodeItems.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage {

Attribute readHloEnum(DialectBytecodeReader &reader, StringRef dialect, HloEnum kind) {
  uint64_t value = 0;
  if (failed(reader.readVarInt(value)))
    return {};
  if (Attribute known = hloEnum(reader.getContext(), dialect, kind, value))
    return known;
  reader.emitError() << "value " << value << " of an enumeration of " << dialect << " is not known";
  return {};
}

Attribute readHloStruct(DialectBytecodeReader &reader, StringRef name, ArrayRef<StructMember> members) {
  SmallVector<SmallVector<int64_t>> values(members.size());
  SmallVector<HloMember> spelled;
  for (auto [member, value] : llvm::zip_equal(members, values)) {
    LogicalResult read = member.isNumber ? reader.readSignedVarInt(value.emplace_back()) : readIntegers(reader, value);
    if (failed(read))
      return {};
    spelled.push_back({member.name, value, member.isNumber});
  }
  return hloStruct(reader.getContext(), name, spelled);
}

Attribute readOutputOperandAlias(DialectBytecodeReader &reader) {
  SmallVector<int64_t> result, operand;
  int64_t index = 0;
  if (failed(readIntegers(reader, result)) || failed(reader.readSignedVarInt(index)) ||
      failed(readIntegers(reader, operand)))
    return {};
  return hloStruct(reader.getContext(), "stablehlo.output_operand_alias",
                   {{"output_tuple_indices", result, /*isNumber=*/false, /*isOptional=*/false},
                    {"operand_index", index, /*isNumber=*/true, /*isOptional=*/false},
                    {"operand_tuple_indices", operand, /*isNumber=*/false, /*isOptional=*/false}});
}

Attribute readBounds(DialectBytecodeReader &reader) {
  SmallVector<int64_t> bounds;
  if (failed(readIntegers(reader, bounds)))
    return {};
  return boundsAttribute(reader.getContext(), bounds);
}

Attribute readResultAccuracy(DialectBytecodeReader &reader) {
  FailureOr<APFloat> absolute = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  if (failed(absolute))
    return {};
  FailureOr<APFloat> relative = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  int64_t ulps = 0;
  Attribute mode;
  if (failed(relative) || failed(reader.readSignedVarInt(ulps)) || failed(reader.readAttribute(mode)))
    return {};
  return resultAccuracy(reader.getContext(), absolute->convertToDouble(), relative->convertToDouble(), ulps, mode);
}

Attribute readSubAxis(DialectBytecodeReader &reader) {
  int64_t before = 0, size = 0;
  if (failed(reader.readSignedVarInt(before)) || failed(reader.readSignedVarInt(size)))
    return {};
  return subAxis(reader.getContext(), before, size);
}

Type readFuture(DialectBytecodeReader &reader) {
  SmallVector<Type> elements;
  if (failed(readTypes(reader, elements)))
    return {};
  std::string text = "future<";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(elements, os);
  os << ">";
  return OpaqueType::get(StringAttr::get(reader.getContext(), "stablehlo"), text);
}

std::unique_ptr<DialectVersion> readPortableVersion(DialectBytecodeReader &reader) {
  auto version = std::make_unique<PortableVersion>();
  if (failed(reader.readVarInt(version->major)) || failed(reader.readVarInt(version->minor)) ||
      failed(reader.readVarInt(version->patch)))
    return nullptr;
  return version;
}

} // namespace fuselage
