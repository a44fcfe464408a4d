#include "core/ir/TolerantReader.h"
#include "core/dialects/tolerant/OpRepeats.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/Completion.h"
#include "core/ir/GapOperands.h"
#include "core/ir/OpTriage.h"
#include "core/ir/ReadPlan.h"
#include "core/ir/ReadReport.h"
#include "core/ir/SourceMap.h"
#include "core/ir/TextParser.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

namespace {

/// How often a text is parsed: one by one up to the first figure, then whole functions are demoted,
/// then dropped.
constexpr unsigned kFineParses = 40, kCoarseParses = 80, kParses = 120;
/// So many failures of one op name, and all ops of the name are demoted.
constexpr unsigned kFailuresOfName = 3;

class TolerantReader {
public:
  TolerantReader(MLIRContext &context, StringRef file, const SourceSplit &split, const SourceScan &scan,
                 bool isForeign)
      : context_(context), file_(file), split_(split), scan_(scan), plan_(scan, context),
        triage_(context, plan_, demotions_), report_(file, split, isForeign || plan_.isForeign()) {}

  TolerantResult read();

private:
  using Severity = Diagnostic::Severity;
  /// An error, at its offset in the split.
  struct ParseError {
    std::string message;
    std::optional<size_t> offset;
    std::string name; ///< of the undefined value
  };

  int32_t blamedOp(const ParseError &error) const;
  void repairBrackets();
  void defineAliases();
  OwningOpRef<ModuleOp> parse(bool withPlaces);
  OwningOpRef<ModuleOp> parseWithRepeats(DiagnosticCapture &capture);
  void findRepeats(OpRepeats &repeats) const;
  bool repair(const std::vector<ParseError> &errors);
  bool defineValues(const std::vector<ParseError> &errors);
  bool makeGapsOfBranches(const std::vector<ParseError> &errors);
  bool demoteBareWords(int32_t op, const ParseError &error);
  bool demoteAt(const ParseError &error);
  bool demoteOp(int32_t op, const std::string &message, size_t offset);
  void demoteUnit(int32_t op);
  bool completeBlocks(ModuleOp module);
  bool verifies(ModuleOp module);
  bool makeGapOfEarlyUse(const fuselage::Diagnostic &diagnostic);
  std::optional<size_t> offsetOf(Operation *op) const;
  bool defineCaptured(Operation *isolated);
  bool demoteUnverified(ModuleOp module);
  bool demoteUnverified(ModuleOp module, bool recursively);
  std::optional<size_t> placeOfRefusal(Operation *op, ArrayRef<fuselage::Diagnostic> diagnostics) const;

  MLIRContext &context_;
  std::string file_;
  SourceSplit split_;
  const SourceScan &scan_;
  std::vector<Demotion> demotions_;
  ReadPlan plan_;
  OpTriage triage_;
  ReadReport report_;

  std::vector<StandIn> standIns_;
  EditedText edited_;
  std::string bufferName_; ///< that edited_ is parsed under
  OpPlaces places_;
  std::vector<ParseError> errors_;
  llvm::StringMap<unsigned> failures_; ///< by op name
  llvm::DenseSet<int32_t> demotedUnits_;
  unsigned parses_ = 0;
  bool triedAliases_ = false;
  llvm::StringSet<> notRepeated_; ///< names of ops of which each is read
};

} // namespace

//===-- Repairs before the first parse ------------------------------------===//

void TolerantReader::repairBrackets() {
  SourceEdits &repairs = plan_.repairs();
  for (const StrayBracket &stray : scan_.strayBrackets()) {
    repairs.erase(stray.offset, stray.offset + 1);
    report_.say(Severity::Error, stray.offset, ("'" + llvm::Twine(stray.bracket) + "' closes nothing; it is left out").str());
  }
  for (const MissingBraces &missing : scan_.missingBraces()) {
    bool isFunction = isFunctionName(scan_.nameOf(scan_.ops()[missing.op]));
    report_.say(Severity::Error, missing.offset,
                (llvm::Twine("the ") + (isFunction ? "function" : "op") + " before this one lacks " +
                 llvm::Twine(missing.braces) + " closing brace(s)")
                    .str());
  }
  for (const StrayBracket &open : scan_.unclosed()) {
    if (open.isRegion) {
      report_.say(Severity::Error, open.offset, "nothing closes this '{'");
      continue;
    }
    // The op is cut off, or its header lacks a bracket: its text ends with the file.
    int32_t op = scan_.opAt(open.offset);
    if (op >= 0)
      demoteOp(op, std::string("nothing closes this '") + open.bracket + "'", open.offset);
    while (op >= 0 && plan_.form(op) != OpForm::Header && plan_.form(op) != OpForm::Gap)
      plan_.demote(op);
    break;
  }
}

