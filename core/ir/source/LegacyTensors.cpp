// Rewrites of tensor, memref and bufferization ops.
#include "core/ir/source/LegacyOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::SmallVector;
using llvm::StringRef;

namespace fuselage::legacy {

bool initTensor(const OpText &op, SourceEdits &edits) {
  StringRef text = op.rest().ltrim();
  std::string sizes;
  StringRef list = text.take_front(0);
  if (text.starts_with("[")) {
    list = insideBrackets(text);
    if (!list.data())
      return false;
    for (StringRef size : splitOutsideBrackets(list, ','))
      if (size.starts_with("%"))
        sizes += (sizes.empty() ? "" : ", ") + size.str();
    list = StringRef(list.data() - 1, list.size() + 2);
  } else if (!text.starts_with(":")) {
    return false;
  }
  edits.replace(op.op().nameEnd, op.endOf(list), "(" + sizes + ")" + (list.empty() ? " " : ""));
  return true;
}

bool padTensor(const OpText &op, SourceEdits &edits) {
  auto ops = op.scan().ops();
  for (size_t i = op.index() + 1; i < ops.size() && ops[i].begin < op.op().end; ++i)
    if (ops[i].parent == op.index() && op.scan().nameOf(ops[i]) == "linalg.yield")
      edits.replace(ops[i].name, ops[i].nameEnd, "tensor.yield");
  return true;
}

namespace {
/// The sizes that an expand_shape needs, and the ops that compute those its types do not tell.
class OutputShape {
public:
  OutputShape(const OpText &op, const ShapedText &result, StringRef sourceType)
      : op_(op), result_(result), sourceType_(sourceType) {}

  /// Sizes [first, first + count) of the result are dimension `dim` of the source. False: two of them are unknown.
  bool addGroup(unsigned dim, unsigned first, unsigned count) {
    auto sizes = llvm::ArrayRef(result_.sizes).slice(first, count);
    if (llvm::count(sizes, "?") > 1)
      return false;
    int64_t known = 1;
    for (StringRef size : sizes)
      if (int64_t number = 0; !size.getAsInteger(10, number))
        known *= number;
    for (StringRef size : sizes)
      shape += (shape.empty() ? "" : ", ") + (size == "?" ? dividedSize(dim, known) : size.str());
    return true;
  }

  std::string shape, opsBefore;

private:
  std::string constant(int64_t number) {
    std::string name = op_.freshValue(values_++);
    opsBefore += name + " = arith.constant " + std::to_string(number) + " : index\n";
    return name;
  }
  std::string dividedSize(unsigned dim, int64_t divisor) {
    std::string index = constant(dim), size = op_.freshValue(values_++);
    StringRef dialect = StringRef(result_.kind);
    opsBefore +=
        (size + " = " + dialect + ".dim " + op_.values().front() + ", " + index + " : " + sourceType_ + "\n").str();
    if (divisor <= 1)
      return size;
    std::string by = constant(divisor), quotient = op_.freshValue(values_++);
    opsBefore += quotient + " = arith.divui " + size + ", " + by + " : index\n";
    return quotient;
  }

