#include "core/ir/source/LegacyText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::SmallVector;
using llvm::StringRef;

namespace fuselage {

namespace {
/// Walks the characters of an op's text that stand in no bracket and no string.
template <typename Visit> void visitOutsideBrackets(StringRef text, Visit visit) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
      continue;
    }
    if (c == '/' && text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
      continue;
    }
    if (c == '-' && text.substr(i).starts_with("->")) {
      if (depth == 0 && !visit(i))
        return;
      ++i;
      continue;
    }
    if (depth == 0 && !visit(i))
      return;
    if (llvm::is_contained("([{<", c) && c)
      ++depth;
    else if (llvm::is_contained(")]}>", c) && c && depth > 0)
      --depth;
  }
}
} // namespace

SmallVector<StringRef> splitOutsideBrackets(StringRef text, char separator) {
  SmallVector<StringRef> pieces;
  size_t begin = 0;
  visitOutsideBrackets(text, [&](size_t at) {
    if (text[at] == separator) {
      pieces.push_back(text.slice(begin, at).trim());
      begin = at + 1;
    }
    return true;
  });
  StringRef last = text.substr(begin).trim();
  if (!last.empty() || !pieces.empty())
    pieces.push_back(last);
  return pieces;
}

size_t findOutsideBrackets(StringRef text, StringRef word) {
  size_t found = StringRef::npos;
  visitOutsideBrackets(text, [&](size_t at) {
    if (text.substr(at).starts_with(word))
      found = at;
    return found == StringRef::npos;
  });
  return found;
}

bool readsBareWords(const SourceScan &scan, int32_t index) {
  for (int32_t op = scan.ops()[index].parent; op >= 0; op = scan.ops()[op].parent) {
    StringRef name = scan.nameOf(scan.ops()[op]);
    if (isFunctionName(name))
      return name == "func" || name == "func.func" || name == "builtin.func";
  }
  return true;
}

/// The op's text behind its name.
static StringRef argumentsOf(const SourceScan &scan, const ScannedOp &op) {
  return scan.text().slice(op.nameEnd, std::max(op.nameEnd, op.end));
}

/// `func private @f(...)`: the visibility that it needs today.
static bool modernizeFunction(const SourceScan &scan, const ScannedOp &op, SourceEdits &edits) {
  StringRef rest = argumentsOf(scan, op).ltrim();
  bool isBare = rest.starts_with("@");
  if (!isBare && !rest.starts_with("private") && !rest.starts_with("public") && !rest.starts_with("nested"))
    return false;
  // Declarations were public until 2021.
  edits.replace(op.name, op.nameEnd, isBare && !op.hasRegion ? "func.func private" : "func.func");
  return true;
}

/// Whether a bare word needs no prefix where it stands, in a function's own region.
static bool standsBareToday(const SourceScan &scan, const ScannedOp &op, StringRef name) {
  if (name != "return" && name != "call" && name != "call_indirect" &&
      !(name == "constant" && argumentsOf(scan, op).ltrim().starts_with("@")))
    return false;
  if (op.parent < 0)
    return true; // a fragment is put into a function
  StringRef parent = scan.nameOf(scan.ops()[op.parent]);
  return parent == "func" || parent == "func.func" || parent == "builtin.func";
}

/// `[4, %d, 8]` is `(%d)`.
static bool modernizeInitTensor(const SourceScan &scan, const ScannedOp &op, SourceEdits &edits) {
  StringRef text = argumentsOf(scan, op);
  size_t open = text.find_first_not_of(" \t\n\r");
  if (open == StringRef::npos)
    return false;
  std::string sizes;
  size_t close = open;
  if (text[open] == '[') {
    close = text.find(']', open);
    if (close == StringRef::npos)
      return false;
    for (StringRef size : splitOutsideBrackets(text.slice(open + 1, close), ','))
      if (size.starts_with("%"))
        sizes += (sizes.empty() ? "" : ", ") + size.str();
    ++close;
  } else if (text[open] != ':') {
    return false;
  }
  edits.replace(op.name, op.nameEnd + close, "tensor.empty(" + sizes + ")" + (text[open] == ':' ? " " : ""));
  return true;
}