void TolerantReader::defineAliases() {
  llvm::StringSet<> defined;
  for (const ScannedAlias &alias : scan_.aliases())
    defined.insert(scan_.nameOf(alias));
  for (const auto &used : scan_.usedAliases())
    if (!defined.contains(used.first())) {
      plan_.defineAlias(used.first());
      report_.say(Severity::Error, used.second, "undefined symbol alias '" + used.first().str() + "'");
    }
}

//===-- Parsing -----------------------------------------------------------===//

/// The ops that the universal parser reads as they stand.
void TolerantReader::findRepeats(OpRepeats &repeats) const {
  llvm::StringSet<> foreign;
  for (const std::string &ns : plan_.foreignNamespaces())
    foreign.insert(ns);
  for (const ScannedOp &op : scan_.ops()) {
    StringRef name = scan_.nameOf(op);
    if (!op.isGeneric && !op.hasRegion && foreign.contains(name.split('.').first) && !notRepeated_.contains(name))
      repeats.addOp(op.begin, op.name, op.nameEnd, op.end);
  }
}

/// Parses the text as it was written; see OpRepeats.
OwningOpRef<ModuleOp> TolerantReader::parseWithRepeats(DiagnosticCapture &capture) {
  constexpr unsigned maxNotRepeated = 4;
  for (;;) {
    OpRepeats repeats(edited_.text());
    if (notRepeated_.size() < maxNotRepeated)
      findRepeats(repeats);
    RepeatScope scope(context_, repeats);
    OwningOpRef<ModuleOp> module = parseInPlace(context_, repeats.text(), bufferName_);
    if (module || repeats.refusedName().empty())
      return module;
    notRepeated_.insert(repeats.refusedName());
    capture.take();
  }
}

OwningOpRef<ModuleOp> TolerantReader::parse(bool withPlaces) {
  ++parses_;
  standIns_.clear();
  errors_.clear();
  places_.clear();
  edited_ = plan_.assemble(standIns_).apply(scan_.text());
  bufferName_ = SourceMap(file_, split_, edited_).bufferName();
  DiagnosticCapture capture(context_);
  OwningOpRef<ModuleOp> module =
      withPlaces ? parseTextWithPlaces(context_, edited_.text(), bufferName_, places_)
      : edited_.text() == scan_.text()
          ? parseWithRepeats(capture)
          : parseBuffer(context_, edited_.text(), bufferName_, /*verify=*/false);
  if (module)
    return module;
  LineTable lines(edited_.text());
  for (Diagnostic &diagnostic : capture.take()) {
    if (diagnostic.severity != Severity::Error)
      continue;
    ParseError error{std::move(diagnostic.message), std::nullopt, ""};
    if (diagnostic.file == bufferName_ && diagnostic.line) {
      size_t at = lines.offsetOf({diagnostic.line, diagnostic.column});
      error.offset = edited_.toOriginal(at);
      StringRef rest = StringRef(edited_.text()).substr(at);
      if (rest.consume_front("%"))
        error.name = "%" + rest.take_while([](char c) { return llvm::isAlnum(c) || llvm::is_contained("_$.-#", c); }).str();
    }
    errors_.push_back(std::move(error));
  }
  return nullptr;
}

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

