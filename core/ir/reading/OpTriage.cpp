#include "core/ir/reading/OpTriage.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/module/TextParser.h"
#include "core/ir/source/LegacyText.h"
#include "core/support/NameChars.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

static constexpr StringRef kBufferName = "\x01op";
/// Stands in regions whose ops are left out: not all parsers take an empty one.
static constexpr StringRef kFiller = "\"fuselage.filler\"() : () -> ()";

OpTriage::OpTriage(MLIRContext &context, ReadPlan &plan, std::vector<Demotion> &demotions)
    : context_(context), plan_(plan), scan_(plan.scan()), demotions_(demotions),
      triedFrom_(static_cast<int32_t>(plan.scan().ops().size())) {
  for (size_t i = 0; i < scan_.aliases().size(); ++i)
    aliases_[scan_.nameOf(scan_.aliases()[i])] = static_cast<int32_t>(i);
  aliasText_.resize(scan_.aliases().size());
}

/// Calls `visit` with each `#name` and `!name` outside of strings.
template <typename Visit> static void visitSigils(StringRef text, Visit visit) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
      continue;
    }
    if (text[i] != '#' && text[i] != '!')
      continue;
    StringRef name = text.substr(i + 1).take_while(isNameChar);
    if (!name.empty())
      visit(StringRef(text.data() + i, name.size() + 1));
    i += name.size();
  }
}

void OpTriage::addAlias(StringRef name, std::string &text, llvm::StringSet<> &seen) {
  if (name.contains('.') || !seen.insert(name).second)
    return;
  auto alias = aliases_.find(name);
  if (alias == aliases_.end()) {
    if (plan_.isUndefinedAlias(name))
      text += ReadPlan::undefinedAlias(name);
    return;
  }
  const ScannedAlias &definition = scan_.aliases()[alias->second];
  std::string modern = modernAlias(scan_.text().slice(definition.value, definition.end));
  StringRef value = modern;
  if (!aliasText_[alias->second].empty())
    value = aliasText_[alias->second];
  if (value.starts_with("loc("))
    return; // may be missing, and there are many
  visitSigils(value, [&](StringRef used) { addAlias(used, text, seen); });
  text += (name + " = " + value + "\n").str();
}

std::string OpTriage::aliasesFor(StringRef text) {
  std::string result;
  llvm::StringSet<> seen;
  visitSigils(text, [&](StringRef name) { addAlias(name, result, seen); });
  return result;
}

/// Errors about what is outside of the op.
static bool isAboutContext(StringRef message) {
  return message.starts_with("use of undeclared SSA value") || message.starts_with("reference to an undefined block") ||
         message.contains("location alias was never defined");
}

OpTriage::Verdict OpTriage::tryText(const EditedText &text) {
  std::string source = aliasesFor(text.text()) + "func.func @f() {\n";
  size_t front = source.size();
  source += text.text();
  source += "\n}\n";
  ++parses_;
  DiagnosticCapture capture(context_);
  if (parseBuffer(context_, source, kBufferName, /*verify=*/false))
    return {.isRead = true, .message = {}};
  for (const Diagnostic &diagnostic : capture.take()) {
    if (diagnostic.severity != Diagnostic::Severity::Error || isAboutContext(diagnostic.message))
      continue;
    size_t at = LineTable(source).offsetOf({diagnostic.line, diagnostic.column});
    at = diagnostic.file == kBufferName && at > front ? at - front : 0;
    return {.isRead = false, .message = diagnostic.message, .offset = text.toOriginal(at)};
  }
  return {.isRead = true, .message = {}};
}

/// The text without the names of values, and where it starts: ops that share it are read alike.
static std::string shapeOf(StringRef text) {
  std::string shape;
  shape.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    shape += text[i];
    if (text[i] != '%')
      continue;
    while (i + 1 < text.size() && (isNameChar(text[i + 1]) || text[i + 1] == '#'))
      ++i;
  }
  return shape;
}

