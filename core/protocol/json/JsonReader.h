// Reads messages out of llvm::json.
#pragma once
#include "core/protocol/Reader.h"
#include "core/protocol/Types.h"
#include "llvm/Support/JSON.h"

namespace fuselage::message {

/// How Reader looks into llvm::json.
struct LlvmJson {
  using Text = std::string;
  using Element = StdTypes::Element;
  using Object = const llvm::json::Object *;
  using Value = const llvm::json::Value *; ///< null: it is not there

  static Value find(Object object, std::string_view key) { return object->get(llvm::StringRef(key)); }
  static bool isEqual(const Text &text, std::string_view name) { return text == name; }
  static std::optional<bool> boolean(Value value) { return value ? value->getAsBoolean() : std::nullopt; }
  static std::optional<int64_t> integer(Value value);
  static std::optional<double> real(Value value);
  static std::optional<Text> text(Value value);
  static std::optional<Element> element(Value value);
  static std::optional<Object> object(Value value);

  template <class See> static bool eachElement(Value value, const See &see) {
    const llvm::json::Array *array = value ? value->getAsArray() : nullptr;
    if (array)
      for (const llvm::json::Value &element : *array)
        see(&element);
    return array;
  }
  template <class See> static bool eachMember(Value value, const See &see) {
    const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
    if (object)
      for (const auto &[key, member] : *object)
        see(Text(llvm::StringRef(key)), &member);
    return object;
  }
};

template <Message T> void decode(const llvm::json::Object &json, T &out) {
  LlvmJson library;
  Reader<LlvmJson> reader(library, &json);
  out.fields(reader);
}

} // namespace fuselage::message