/// `linalg.op(%a, %b) : A, B -> C` is `linalg.op ins(%a : A) outs(%b : B) -> C`. The last operand is
/// the output; the one of fill was the first in 2020, which the types tell.
static bool modernizeCallLike(const SourceScan &scan, const ScannedOp &op, StringRef name, SourceEdits &edits) {
  StringRef text = argumentsOf(scan, op);
  if (!text.ltrim().starts_with("(") || op.hasRegion)
    return false;
  size_t colon = findOutsideBrackets(text, ":");
  size_t open = text.find('('), close = text.find(')', open);
  if (colon == StringRef::npos || close == StringRef::npos || close > colon)
    return false;
  StringRef signature = text.substr(colon + 1);
  size_t arrow = findOutsideBrackets(signature, "->");
  StringRef results = arrow == StringRef::npos ? "" : signature.substr(arrow).trim();
  SmallVector<StringRef> operands = splitOutsideBrackets(text.slice(open + 1, close), ',');
  SmallVector<StringRef> types = splitOutsideBrackets(signature.take_front(arrow), ',');
  if (operands.size() < 2 || operands.size() != types.size() || !llvm::all_of(operands, [](StringRef operand) {
        return operand.starts_with("%");
      }))
    return false;
  auto isShaped = [](StringRef type) { return type.starts_with("tensor<") || type.starts_with("memref<"); };
  if (name == "linalg.fill" && isShaped(types[0]) && !isShaped(types[1])) {
    std::swap(operands[0], operands[1]);
    std::swap(types[0], types[1]);
  }
  if (!isShaped(types.back()))
    return false;
  StringRef attributes = text.slice(close + 1, colon).trim();
  std::string modern = name.str();
  if (!attributes.empty())
    modern += " " + attributes.str();
  modern += " ins(" + llvm::join(llvm::ArrayRef(operands).drop_back(), ", ") + " : " +
            llvm::join(llvm::ArrayRef(types).drop_back(), ", ") + ") outs(" + operands.back().str() + " : " +
            types.back().str() + ")";
  if (!results.empty())
    modern += " " + results.str();
  edits.replace(op.name, op.end, modern);
  return true;
}

/// `ins(...) init(...)` of 2020 is `ins(...) outs(...)`.
static bool modernizeInit(const SourceScan &scan, const ScannedOp &op, SourceEdits &edits) {
  StringRef text = argumentsOf(scan, op);
  size_t init = findOutsideBrackets(text, "init(");
  if (init == StringRef::npos || findOutsideBrackets(text, "outs(") != StringRef::npos)
    return false;
  edits.replace(op.nameEnd + init, op.nameEnd + init + 4, "outs");
  return true;
}

/// `%x [[0], [1, 2]] : A into tensor<4x2x3xf32>` needs `output_shape [4, 2, 3]`.
static bool addOutputShape(const SourceScan &scan, const ScannedOp &op, SourceEdits &edits) {
  StringRef text = argumentsOf(scan, op);
  size_t into = findOutsideBrackets(text, "into ");
  size_t colon = findOutsideBrackets(text, ":");
  if (into == StringRef::npos || colon > into || text.contains("output_shape"))
    return false;
  StringRef type = text.substr(into + 5).ltrim();
  if (!type.consume_front("tensor<") && !type.consume_front("memref<"))
    return false;
  std::string shape;
  for (StringRef rest = type.take_until([](char c) { return c == '>' || c == ',' || c == '<'; });;) {
    StringRef digits = rest.take_while(llvm::isDigit);
    if (digits.empty() || !rest.drop_front(digits.size()).starts_with("x")) {
      if (rest.starts_with("?") || rest.starts_with("*"))
        return false; // sizes that the text does not have
      break;
    }
    shape += (shape.empty() ? "" : ", ") + digits.str();
    rest = rest.drop_front(digits.size() + 1);
  }
  edits.insert(op.nameEnd + colon, "output_shape [" + shape + "] ");
  return true;
}

/// The yield of a pad_tensor belonged to linalg.
static void renamePadYield(const SourceScan &scan, int32_t index, SourceEdits &edits) {
  for (size_t i = index + 1; i < scan.ops().size() && scan.ops()[i].begin < scan.ops()[index].end; ++i) {
    const ScannedOp &op = scan.ops()[i];
    if (op.parent == index && scan.nameOf(op) == "linalg.yield")
      edits.replace(op.name, op.nameEnd, "tensor.yield");
  }
}

bool modernizeOp(const SourceScan &scan, int32_t index, SourceEdits &edits) {
  const ScannedOp &op = scan.ops()[index];
  StringRef name = scan.nameOf(op);
  if (op.isGeneric)
    return false;
  bool isBare = !name.contains('.');
  if (isBare && !readsBareWords(scan, index))
    return false;
  if (name == "func" || name == "builtin.func")
    return modernizeFunction(scan, op, edits);
  if (name == "module") {
    // Bare at the top and in modules; in an op of a foreign dialect it needs its full name.
    if (op.parent < 0 || scan.nameOf(scan.ops()[op.parent]).ends_with("module"))
      return false;
    edits.replace(op.name, op.nameEnd, "builtin.module");
    return true;
  }
  if (isBare && standsBareToday(scan, op, name))
    return false;
  if (name == "linalg.init_tensor")
    return modernizeInitTensor(scan, op, edits);
  bool changed = false;
  StringRef modern = renamedOp(name, argumentsOf(scan, op));
  if (name == "bufferization.to_memref" && findOutsideBrackets(argumentsOf(scan, op), "to ") == StringRef::npos)
    modern = ""; // `%t : memref<..>` does not spell the tensor's type
  if (!modern.empty()) {
    edits.replace(op.name, op.nameEnd, modern.str());
    changed = true;
  }
  if (name == "linalg.pad_tensor")
    renamePadYield(scan, index, edits);
  StringRef today = modern.empty() ? name : modern;
  if (today == "tensor.expand_shape" || today == "memref.expand_shape")
    changed |= addOutputShape(scan, op, edits);
  if (!changed && name.starts_with("linalg."))
    changed = modernizeCallLike(scan, op, name, edits) || modernizeInit(scan, op, edits);
  return changed;
}

} // namespace fuselage
