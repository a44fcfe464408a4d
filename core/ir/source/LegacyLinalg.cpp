// Rewrites of linalg ops.
#include "core/ir/source/LegacyOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::SmallVector;
using llvm::StringRef;

namespace fuselage::legacy {

/// The maps of a product of matrices, batched or not.
static bool insertMaps(const OpText &op, SourceEdits &edits, bool isBatch, StringRef left, StringRef right) {
  std::string batch = isBatch ? "b, " : "";
  auto map = [&](StringRef results) {
    return ("affine_map<(" + batch + "d0, d1, d2) -> (" + batch + results + ")>").str();
  };
  edits.insert(op.op().nameEnd, " indexing_maps = [" + map(left) + ", " + map(right) + ", " + map("d0, d1") + "]");
  return true;
}

bool transposeA(const OpText &op, SourceEdits &edits) { return insertMaps(op, edits, false, "d2, d0", "d2, d1"); }
bool transposeB(const OpText &op, SourceEdits &edits) { return insertMaps(op, edits, false, "d0, d2", "d1, d2"); }
bool batchTransposeA(const OpText &op, SourceEdits &edits) { return insertMaps(op, edits, true, "d2, d0", "d2, d1"); }
bool batchTransposeB(const OpText &op, SourceEdits &edits) { return insertMaps(op, edits, true, "d0, d2", "d1, d2"); }

bool unsignedCast(const OpText &op, SourceEdits &edits) {
  StringRef dictionary = op.dictionary();
  std::string cast = "cast = #linalg.type_fn<cast_unsigned>";
  if (dictionary.empty())
    edits.insert(op.op().nameEnd, " {" + cast + "}");
  else
    edits.insert(op.offsetOf(dictionary) + 1, cast + ", ");
  return true;
}

static std::string kindClause(StringRef kind) { return ("kind=#linalg.elementwise_kind<" + kind + ">").str(); }

bool elemwise(const OpText &op, SourceEdits &edits) {
  StringRef kind = op.name().ends_with("unary") ? "exp" : "add";
  std::string kept;
  for (OpText::Entry entry : op.attributes()) {
    if (entry.key == "fun")
      kind = insideBrackets(entry.value.substr(std::min(entry.value.find('<'), entry.value.size())));
    else if (entry.key != "cast")
      kept += (kept.empty() ? "" : ", ") + entry.key.str() + (entry.value.empty() ? "" : " = " + entry.value.str());
  }
  StringRef dictionary = op.dictionary();
  if (!dictionary.empty())
    op.replace(edits, dictionary, kept.empty() ? "" : "{" + kept + "}");
  edits.insert(op.op().nameEnd, " " + kindClause(kind));
  return !kind.empty();
}

/// Kinds that elementwise has in the parsed LLVM.
static bool isParsedKind(StringRef kind) {
  return llvm::StringSwitch<bool>(kind)
      .Cases({"exp",        "log",        "abs",          "ceil",         "floor",  "negf",
              "reciprocal", "round",      "sqrt",         "rsqrt",        "square", "tanh",
              "erf",        "add",        "sub",          "mul",          "div",    "div_unsigned",
              "max_signed", "min_signed", "max_unsigned", "min_unsigned", "powf",   "select"},
             true)
      .Default(false);
}

bool elementwise(const OpText &op, SourceEdits &edits) {
  StringRef text = op.rest().ltrim(), spelt;
  size_t open = text.find('<');
  if (open == StringRef::npos || (open != 0 && !text.starts_with("kind")))
    return false;
  StringRef kind = insideBrackets(text.substr(open)).trim();
  spelt = StringRef(text.data(), kind.end() + 1 - text.data());
  if (isParsedKind(kind)) {
    if (open == 0)
      op.replace(edits, spelt, kindClause(kind));
    return open == 0;
  }
  bool hasMaps = findOutsideBrackets(op.head(), "indexing_maps") != StringRef::npos;
  if (kind.empty() || hasMaps || op.values().size() != 2)
    return false;
  op.replace(edits, spelt, ("{ math." + kind + " }").str());
  size_t arrow = findOutsideBrackets(op.head(), "->");
  if (arrow != StringRef::npos) // its results go without saying
    op.replace(edits, op.head().substr(arrow).rtrim(), "");
  op.rename(edits, "linalg.map");
  return true;
}

/// The types in `ins(%a, %b : A, B)`.
static SmallVector<StringRef> typesOf(StringRef clause) {
  size_t colon = findOutsideBrackets(clause, ":");
  return colon == StringRef::npos ? SmallVector<StringRef>() : splitOutsideBrackets(clause.substr(colon + 1), ',');
}

bool mapRegion(const OpText &op, SourceEdits &edits) {
  if (!op.op().hasRegion)
    return false;
  StringRef header = op.header().rtrim();
  StringRef outs = op.clause("outs");
  if (!outs.data() || !header.ends_with(")"))
    return false;
  StringRef after = header.substr(outs.end() + 1 - header.data());
  size_t open = findOutsideBrackets(after, "(");
  if (open == StringRef::npos)
    return false;
  StringRef arguments = insideBrackets(after.substr(open));
  SmallVector<StringRef> outTypes = typesOf(outs);
  ShapedText output = readShapedType(op.scan(), outTypes.empty() ? "" : outTypes.front());
  size_t inputs = typesOf(op.clause("ins")).size();
  if (!arguments.data() || !output || splitOutsideBrackets(arguments, ',').size() != inputs)
    return false;
  edits.insert(op.endOf(arguments), (inputs ? ", " : "") + op.freshValue(0) + ": " + output.element.str());
  return true;
}

bool winograd(const OpText &op, SourceEdits &edits) {
  StringRef m = op.clause("m"), r = op.clause("r");
  if (!m.data() || !r.data() || m.end() > r.data())
    return false;
  edits.replace(op.offsetOf(m) - 2, op.endOf(r) + 1, ("fmr(F_" + m.trim() + "_" + r.trim() + ")").str());
  return true;
}

/// The parser dies of the attribute in place of its name.
bool iteratorTypes(const OpText &op, SourceEdits &edits) {
  constexpr StringRef attribute = "#linalg.iterator_type<";
  if (!op.whole().contains(attribute))
    return callLike(op, edits);
  StringRef header = op.header();
  bool changed = false;
  for (size_t at = header.find(attribute); at != StringRef::npos; at = header.find(attribute, at + 1)) {
    StringRef name = insideBrackets(header.substr(at + attribute.size() - 1));
    if (!name.data())
      return false;
    edits.replace(op.op().nameEnd + at, op.endOf(name) + 1, "\"" + name.trim().str() + "\"");
    changed = true;
  }
  return changed || callLike(op, edits);
}

/// The last operand is the output; the one of fill was the first in 2020, which the types tell.
static bool operandsAsClauses(const OpText &op, SourceEdits &edits) {
  if (op.op().hasRegion || !op.whole().ltrim().starts_with("("))
    return false;
  StringRef list = insideBrackets(op.head().ltrim());
  if (!list.data())
    return false;
  size_t arrow = findOutsideBrackets(op.types(), "->");
  StringRef results = arrow == StringRef::npos ? "" : op.types().substr(arrow).trim();
  SmallVector<StringRef> operands = splitOutsideBrackets(list, ',');
  SmallVector<StringRef> types = splitOutsideBrackets(op.types().take_front(arrow), ',');
  if (operands.size() < 2 || operands.size() != types.size() ||
      !llvm::all_of(operands, [](StringRef operand) { return operand.starts_with("%"); }))
    return false;
  auto isShaped = [](StringRef type) { return type.starts_with("tensor<") || type.starts_with("memref<"); };
  if (op.name() == "linalg.fill" && isShaped(types[0]) && !isShaped(types[1])) {
    std::swap(operands[0], operands[1]);
    std::swap(types[0], types[1]);
  }
  if (!isShaped(types.back()))
    return false;
  StringRef attributes = StringRef(list.end() + 1, op.head().end() - list.end() - 1).trim();
  std::string modern = attributes.empty() ? "" : " " + attributes.str();
  modern += " ins(" + llvm::join(llvm::ArrayRef(operands).drop_back(), ", ") + " : " +
            llvm::join(llvm::ArrayRef(types).drop_back(), ", ") + ") outs(" + operands.back().str() + " : " +
            types.back().str() + ")";
  if (!results.empty())
    modern += " " + results.str();
  edits.replace(op.op().nameEnd, op.endOf(op.rest()), modern);
  return true;
}

bool callLike(const OpText &op, SourceEdits &edits) {
  if (operandsAsClauses(op, edits))
    return true;
  if (!op.whole().contains("init("))
    return false;
  size_t init = findOutsideBrackets(op.rest(), "init(");
  if (init == StringRef::npos || findOutsideBrackets(op.rest(), "outs(") != StringRef::npos)
    return false;
  edits.replace(op.op().nameEnd + init, op.op().nameEnd + init + 4, "outs");
  return true;
}

} // namespace fuselage::legacy
