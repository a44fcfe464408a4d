#include "core/ir/source/LegacyText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using llvm::StringRef;

namespace fuselage {

bool readsBareWords(const SourceScan &scan, int32_t index) {
  for (int32_t op = scan.ops()[index].parent; op >= 0; op = scan.ops()[op].parent) {
    StringRef name = scan.nameOf(scan.ops()[op]);
    if (isFunctionName(name))
      return name == "func" || name == "func.func" || name == "builtin.func";
  }
  return true;
}

namespace {

/// `dense<"0x0100..."> : tensor<3x7xi1>` in an op: elements that MLIR writes as a byte each since LLVM 23, and before
/// that, as a bit.
struct BoolLiteral {
  size_t begin = 0, end = 0; ///< of the digits, in the text of the scan
  std::string bytes;
};

} // namespace

/// Of `: tensor<3x7xi1>` the number of elements; 0 for other types.
static uint64_t boolsOfType(StringRef text) {
  text = text.ltrim();
  if (!text.consume_front(":"))
    return 0;
  text = text.ltrim();
  if (!text.consume_front("tensor<") && !text.consume_front("vector<"))
    return 0;
  uint64_t elements = 1;
  for (uint64_t size = 0; !text.consumeInteger(10, size) && text.consume_front("x");)
    elements = llvm::SaturatingMultiply(elements, size);
  return text.starts_with("i1>") ? elements : 0;
}

/// The first literal of this kind in an op without regions.
static std::optional<BoolLiteral> findBools(const SourceScan &scan, const ScannedOp &op) {
  if (op.hasRegion)
    return std::nullopt;
  constexpr StringRef start = "dense<\"0x";
  StringRef text = scan.textOf(op);
  size_t at = text.find(start);
  if (at == StringRef::npos)
    return std::nullopt;
  size_t begin = at + start.size(), end = text.find('"', begin);
  if (end == StringRef::npos || !text.substr(end).starts_with("\">"))
    return std::nullopt;
  uint64_t elements = boolsOfType(text.substr(end + 2));
  BoolLiteral literal{.begin = op.begin + begin, .end = op.begin + end, .bytes = {}};
  bool isByteEach = elements > 1 && elements == (end - begin) / 2 &&
                    llvm::tryGetFromHex(text.slice(begin, end), literal.bytes) &&
                    llvm::all_of(literal.bytes, [](char byte) { return byte == 0 || byte == 1; });
  return isByteEach ? std::optional(std::move(literal)) : std::nullopt;
}

/// Writes such elements as bits, the first one the lowest.
static bool packBools(const SourceScan &scan, const ScannedOp &op, SourceEdits &edits) {
  std::optional<BoolLiteral> literal = findBools(scan, op);
  if (!literal)
    return false;
  std::string bits((literal->bytes.size() + 7) / 8, '\0');
  for (auto [index, byte] : llvm::enumerate(literal->bytes))
    bits[index / 8] |= byte << (index % 8);
  edits.replace(literal->begin, literal->end, llvm::toHex(bits));
  return true;
}

/// The op's text after its name.
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

/// Bare at the top and in modules; in an op of a foreign dialect it needs its full name.
static bool modernizeModule(const SourceScan &scan, const ScannedOp &op, SourceEdits &edits) {
  if (op.parent < 0 || scan.nameOf(scan.ops()[op.parent]).ends_with("module"))
    return false;
  edits.replace(op.name, op.nameEnd, "builtin.module");
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

/// Whether the words in the op's regions are those of the transform dialect.
static bool isScript(StringRef name) { return name.starts_with("transform."); }

/// The row of op `index`; null if it has none.
static const LegacyOp *rowOf(const SourceScan &scan, int32_t index) {
  const ScannedOp &op = scan.ops()[index];
  StringRef name = scan.nameOf(op);
  if (name.contains('.'))
    return findLegacyOp(name.starts_with("std.") ? name.drop_front(4) : name);
  if (op.parent >= 0 && isScript(scan.nameOf(scan.ops()[op.parent])))
    return findLegacyOp(("transform." + name).str());
  return readsBareWords(scan, index) && !standsBareToday(scan, op, name) ? findLegacyOp(name) : nullptr;
}

static bool applyRow(const LegacyOp &row, const OpText &op, SourceEdits &edits) {
  if (row.rewrite && !row.rewrite(op, edits))
    return false;
  if (op.name() != row.nameToday())
    op.rename(edits, row.nameToday().str());
  return true;
}

/// Replaces `old` in the attributes of an op in generic form; they follow its regions.
static bool replaceInAttributes(const SourceScan &scan, const ScannedOp &op, StringRef old, StringRef today,
                                SourceEdits &edits) {
  size_t at = scan.textOf(op).rfind(old);
  if (at == StringRef::npos)
    return false;
  edits.replace(op.begin + at, op.begin + at + old.size(), today.str());
  return true;
}

/// `{dimension = "x"}` of gpu.thread_id and the like.
static bool modernizeDimension(const SourceScan &scan, const ScannedOp &op, SourceEdits &edits) {
  for (StringRef dim : {"x", "y", "z"})
    if (replaceInAttributes(scan, op, ("dimension = \"" + dim + "\"").str(),
                            ("dimension = #gpu<dim " + dim + ">").str(), edits))
      return true;
  return false;
}

/// In generic form mostly only the name tells one release from another.
static bool modernizeGeneric(const SourceScan &scan, const ScannedOp &op, SourceEdits &edits) {
  StringRef name = scan.nameOf(op);
  if (name == "func" || name == "builtin.func") {
    edits.replace(op.name, op.nameEnd, "func.func");
    replaceInAttributes(scan, op, ", type = (", ", function_type = (", edits);
    return true;
  }
  if (name.starts_with("gpu."))
    return modernizeDimension(scan, op, edits);
  bool isStd = name.consume_front("std.");
  const LegacyOp *row = isStd || name.contains('.') ? findLegacyOp(name) : nullptr;
  StringRef today = row && !row->rewrite ? row->nameToday() : isStd && name == "constant" ? "arith.constant" : "";
  if (today.empty())
    return false;
  edits.replace(op.name, op.nameEnd, today.str());
  return true;
}

/// `constant unit`: no dialect has such a value today. It is kept as an op that none defines.
static bool isUnit(StringRef name, StringRef text) {
  return (name == "constant" || name == "std.constant") && text.trim() == "unit";
}

bool modernizeOp(const SourceScan &scan, int32_t index, SourceEdits &edits) {
  const ScannedOp &op = scan.ops()[index];
  StringRef name = scan.nameOf(op);
  if (packBools(scan, op, edits))
    return true; // nothing else differs in the release that writes them so
  if (op.isGeneric)
    return modernizeGeneric(scan, op, edits);
  bool isBare = !name.contains('.');
  if (name == "func" || name == "builtin.func")
    return readsBareWords(scan, index) && modernizeFunction(scan, op, edits);
  if (name == "module")
    return readsBareWords(scan, index) && modernizeModule(scan, op, edits);
  if (isUnit(name, argumentsOf(scan, op)) && readsBareWords(scan, index)) {
    edits.replace(op.name, op.end, "\"std.constant\"() {value} : () -> none");
    return true;
  }
  if (const LegacyOp *row = rowOf(scan, index)) {
    SourceEdits own;
    if (applyRow(*row, OpText(scan, index), own)) {
      edits.append(own);
      return true;
    }
  }
  if (name.starts_with("linalg."))
    return legacy::callLike(OpText(scan, index), edits);
  if (isBare && (!readsBareWords(scan, index) || standsBareToday(scan, op, name)))
    return false;
  StringRef modern = isBare || name.starts_with("std.") ? renamedOp(name, argumentsOf(scan, op)) : "";
  if (modern.empty() || findLegacyOp(isBare ? name : name.drop_front(4)))
    return false;
  edits.replace(op.name, op.nameEnd, modern.str());
  return true;
}

std::string modernAlias(StringRef value) {
  constexpr StringRef attribute = "#linalg.iterator_type<";
  std::string text;
  for (size_t at = value.find(attribute); at != StringRef::npos; at = value.find(attribute)) {
    StringRef name = value.drop_front(at + attribute.size()).take_until([](char c) { return c == '>'; });
    text += value.take_front(at).str() + "\"" + name.str() + "\"";
    value = value.drop_front(std::min(at + attribute.size() + name.size() + 1, value.size()));
  }
  return text + value.str();
}

std::string describeModernized(const SourceScan &scan, int32_t index) {
  StringRef name = scan.nameOf(scan.ops()[index]);
  const LegacyOp *row = rowOf(scan, index);
  StringRef text = argumentsOf(scan, scan.ops()[index]);
  if (findBools(scan, scan.ops()[index]))
    return "newer syntax: elements of type i1 that LLVM 23 writes as a byte each are read as bits";
  if (isUnit(name, text))
    return ("old syntax: '" + name + " unit' is kept as a value of type none").str();
  if (!row) {
    StringRef today = renamedOp(name, text);
    return ("old syntax: '" + name + "' is read as " + (today.empty() ? "today's op" : "'" + today.str() + "'")).str();
  }
  std::string since = std::to_string(row->since);
  if (row->since > kParsedLlvm)
    return ("newer syntax: '" + name + "' as LLVM " + since + " writes it is read as LLVM " + llvm::Twine(kParsedLlvm) +
            " has it")
        .str();
  if (name == row->nameToday())
    return ("old syntax: '" + name + "' is read as it is written since LLVM " + since).str();
  return ("old syntax: '" + name + "' is read as '" + row->nameToday() + "', as it is since LLVM " + since).str();
}

} // namespace fuselage
