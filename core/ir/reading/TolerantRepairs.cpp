// What a reading does about the errors of MLIR's parser.
#include "core/ir/reading/TolerantReading.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

/// So many failures of one op name, and all ops of the name are demoted.
constexpr unsigned kFailuresOfName = 3;

static bool isUndefinedBlock(StringRef message) { return message.starts_with("reference to an undefined block"); }

static bool isUndefinedValue(StringRef message) { return message.starts_with("use of undeclared SSA value name"); }

/// MLIR reports all undefined values together, at the end of a text that has no other error.
bool TolerantReader::defineValues(const std::vector<ParseError> &errors) {
  bool isNew = false;
  for (const ParseError &error : errors) {
    if (!isUndefinedValue(error.message) || !error.offset || error.name.empty())
      continue;
    int32_t op = scan_.opAt(*error.offset);
    int32_t scope = op < 0 ? -1 : plan_.scopeOf(op);
    if (scope < 0)
      plan_.wrapFragments();
    if (plan_.defineUndefined(error.name, scope)) {
      isNew = true;
      if (!plan_.isArgumentOfHeader(error.name, scope))
        report_.say(Severity::Error, *error.offset, "use of undeclared SSA value name '" + error.name + "'");
    }
  }
  return isNew;
}

/// MLIR reports all undefined blocks of a region together: each op that names one is a gap.
bool TolerantReader::makeGapsOfBranches(const std::vector<ParseError> &errors) {
  bool isNew = false;
  for (const ParseError &error : errors) {
    int32_t op = isUndefinedBlock(error.message) && error.offset ? scan_.opAt(*error.offset) : -1;
    if (op < 0 || plan_.isInGap(op))
      continue;
    plan_.makeGap(op);
    demotions_.push_back({op, error.message, *error.offset});
    isNew = true;
  }
  return isNew;
}

/// The op that an error is about: the universal parser may tell only after an op that this goes on and on.
int32_t TolerantReader::blamedOp(const ParseError &error) const {
  int32_t around = scan_.opAt(*error.offset);
  if (!StringRef(error.message).ends_with("op of an unknown dialect"))
    return around;
  auto next =
      llvm::upper_bound(scan_.ops(), *error.offset, [](size_t at, const ScannedOp &op) { return at < op.begin; });
  int32_t op = static_cast<int32_t>(next - scan_.ops().begin()) - 1;
  while (op >= 0 && op != around && !StringRef(error.message).contains((scan_.nameOf(scan_.ops()[op]) + "'").str()))
    op = scan_.ops()[op].parent;
  return op >= 0 ? op : around;
}

bool TolerantReader::repair(const std::vector<ParseError> &errors) {
  const ParseError *first = nullptr;
  for (const ParseError &error : errors)
    if (!isUndefinedValue(error.message)) {
      first = &error;
      break;
    }
  if (first ? makeGapsOfBranches(errors) : defineValues(errors))
    return true;
  if (!first)
    first = errors.empty() ? nullptr : &errors.front();
  if (!first || !first->offset)
    return false;
  size_t at = *first->offset;
  auto alias =
      llvm::find_if(scan_.aliases(), [&](const ScannedAlias &alias) { return alias.begin <= at && at <= alias.end; });
  if (alias != scan_.aliases().end() && !std::exchange(triedAliases_, true) && triage_.runAliases())
    return true;
  int32_t op = blamedOp(*first);
  bool isSecondResult =
      StringRef(first->message).starts_with("redefinition of SSA value") && op >= 0 && at < scan_.ops()[op].name;
  if (isSecondResult && plan_.renameResults(op)) {
    report_.say(Severity::Error, at, first->message);
    return true;
  }
  if (op >= 0 && demoteBareWords(op, *first))
    return true;
  if (op >= 0) {
    // The error may be that the op before ends too early.
    int32_t previous = scan_.previousSibling(op);
    int32_t from = previous >= 0 ? previous : op;
    for (int32_t around = scan_.ops()[op].parent; around >= 0; around = scan_.ops()[around].parent)
      from = std::min(from, around);
    if (triage_.run(from))
      return true;
  }
  return demoteAt(*first);
}