OpTriage::Verdict OpTriage::tryOp(int32_t index, size_t end, bool withRegions) {
  const ScannedOp &op = scan_.ops()[index];
  SourceEdits edits;
  plan_.editOp(index, edits);
  if (withRegions) {
    for (int32_t i = index + 1; i < plan_.subtreeEnd(index); ++i)
      plan_.editOp(i, edits);
  } else {
    int32_t lastRegion = -1;
    for (int32_t i = index + 1; i < plan_.subtreeEnd(index); i = plan_.subtreeEnd(i)) {
      const ScannedOp &nested = scan_.ops()[i];
      edits.replace(nested.begin, nested.end, nested.region == lastRegion ? "" : kFiller.str());
      lastRegion = nested.region;
    }
  }
  plan_.addRepairs(op.begin, end, edits);
  // From the inside out, as ReadPlan does it.
  auto behind =
      llvm::lower_bound(scan_.regions(), end, [](const ScannedRegion &region, size_t at) { return region.open < at; });
  bool mayLack = op.hasRegion && !(scan_.unclosed().empty() && scan_.missingBraces().empty());
  for (auto region = behind; mayLack && region != scan_.regions().begin() && std::prev(region)->open > op.begin;
       --region) {
    const ScannedRegion &where = *std::prev(region);
    if (where.lacksBrace && (where.op == index || (withRegions && !plan_.isInGap(where.op))))
      edits.insert(std::min<size_t>(where.close, end), "\n}\n");
  }
  EditedText text = edits.apply(scan_.text(), op.begin, end);
  std::string shape = shapeOf(text.text());
  if (auto known = known_.find(shape); known != known_.end()) {
    Verdict verdict = known->second;
    verdict.offset += op.begin;
    return verdict;
  }
  Verdict verdict = tryText(text);
  Verdict relative = verdict;
  relative.offset -= std::min<size_t>(relative.offset, op.begin);
  known_.try_emplace(shape, relative);
  return verdict;
}

/// After the `<...>` that may follow at `at`.
static size_t skipAngles(StringRef text, size_t at) {
  if (at >= text.size() || text[at] != '<')
    return at;
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
        at += text[at] == '\\';
      continue;
    }
    if (text[at] == '<')
      ++depth;
    else if (text[at] == '>' && text[at - 1] != '-' && --depth == 0)
      return at + 1;
  }
  return at;
}

/// Whether the error at `at` is inside of `#ns.attr<...>` or `!ns.type<...>` of a known dialect; then
/// that is read as the twin dialect's: its syntax is another version's.
bool OpTriage::useTwinAttribute(size_t begin, size_t at) {
  StringRef text = scan_.text();
  size_t found = StringRef::npos, length = 0;
  size_t from = at > begin + 20000 ? at - 20000 : begin;
  visitSigils(text.slice(from, std::min(at + 64, text.size())), [&](StringRef sigil) {
    size_t offset = sigil.data() - text.data();
    if (offset > at)
      return;
    StringRef name = sigil.drop_front();
    size_t nameEnd = offset + sigil.size();
    bool isDialects = name.contains('.') || (nameEnd < text.size() && text[nameEnd] == '<');
    if (!isDialects || !plan_.isKnown(name.split('.').first) || skipAngles(text, nameEnd) < at)
      return;
    found = offset + 1;
    length = name.split('.').first.size();
  });
  return found != StringRef::npos && plan_.useTwinAt(found, length);
}

/// `ins(` and the like: a part of an op, be it unfinished, and no prose.
static bool startsList(StringRef text) {
  text = text.ltrim();
  size_t word = text.take_while(isNameChar).size();
  return word > 0 && text.substr(word).starts_with("(");
}

/// Text that is no IR may follow an op: prose between listings, "..." for what was left out. After the
/// last brace of an op with regions, or on the lines after the first or before the last of one without, it is
/// skipped if the op can be read without it.
std::optional<size_t> OpTriage::endWithoutJunk(int32_t index) {
  const ScannedOp &op = scan_.ops()[index];
  StringRef text = scan_.textOf(op);
  llvm::SmallVector<size_t> ends;
  if (op.hasRegion) {
    size_t close = 0;
    auto region = llvm::lower_bound(scan_.regions(), op.begin,
                                    [](const ScannedRegion &region, uint32_t at) { return region.open < at; });
    for (; region != scan_.regions().end() && region->open < op.end; ++region)
      if (region->op == index)
        close = region->close + 1;
    ends = {close};
  } else {
    ends = {op.begin + text.rfind('\n'), op.begin + text.find('\n')};
    if (!text.contains('\n'))
      return std::nullopt;
  }
  for (size_t end : ends)
    if (end > op.nameEnd && end < op.end && !startsList(scan_.text().slice(end, op.end)) &&
        tryOp(index, end, false).isRead)
      return end;
  return std::nullopt;
}