/// The op that an error is about: the universal parser may tell only behind an op that this goes on and on.
int32_t TolerantReader::blamedOp(const ParseError &error) const {
  int32_t around = scan_.opAt(*error.offset);
  if (!StringRef(error.message).ends_with("op of an unknown dialect"))
    return around;
  auto next = llvm::upper_bound(scan_.ops(), *error.offset, [](size_t at, const ScannedOp &op) { return at < op.begin; });
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
  auto alias = llvm::find_if(scan_.aliases(), [&](const ScannedAlias &alias) { return alias.begin <= at && at <= alias.end; });
  if (alias != scan_.aliases().end() && !std::exchange(triedAliases_, true) && triage_.runAliases())
    return true;
  int32_t op = blamedOp(*first);
  bool isSecondResult = StringRef(first->message).starts_with("redefinition of SSA value") && op >= 0 &&
                        at < scan_.ops()[op].name;
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
    // Text in front of the first op.
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

//===-- Verifying ---------------------------------------------------------===//

bool TolerantReader::completeBlocks(ModuleOp module) {
  return fuselage::completeBlocks(module, [&](Operation *last) {
    SourcePosition position = positionOf(last->getLoc());
    if (position.file == bufferName_)
      report_.say(Severity::Error,
                  edited_.toOriginal(LineTable(edited_.text()).offsetOf({position.line, position.column})),
                  "a terminator should follow '" + displayName(last) + "'");
  });
}

bool TolerantReader::verifies(ModuleOp module) {
  DiagnosticCapture capture(context_);
  return succeeded(mlir::verify(module));
}

/// A value that is used before it is defined: the use is a gap, whose operands nobody asks for. (The
/// verifier blames the op around it, at the place of the use.)
bool TolerantReader::makeGapOfEarlyUse(const fuselage::Diagnostic &diagnostic) {
  if (!StringRef(diagnostic.message).contains("does not dominate") || diagnostic.file != bufferName_)
    return false;
  size_t at = edited_.toOriginal(LineTable(edited_.text()).offsetOf({diagnostic.line, diagnostic.column}));
  int32_t op = scan_.opAt(at);
  if (op < 0 || plan_.isInGap(op))
    return false;
  plan_.makeGap(op);
  demotions_.push_back({op, diagnostic.message, at});
  return true;
}

/// Where the op stands in the split; nullopt if it is not in its text.
std::optional<size_t> TolerantReader::offsetOf(Operation *op) const {
  SourcePosition position = positionOf(op->getLoc());
  if (position.file != bufferName_)
    return std::nullopt;
  return edited_.toOriginal(LineTable(edited_.text()).offsetOf({position.line, position.column}));
}

/// Values that a function uses, but only a later one defines: MLIR's parser takes the name for the later
/// one's. They are undefined where they are used.
bool TolerantReader::defineCaptured(Operation *isolated) {
  bool isNew = false;
  isolated->walk([&](Operation *user) {
    for (Value operand : user->getOperands()) {
      auto result = dyn_cast<OpResult>(operand);
      if (user == isolated || !result || isolated->isAncestor(result.getOwner()))
        continue;
      std::optional<size_t> use = offsetOf(user), definition = offsetOf(result.getOwner());
      int32_t op = use ? scan_.opAt(*use) : -1, defining = definition ? scan_.opAt(*definition) : -1;
      if (op < 0 || defining < 0)
        continue;
      StringRef name = resultsOf(scan_, scan_.ops()[defining]);
      if (name.contains(',') || name.contains(':') || !plan_.defineUndefined(name, plan_.scopeOf(op)))
        continue;
      isNew = true;
      if (!plan_.isArgumentOfHeader(name, plan_.scopeOf(op)))
        report_.say(Severity::Error, *use, ("use of undeclared SSA value name '" + name + "'").str());
    }
  });
  return isNew;
}

/// Finds all ops that the verifier refuses.
bool TolerantReader::demoteUnverified(ModuleOp module) {
  bool changed = false;
  renameSecondSymbols(module, [&](Operation *op, StringRef name) {
    auto place = places_.find(op);
    if (place != places_.end())
      report_.say(Severity::Error, edited_.toOriginal(place->second), "a second definition of '@" + name.str() + "'");
    changed = true;
  });
  // Each by itself first; then with what is in its regions.
  return changed || demoteUnverified(module, /*recursively=*/false) || demoteUnverified(module, /*recursively=*/true);
}

/// Where the op stands that is refused: what is wrong with a module is wrong in it (a call of a function
/// that is in no symbol table, say).
std::optional<size_t> TolerantReader::placeOfRefusal(Operation *op, ArrayRef<fuselage::Diagnostic> diagnostics) const {
  auto isModule = [&](size_t at) {
    int32_t index = scan_.opAt(at);
    return index >= 0 && scan_.ops()[index].parent < 0 && scan_.nameOf(scan_.ops()[index]).ends_with("module");
  };
  auto place = places_.find(op);
  if (place != places_.end())
    if (size_t at = edited_.toOriginal(place->second); !isModule(at))
      return at;
  if (!isa<ModuleOp>(op) || diagnostics.empty() || diagnostics.front().file != bufferName_)
    return std::nullopt;
  size_t at = edited_.toOriginal(LineTable(edited_.text()).offsetOf({diagnostics.front().line, diagnostics.front().column}));
  return isModule(at) ? std::nullopt : std::optional(at);
}

/// Innermost first; what is around a refused op is not asked.
bool TolerantReader::demoteUnverified(ModuleOp module, bool recursively) {
  llvm::SmallPtrSet<Operation *, 16> refused;
  bool changed = false;
  module.walk<WalkOrder::PostOrder>([&](Operation *op) {
    if (!refused.contains(op)) {
      DiagnosticCapture capture(context_);
      if ((recursively && op->getNumRegions() == 0) || succeeded(mlir::verify(op, recursively)))
        return;
      auto diagnostics = capture.take();
      bool isCaptured = !diagnostics.empty() && StringRef(diagnostics.front().message).contains("defined outside the region");
      if ((isCaptured && defineCaptured(op)) || (!diagnostics.empty() && makeGapOfEarlyUse(diagnostics.front()))) {
        changed = true;
        refused.insert(op);
      }
      std::optional<size_t> place = refused.contains(op) ? std::nullopt : placeOfRefusal(op, diagnostics);
      if (place) {
        size_t at = *place;
        int32_t index = scan_.opAt(at);
        std::string message = diagnostics.empty() ? "does not verify" : diagnostics.front().message;
        if (index >= 0 && !plan_.isInGap(index)) {
          if (parses_ > kFineParses)
            demoteUnit(index);
          changed |= demoteOp(index, message, at) || parses_ > kFineParses;
          // What a terminator ends is of that version, too.
          int32_t around = scan_.ops()[index].parent;
          if (around >= 0 && isTerminatorName(scan_.nameOf(scan_.ops()[index])) && plan_.hasTwin(around) &&
              (plan_.form(around) == OpForm::Written || plan_.form(around) == OpForm::Modern) &&
              !isFunctionName(scan_.nameOf(scan_.ops()[around])))
            demoteOp(around, message, at);
        } else if (index >= 0 && scan_.ops()[index].parent >= 0) {
          changed |= demoteOp(scan_.ops()[index].parent, message, at);
        }
      }
    }
    for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
      refused.insert(around);
  });
  return changed;
}

//===-- All of it ---------------------------------------------------------===//

TolerantResult TolerantReader::read() {
  repairBrackets();
  defineAliases();
  TolerantResult result;
  bool withPlaces = false;
  while (parses_ < kParses) {
    OwningOpRef<ModuleOp> module = parse(withPlaces);
    if (!module) {
      if (!repair(errors_))
        break;
      continue;
    }
    settleStandIns(*module, standIns_);
    if (plan_.wrapsFragments())
      completeFragments(*module);
    if (!verifies(*module) && !(completeBlocks(*module) && verifies(*module))) {
      if (!std::exchange(withPlaces, true))
        continue; // once more, to know where the ops are
      if (!demoteUnverified(*module))
        break;
      if (!verifies(*module))
        continue;
    }
    SourceMap(file_, split_, edited_).moveLocations(*module);
    result.gaps = llvm::count_if(standIns_, [](const StandIn &standIn) { return standIn.isGap; });
    result.module = std::move(module);
    break;
  }
  report_.sayDemotions(plan_, demotions_);
  report_.sayForeign(plan_, demotions_);
  result.diagnostics = report_.take();
  return result;
}

TolerantResult readTolerantly(MLIRContext &context, StringRef file, const SourceSplit &split, const SourceScan &scan,
                              bool isForeign) {
  return TolerantReader(context, file, split, scan, isForeign).read();
}

} // namespace fuselage