/// What MLIR says of an op of which it does not know the dialect.
static bool isUnknownName(StringRef message) {
  return message.contains("is unknown") || message.contains("not found for custom op");
}

/// A word without a dot that the op around it gives no dialect to: all ops of this name.
bool TolerantReader::demoteBareWords(int32_t op, const ParseError &error) {
  StringRef name = scan_.nameOf(scan_.ops()[op]);
  if (name.contains('.') || plan_.form(op) != OpForm::Written || !isUnknownName(error.message))
    return false;
  if (scan_.ops()[op].parent < 0 && (name == "return" || name == "call") && !plan_.wrapsFragments()) {
    plan_.wrapFragments();
    return true;
  }
  for (int32_t i = op, e = static_cast<int32_t>(scan_.ops().size()); i < e; ++i)
    if (scan_.nameOf(scan_.ops()[i]) == name && plan_.form(i) == OpForm::Written &&
        (scan_.ops()[i].parent >= 0) == (scan_.ops()[op].parent >= 0))
      demoteOp(i, error.message, scan_.ops()[i].name);
  return true;
}

bool TolerantReader::demoteOp(int32_t op, const std::string &message, size_t offset) {
  bool isFirst = plan_.form(op) == OpForm::Written || plan_.form(op) == OpForm::Modern;
  if (!plan_.demote(op))
    return false;
  if (isFirst || plan_.form(op) == OpForm::Gap)
    demotions_.push_back({op, message, offset});
  return true;
}

/// All ops of a function to their twins; at the second call the function is a gap.
void TolerantReader::demoteUnit(int32_t op) {
  int32_t unit = unitOf(scan_, op);
  if (!demotedUnits_.insert(unit).second || parses_ >= kCoarseParses) {
    plan_.makeGap(unit);
    return;
  }
  for (int32_t i = unit; i < plan_.subtreeEnd(unit); ++i)
    if (plan_.hasTwin(i) && (plan_.form(i) == OpForm::Written || plan_.form(i) == OpForm::Modern))
      plan_.demote(i);
}

/// The error is at an op that can be read by itself: it does not fit the others.
bool TolerantReader::demoteAt(const ParseError &error) {
  int32_t op = blamedOp(error);
  if (op < 0) {
    // Text before the first op.
    size_t end = scan_.ops().empty() ? scan_.text().size() : scan_.ops().front().begin;
    size_t begin = 0;
    for (const ScannedAlias &alias : scan_.aliases())
      if (alias.begin < end)
        end = std::min<size_t>(end, alias.begin);
    if (*error.offset >= end || plan_.isDropped(begin))
      return false;
    plan_.drop(begin, end);
    report_.say(Severity::Error, *error.offset, "this is no IR; it is left out: " + error.message);
    return true;
  }
  if (parses_ > kFineParses) {
    demotions_.push_back({op, error.message, *error.offset});
    bool wasGap = plan_.isInGap(op);
    demoteUnit(op);
    if (!wasGap)
      return true;
    // A gap cannot fail: it is what stands around it.
    int32_t around = scan_.ops()[unitOf(scan_, op)].parent;
    if (around < 0 || plan_.form(around) == OpForm::Gap)
      return false;
    plan_.makeGap(around);
    return true;
  }
  if (!plan_.isInGap(op)) {
    OpForm before = plan_.form(op);
    demoteOp(op, error.message, *error.offset);
    unsigned &count = failures_[scan_.nameOf(scan_.ops()[op])];
    if (++count < kFailuresOfName || before == OpForm::Twin)
      return true;
    for (int32_t i = op + 1, e = static_cast<int32_t>(scan_.ops().size()); i < e; ++i)
      if (plan_.form(i) == before && plan_.hasTwin(i) && scan_.nameOf(scan_.ops()[i]) == scan_.nameOf(scan_.ops()[op]))
        demoteOp(i, error.message, scan_.ops()[i].name);
    return true;
  }
  // The gap is read; what follows in the op around it is not.
  for (int32_t around = scan_.ops()[op].parent; around >= 0; around = scan_.ops()[around].parent)
    if (!plan_.isInGap(around))
      return demoteOp(around, error.message, *error.offset);
  return false;
}

} // namespace fuselage