/// Gives the op the first form in which it can be read.
bool OpTriage::settle(int32_t index) {
  const ScannedOp &op = scan_.ops()[index];
  bool changed = false, isFirst = true;
  while (plan_.form(index) != OpForm::Gap) {
    Verdict verdict = tryOp(index, op.end, false);
    if (!verdict.isRead && op.hasRegion) // some parsers look into their regions
      if (Verdict whole = tryOp(index, op.end, true); whole.isRead)
        verdict = whole;
    if (verdict.isRead)
      return changed;
    if (plan_.useProperties(index)) {
      if (tryOp(index, op.end, false).isRead)
        return true;
      plan_.dropProperties(index);
    }
    if (std::optional<size_t> end = endWithoutJunk(index)) {
      plan_.drop(*end, op.end);
      demotions_.push_back(
          {.op = -1, .message = "this is no IR; it is left out", .offset = *end + (scan_.text()[*end] == '\n')});
      return true;
    }
    changed = true;
    if (isFirst)
      demotions_.push_back({index, verdict.message, verdict.offset});
    isFirst = false;
    unsigned twins = 0;
    while (twins < 16 && useTwinAttribute(op.begin, verdict.offset)) {
      ++twins;
      verdict = tryOp(index, op.end, false);
      if (verdict.isRead)
        return true;
    }
    plan_.demote(index);
  }
  return changed;
}

bool OpTriage::run(int32_t first) {
  bool changed = false;
  first = std::max(first, 0);
  // From the end: an op comes after those in its regions.
  for (int32_t i = triedFrom_ - 1; i >= first; --i)
    if (scan_.nameOf(scan_.ops()[i]).contains('.') || plan_.form(i) != OpForm::Written)
      changed |= settle(i);
  triedFrom_ = std::min(triedFrom_, first);
  return changed;
}

bool OpTriage::runAliases() {
  bool changed = false;
  for (size_t i = 0; i < scan_.aliases().size(); ++i) {
    const ScannedAlias &alias = scan_.aliases()[i];
    StringRef value = scan_.text().slice(alias.value, alias.end);
    if (value.starts_with("loc("))
      continue;
    auto read = [&](StringRef text, Verdict &verdict) {
      aliasText_[i] = text.str();
      std::string source = aliasesFor(scan_.nameOf(alias));
      ++parses_;
      DiagnosticCapture capture(context_);
      if (parseBuffer(context_, source, kBufferName, /*verify=*/false))
        return true;
      auto diagnostics = capture.take();
      verdict.message = diagnostics.empty() ? "" : diagnostics.front().message;
      return false;
    };
    Verdict verdict;
    if (read("", verdict))
      continue;
    changed = true;
    // Another version's syntax of a dialect's attribute, or nothing that can be read.
    StringRef ns = value.drop_front().take_while(isNameChar).split('.').first;
    char sign = scan_.text()[alias.begin];
    bool isTwin = value.starts_with(StringRef(&sign, 1)) && plan_.isKnown(ns);
    if (isTwin) {
      loadTolerantDialects(context_, {twinNamespace(ns)});
      Verdict again;
      if (read((StringRef(&sign, 1) + twinNamespace(ns) + value.drop_front(1 + ns.size())).str(), again)) {
        plan_.useTwinAt(alias.value + 1, ns.size());
        demotions_.push_back({.op = -2, .message = verdict.message, .offset = alias.begin});
        continue;
      }
    }
    std::string undefined = ReadPlan::undefinedAlias(scan_.nameOf(alias));
    aliasText_[i] = StringRef(undefined).split('=').second.trim().str();
    plan_.repairs().replace(alias.value, alias.end, aliasText_[i]);
    demotions_.push_back({.op = -3, .message = verdict.message, .offset = alias.begin});
  }
  return changed;
}

} // namespace fuselage
