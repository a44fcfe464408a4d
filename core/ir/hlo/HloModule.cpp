#include "core/ir/hlo/HloModule.h"
#include "core/ir/hlo/HloCursor.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace fuselage::hlo {

const Shape::Element *Shape::element(int64_t index) const {
  for (size_t at = 0; at < elements.size(); at = elements[at].endElement)
    if (index-- == 0)
      return &elements[at];
  return nullptr;
}

Shape Shape::shapeOf(const Element &element) const {
  Shape shape;
  size_t first = &element - elements.data() + 1;
  shape.leaves.assign(leaves.begin() + element.firstLeaf, leaves.begin() + element.endLeaf);
  for (size_t at = first; at < element.endElement; ++at)
    shape.elements.push_back({.firstLeaf = elements[at].firstLeaf - element.firstLeaf,
                              .endLeaf = elements[at].endLeaf - element.firstLeaf,
                              .endElement = elements[at].endElement - unsigned(first)});
  // A leaf has no elements; an empty tuple has no leaves.
  shape.isTuple = !shape.elements.empty() || shape.leaves.empty();
  return shape;
}

static StringRef valueOf(llvm::ArrayRef<WrittenAttribute> attributes, StringRef name) {
  auto found = llvm::find_if(attributes, [&](const WrittenAttribute &attribute) { return attribute.name == name; });
  return found == attributes.end() ? StringRef() : found->value;
}

StringRef Instruction::attribute(StringRef name) const { return valueOf(attributes, name); }

bool Module::isScheduled() const { return valueOf(attributes, "is_scheduled") == "true"; }

static StringRef withoutBraces(StringRef value) {
  if (value.consume_front("{"))
    value.consume_back("}");
  return value;
}

llvm::SmallVector<StringRef> namesIn(StringRef value) {
  llvm::SmallVector<StringRef> names;
  withoutBraces(value).split(names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef &name : names) {
    name = name.trim();
    name.consume_front("%");
  }
  return names;
}

std::optional<int64_t> numberIn(StringRef value) {
  int64_t number = 0;
  return value.getAsInteger(10, number) ? std::nullopt : std::optional(number);
}

std::optional<llvm::SmallVector<int64_t>> numbersIn(StringRef value) {
  if (!value.starts_with("{") || !value.ends_with("}"))
    return std::nullopt;
  llvm::SmallVector<StringRef> words;
  withoutBraces(value).split(words, ',', -1, /*KeepEmpty=*/false);
  llvm::SmallVector<int64_t> numbers;
  for (StringRef word : words) {
    std::optional<int64_t> number = numberIn(word.trim());
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::string metadataOf(const Instruction &instruction, StringRef key) {
  Cursor cursor(withoutBraces(instruction.attribute("metadata")));
  while (!cursor.atEnd()) {
    StringRef name = cursor.word();
    if (name.empty() || !cursor.consume('='))
      return "";
    StringRef value = cursor.value();
    if (name == key)
      return unquoted(value);
    cursor.consume(',');
  }
  return "";
}

} // namespace fuselage::hlo
