#include "core/protocol/json/JsonReader.h"
#include <cmath>
#include <limits>

namespace fuselage::message {

std::optional<int64_t> LlvmJson::integer(Value value) {
  constexpr double tooLarge = 9223372036854775808.0; // 2^63, which llvm::json converts where it is a double
  if (!value || (value->getAsNumber().value_or(0) >= tooLarge && !value->getAsUINT64()))
    return std::nullopt;
  return value->getAsInteger();
}

std::optional<double> LlvmJson::real(Value value) {
  if (!value)
    return std::nullopt;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (std::optional<llvm::StringRef> text = value->getAsString()) {
    if (*text == "inf")
      return infinity;
    if (*text == "-inf")
      return -infinity;
    return *text == "nan" ? std::optional(std::numeric_limits<double>::quiet_NaN()) : std::nullopt;
  }
  return value->getAsNumber();
}

std::optional<LlvmJson::Text> LlvmJson::text(Value value) {
  std::optional<llvm::StringRef> text = value ? value->getAsString() : std::nullopt;
  return text ? std::optional(text->str()) : std::nullopt;
}

std::optional<LlvmJson::Element> LlvmJson::element(Value value) {
  if (!value)
    return std::nullopt;
  if (const llvm::json::Array *parts = value->getAsArray(); parts && parts->size() == 2) {
    std::optional<double> re = real(&(*parts)[0]), im = real(&(*parts)[1]);
    return re && im ? std::optional<Element>(std::complex<double>(*re, *im)) : std::nullopt;
  }
  if (std::optional<int64_t> whole = integer(value))
    return Element(*whole);
  if (std::optional<uint64_t> large = value->getAsUINT64())
    return Element(*large);
  if (std::optional<double> number = real(value))
    return Element(*number);
  if (std::optional<Text> digits = text(value))
    return Element(std::move(*digits));
  return std::nullopt;
}

std::optional<LlvmJson::Object> LlvmJson::object(Value value) {
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  return object ? std::optional(object) : std::nullopt;
}

} // namespace fuselage::message
