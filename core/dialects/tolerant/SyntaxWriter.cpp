#include "core/dialects/tolerant/SyntaxWriter.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"

using namespace mlir;

namespace fuselage {

SyntaxWriter::SyntaxWriter() { text(" "); }

SyntaxWriter &SyntaxWriter::text(StringRef literal) {
  text_ += literal;
  return *this;
}

void SyntaxWriter::placeholder(char kind, unsigned number) {
  text_.push_back('\x01');
  text_.push_back(kind);
  text_ += std::to_string(number);
  text_.push_back('\x02');
}

SyntaxWriter &SyntaxWriter::operand(Value value, StringRef group) {
  if (groups_.empty() || isGroupClosed_ || groups_.back().name != group)
    groups_.push_back({group.str(), static_cast<unsigned>(operands_.size()), 0});
  isGroupClosed_ = false;
  ++groups_.back().count;
  placeholder('o', operands_.size());
  operands_.push_back(value);
  return *this;
}

SyntaxWriter &SyntaxWriter::list(StringRef keyword, ArrayRef<OpFoldResult> elements) {
  text(keyword).text(" = [");
  SmallVector<int64_t> numbers;
  llvm::interleave(
      elements,
      [&](OpFoldResult element) {
        if (auto number = dyn_cast<Attribute>(element)) {
          numbers.push_back(cast<IntegerAttr>(number).getInt());
          text(std::to_string(numbers.back()));
          return;
        }
        numbers.push_back(ShapedType::kDynamic);
        operand(cast<Value>(element), keyword);
      },
      [&] { text(", "); });
  numbers_.emplace_back(keyword.str(), std::move(numbers));
  isGroupClosed_ = true;
  return text("]");
}

SyntaxWriter &SyntaxWriter::dimensions(ValueRange values) {
  if (values.empty())
    return *this;
  isGroupClosed_ = true;
  text("{");
  llvm::interleave(
      values, [&](Value value) { operand(value); }, [&] { text(", "); });
  isGroupClosed_ = true;
  return text("}");
}

SyntaxWriter &SyntaxWriter::type(Type type) {
  placeholder('u', units_.size());
  units_.push_back(TypeAttr::get(type));
  return *this;
}

SyntaxWriter &SyntaxWriter::attribute(StringRef key, Attribute attribute) {
  placeholder('u', units_.size());
  units_.push_back(attribute);
  attributes_.emplace_back(key.str(), attribute);
  return *this;
}

Operation *SyntaxWriter::create(OpBuilder &builder, Location loc, StringRef name, TypeRange results) {
  NamedAttrList attributes;
  for (const auto &[key, value] : attributes_)
    attributes.set(key, value);
  for (const auto &[key, value] : numbers_)
    attributes.set(key, builder.getDenseI64ArrayAttr(value));
  std::string groups;
  llvm::raw_string_ostream os(groups);
  for (const Group &group : groups_)
    os << group.name << ':' << group.first << ':' << group.count << ';';
  SmallVector<Type> types = llvm::to_vector(llvm::map_range(operands_, [](Value value) { return value.getType(); }));
  llvm::append_range(types, results);
  DictionaryAttr dictionary = attributes.getDictionary(builder.getContext());
  OperationState state(loc, name);
  state.addOperands(operands_);
  state.addTypes(results);
  state.addAttributes(dictionary.getValue());
  state.addAttribute(
      SyntaxAttr::key,
      SyntaxAttr::get(
          builder.getContext(),
          {.text = text_, .groups = groups, .attributes = dictionary.getValue(), .types = types, .units = units_}));
  return builder.create(state);
}

} // namespace fuselage
