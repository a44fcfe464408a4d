// Rewrites of vector ops.
#include "core/ir/source/LegacyOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::SmallVector;
using llvm::StringRef;

namespace fuselage::legacy {

bool extract(const OpText &op, SourceEdits &edits) {
  ShapedText vector = readShapedType(op.scan(), op.types());
  size_t open = findOutsideBrackets(op.head(), "[");
  if (vector.kind != "vector" || findOutsideBrackets(op.types(), " from ") != StringRef::npos ||
      open == StringRef::npos)
    return false;
  size_t indices = splitOutsideBrackets(insideBrackets(op.head().substr(open)), ',').size();
  if (indices > vector.sizes.size())
    return false;
  std::string part = indices == vector.sizes.size() ? vector.element.str() : vector.withKind("vector", indices);
  op.replace(edits, op.types(), part + " from " + op.types().str());
  return true;
}

/// The position in `[%i : i32]` as one that the op takes today; where it is no index, an op before it makes one.
static bool rewritePosition(const OpText &op, SourceEdits &edits) {
  size_t open = findOutsideBrackets(op.head(), "[");
  StringRef position = open == StringRef::npos ? StringRef() : insideBrackets(op.head().substr(open));
  if (!position.data())
    return false;
  auto [value, type] = position.split(':');
  value = value.trim();
  type = type.trim();
  if (type.empty() || type == "index") {
    op.replace(edits, position, value.str());
    return true;
  }
  std::string index = op.freshValue(0);
  edits.insert(op.op().begin, (index + " = arith.index_cast " + value + " : " + type + " to index\n").str());
  op.replace(edits, position, index);
  return true;
}

bool extractElement(const OpText &op, SourceEdits &edits) {
  ShapedText vector = readShapedType(op.scan(), op.types());
  if (vector.kind != "vector" || !rewritePosition(op, edits))
    return false;
  op.replace(edits, op.types(), (vector.element + " from " + op.types()).str());
  return true;
}

bool insertElement(const OpText &op, SourceEdits &edits) {
  ShapedText vector = readShapedType(op.scan(), op.types());
  if (vector.kind != "vector" || !rewritePosition(op, edits))
    return false;
  op.replace(edits, op.types(), (vector.element + " into " + op.types()).str());
  return true;
}

bool vectorSplat(const OpText &op, SourceEdits &edits) {
  ShapedText vector = readShapedType(op.scan(), op.types());
  if (vector.kind != "vector")
    return false;
  op.replace(edits, op.types(), (vector.element + " to " + op.types()).str());
  return true;
}

/// The kind's name of today; the same for most.
static StringRef kindOfToday(StringRef kind) {
  return llvm::StringSwitch<StringRef>(kind).Case("maxf", "maximumf").Case("minf", "minimumf").Default(kind);
}

bool combiningKind(const OpText &op, SourceEdits &edits) {
  StringRef head = op.head();
  bool changed = false;
  if (StringRef text = head.ltrim(); text.starts_with("\"")) {
    StringRef kind = text.drop_front().take_until([](char c) { return c == '"'; });
    edits.replace(op.offsetOf(text), op.endOf(kind) + 1, ("<" + kindOfToday(kind) + ">").str());
    return true;
  }
  for (StringRef old : {"<maxf>", "<minf>"})
    for (size_t at = head.find(old); at != StringRef::npos; at = head.find(old, at + 1)) {
      edits.replace(op.op().nameEnd + at, op.op().nameEnd + at + old.size(),
                    "<" + kindOfToday(old.drop_front().drop_back()).str() + ">");
      changed = true;
    }
  return changed;
}

/// What a reduction of this kind starts from; empty if the text does not tell.
static StringRef neutralElement(StringRef kind, StringRef element) {
  bool isFloat = element.starts_with("f") || element.starts_with("bf");
  return llvm::StringSwitch<StringRef>(kind)
      .Case("add", isFloat ? "0.0" : "0")
      .Case("mul", isFloat ? "1.0" : "1")
      .Cases({"or", "xor", "maxui"}, "0")
      .Cases({"and", "minui"}, "-1")
      .Default("");
}

bool multiReduction(const OpText &op, SourceEdits &edits) {
  bool changed = combiningKind(op, edits);
  size_t to = findOutsideBrackets(op.types(), " to ");
  size_t open = findOutsideBrackets(op.head(), "[");
  if (op.values().size() != 1 || to == StringRef::npos || open == StringRef::npos)
    return changed;
  StringRef type = op.types().substr(to + 4).trim();
  ShapedText vector = readShapedType(op.scan(), type);
  StringRef element = vector ? vector.element : type;
  StringRef kind =
      op.head().ltrim().substr(op.head().ltrim().find('<') + 1).take_until([](char c) { return c == '>'; });
  StringRef neutral = neutralElement(kind, element);
  if (neutral.empty())
    return false;
  std::string value = vector ? ("dense<" + neutral + "> : " + type).str() : (neutral + " : " + type).str();
  edits.insert(op.op().begin, op.freshValue(0) + " = arith.constant " + value + "\n");
  edits.insert(op.endOf(op.values().front()), ", " + op.freshValue(0));
  return true;
}

bool warpYield(const OpText &op, SourceEdits &) { return op.parentName() == "vector.warp_execute_on_lane_0"; }

} // namespace fuselage::legacy
