#include "core/inductor/FxTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace fuselage::inductor {

/// The element type of torch's short name of one; empty: not known.
static StringRef elementType(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases("b8", "i1", "i1")
      .Cases("f16", "f32", "f64", "bf16", name)
      .Cases("i8", "i16", "i32", "i64", name)
      .Cases("i2", "i4", name)
      .Case("u1", "ui1")
      .Case("u2", "ui2")
      .Case("u4", "ui4")
      .Case("u8", "ui8")
      .Case("u16", "ui16")
      .Case("u32", "ui32")
      .Case("u64", "ui64")
      .Case("c32", "complex<f16>")
      .Case("c64", "complex<f32>")
      .Case("c128", "complex<f64>")
      .Case("f8e4m3fn", "f8E4M3FN")
      .Case("f8e5m2", "f8E5M2")
      .Case("f8e4m3fnuz", "f8E4M3FNUZ")
      .Case("f8e5m2fnuz", "f8E5M2FNUZ")
      .Case("f8e8m0fnu", "f8E8M0FNU")
      .Case("f4e2m1fn_x2", "ui8") // two in a byte, as torch counts its elements
      .Default("");
}

/// Of a dimension; -1: it is dynamic.
static int64_t staticSize(StringRef text) {
  int64_t number = 0;
  return text.getAsInteger(10, number) || number < 0 ? -1 : number;
}

std::vector<std::string> dynamicSizes(StringRef annotation) {
  std::vector<std::string> dynamic;
  if (!StringRef(mlirType(annotation)).starts_with("tensor<"))
    return dynamic;
  StringRef rest = annotation.split('[').second.split(']').first;
  while (!rest.empty()) {
    StringRef size;
    std::tie(size, rest) = rest.split(',');
    if (!size.trim().empty() && staticSize(size.trim()) < 0)
      dynamic.push_back(size.trim().str());
  }
  return dynamic;
}

std::string mlirType(StringRef annotation) {
  annotation = annotation.trim();
  if (annotation.starts_with("Sym("))
    return "index";
  auto [name, rest] = annotation.split('[');
  StringRef element = elementType(name.trim());
  size_t end = rest.find(']');
  if (element.empty() || end == StringRef::npos)
    return "none";
  std::string type = "tensor<";
  constexpr unsigned mostDimensions = 64;
  unsigned dimensions = 0;
  for (StringRef sizes = rest.take_front(end).trim(); !sizes.empty();) {
    StringRef size;
    std::tie(size, sizes) = sizes.split(',');
    size = size.trim();
    if (size.empty())
      continue;
    if (++dimensions > mostDimensions)
      return "none";
    type += staticSize(size) < 0 ? "?" : std::to_string(staticSize(size));
    type += 'x';
  }
  return type + element.str() + ">";
}

} // namespace fuselage::inductor