  const OpText &op_;
  const ShapedText &result_;
  StringRef sourceType_;
  unsigned values_ = 0;
};
} // namespace

bool expandShape(const OpText &op, SourceEdits &edits) {
  size_t into = findOutsideBrackets(op.types(), "into ");
  if (into == StringRef::npos || op.head().contains("output_shape") || op.values().empty())
    return false;
  ShapedText result = readShapedType(op.scan(), op.types().substr(into + 5));
  size_t open = findOutsideBrackets(op.head(), "[");
  if (!result || result.isUnranked || open == StringRef::npos)
    return false;
  OutputShape shape(op, result, op.types().take_front(into).trim());
  unsigned first = 0;
  for (auto [dim, group] : llvm::enumerate(splitOutsideBrackets(insideBrackets(op.head().substr(open)), ','))) {
    unsigned count = splitOutsideBrackets(insideBrackets(group), ',').size();
    if (first + count > result.sizes.size() || !shape.addGroup(dim, first, count))
      return false;
    first += count;
  }
  if (first != result.sizes.size()) { // all sizes of `[]` are 1
    if (first != 0)
      return false;
    if (!shape.addGroup(0, 0, result.sizes.size()))
      return false;
  }
  if (!shape.opsBefore.empty())
    edits.insert(op.op().begin, shape.opsBefore);
  edits.insert(op.endOf(op.head()), "output_shape [" + shape.shape + "] ");
  return true;
}

/// `from to into` where the text has but one of the types.
static bool spellBoth(const OpText &op, SourceEdits &edits, StringRef other, bool isSource) {
  ShapedText type = readShapedType(op.scan(), op.types());
  if (!type || findOutsideBrackets(op.types(), " to ") != StringRef::npos)
    return false;
  std::string text = type.withKind(other);
  op.replace(edits, op.types(), isSource ? op.types().str() + " to " + text : text + " to " + op.types().str());
  return true;
}

bool toTensor(const OpText &op, SourceEdits &edits) { return spellBoth(op, edits, "tensor", /*isSource=*/true); }

bool toBuffer(const OpText &op, SourceEdits &edits) {
  bool spellsBoth = findOutsideBrackets(op.types(), " to ") != StringRef::npos;
  return (spellsBoth && op.name() == "bufferization.to_memref") || spellBoth(op, edits, "tensor", /*isSource=*/false);
}

bool tensorStore(const OpText &op, SourceEdits &edits) {
  auto values = op.values();
  ShapedText type = readShapedType(op.scan(), op.types());
  if (values.size() != 2 || !type)
    return false;
  edits.replace(
      op.op().nameEnd, op.endOf(op.rest()),
      (" " + values[0] + " in writable " + values[1] + " : (" + type.withKind("tensor") + ", " + op.types() + ") -> ()")
          .str());
  return true;
}

bool copyTensor(const OpText &op, SourceEdits &edits) {
  auto values = op.values();
  if (values.size() != 2 || !op.hasTypes())
    return false;
  StringRef type = op.types();
  edits.replace(op.op().nameEnd, op.endOf(op.rest()),
                (" " + values[0] + " in " + values[1] + " : (" + type + ", " + type + ") -> " + type).str());
  return true;
}

bool materialize(const OpText &op, SourceEdits &edits) {
  if (!op.hasTypes() || op.types().starts_with("("))
    return false;
  op.replace(edits, op.types(), ("(" + op.types() + ", " + op.types() + ") -> " + op.types()).str());
  return true;
}

/// `[4, 0] [0, 2] [1, 1]` of what has four rows: where a slice without elements starts does not matter, but must be
/// inside.
bool emptySlice(const OpText &op, SourceEdits &edits) {
  SmallVector<SmallVector<StringRef>> lists;
  StringRef text = op.head();
  for (size_t open = findOutsideBrackets(text, "["); open != StringRef::npos; open = findOutsideBrackets(text, "[")) {
    StringRef list = insideBrackets(text.substr(open));
    if (!list.data())
      return false;
    lists.push_back(splitOutsideBrackets(list, ','));
    text = StringRef(list.end() + 1, op.head().end() - list.end() - 1);
  }
  if (lists.size() != 3 || lists[0].size() != lists[1].size())
    return false;
  bool changed = false;
  for (auto [offset, size] : llvm::zip_equal(lists[0], lists[1]))
    if (size == "0" && offset != "0" && !offset.starts_with("%")) {
      op.replace(edits, offset, "0");
      changed = true;
    }
  return changed;
}

bool packOfBuffers(const OpText &op, SourceEdits &edits) {
  auto [from, to] = std::pair(op.types().take_front(findOutsideBrackets(op.types(), "->")).trim(),
                              op.types().substr(std::min(findOutsideBrackets(op.types(), "->"), op.types().size())));
  to = to.consume_front("->") ? to.trim() : from;
  ShapedText source = readShapedType(op.scan(), from), target = readShapedType(op.scan(), to);
  size_t into = findOutsideBrackets(op.head(), "into ");
  auto values = op.values();
  if (source.kind != "memref" || target.kind != "memref" || into == StringRef::npos || !op.results().empty())
    return false;
  StringRef input = values.front(), output = values.back();
  std::string inputTensor = op.freshValue(0), outputTensor = op.freshValue(1), result = op.freshValue(2);
  std::string sourceType = source.withKind("tensor"), targetType = target.withKind("tensor");
  edits.insert(op.op().begin, (inputTensor + " = bufferization.to_tensor " + input + " restrict : " + from + " to " +
                               sourceType + "\n" + outputTensor + " = bufferization.to_tensor " + output +
                               " restrict writable : " + to + " to " + targetType + "\n" + result + " = ")
                                  .str());
  op.replace(edits, input, inputTensor);
  op.replace(edits, output, outputTensor);
  op.replace(edits, op.types(), sourceType + " -> " + targetType);
  edits.insert(op.endOf(op.rest()), ("\nbufferization.materialize_in_destination " + result + " in restrict writable " +
                                     output + " : (" + targetType + ", " + to + ") -> ()")
                                        .str());
  return true;
}

} // namespace fuselage::legacy
