#include "core/ir/reading/TolerantReader.h"
#include "core/dialects/tolerant/OpRepeats.h"
#include "core/ir/reading/Completion.h"
#include "core/ir/reading/TolerantReading.h"
#include "core/ir/source/LegacyText.h"
#include "core/ir/source/SourceMap.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

//===-- Repairs before the first parse ------------------------------------===//

void TolerantReader::makeGapsOfDeadlyOps() {
  for (const DeadlyOp &deadly : options_.deadly)
    if (int32_t op = scan_.opAt(deadly.offset); op >= 0) {
      plan_.makeGap(op);
      demotions_.push_back({op, deadly.how, deadly.offset});
    }
}

void TolerantReader::repairBrackets() {
  SourceEdits &repairs = plan_.repairs();
  for (const StrayBracket &stray : scan_.strayBrackets()) {
    repairs.erase(stray.offset, stray.offset + 1);
    report_.say(Severity::Error, stray.offset,
                ("'" + llvm::Twine(stray.bracket) + "' closes nothing; it is left out").str());
  }
  for (const ScannedRegion &region : scan_.regions())
    if (region.lacksOpening) {
      repairs.replace(region.open, region.open + 1, " {\n");
      demoteOp(region.op, "the op before this body is not written to its end", region.open + 1);
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
  for (const ScannedAlias &alias : scan_.aliases()) {
    defined.insert(scan_.nameOf(alias));
    StringRef value = scan_.text().slice(alias.value, alias.end);
    if (std::string modern = modernAlias(value); modern != value)
      plan_.repairs().replace(alias.value, alias.end, std::move(modern));
  }
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
  OwningOpRef<ModuleOp> module = withPlaces ? parseTextWithPlaces(context_, edited_.text(), bufferName_, places_)
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
        error.name =
            "%" + rest.take_while([](char c) { return llvm::isAlnum(c) || llvm::is_contained("_$.-#", c); }).str();
    }
    errors_.push_back(std::move(error));
  }
  return nullptr;
}

//===-- All of it ---------------------------------------------------------===//

TolerantResult TolerantReader::read() {
  makeGapsOfDeadlyOps();
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
  result.isVerified = !isRefused_;
  result.parses = parses_;
  result.triedOps = triage_.parses();
  return result;
}

TolerantResult readTolerantly(MLIRContext &context, StringRef file, const SourceSplit &split, const SourceScan &scan,
                              const TolerantOptions &options) {
  return TolerantReader(context, file, split, scan, options).read();
}

} // namespace fuselage
