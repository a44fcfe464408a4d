#include "core/ir/reading/ReadReport.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/module/NearestOp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using llvm::ArrayRef;
using llvm::StringRef;

namespace fuselage {

/// Dialects that MLIR lacks and that are lowered, or whose annotations are read (core/dialects/sharding).
static bool isUnderstood(StringRef dialect) { return isHloDialect(dialect) || dialect == "sdy"; }

static std::string unknownDialect(StringRef dialect) {
  return "dialect '" + dialect.str() + "' is unknown; it is shown as written";
}

void ReadReport::say(Severity severity, size_t offset, std::string message) {
  said_.emplace_back(offset, source_.diagnosticAt(offset, severity, std::move(message)));
}

std::vector<Diagnostic> ReadReport::take() {
  llvm::stable_sort(said_, [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<Diagnostic> diagnostics;
  for (auto &[offset, diagnostic] : said_)
    diagnostics.push_back(std::move(diagnostic));
  said_.clear();
  return diagnostics;
}

/// Whether the op is refused since an op in it is none that MLIR has.
static bool holdsUnknownPatterns(const ReadPlan &plan, const Demotion &demotion) {
  if (!StringRef(demotion.message).ends_with("PatternDescriptorOpInterface"))
    return false;
  for (int32_t i = demotion.op + 1; i < plan.subtreeEnd(demotion.op); ++i)
    if (plan.form(i) == OpForm::Twin)
      return true;
  return false;
}

void ReadReport::sayDemotions(const ReadPlan &plan, ArrayRef<Demotion> demotions) {
  const SourceScan &scan = plan.scan();
  struct Group {
    const Demotion *first;
    unsigned count = 0;
  };
  std::map<std::pair<std::string, bool>, Group> groups;
  llvm::DenseSet<int32_t> seen;
  for (const Demotion &demotion : demotions) {
    if (demotion.op == -1 || demotion.op == -3) {
      say(Severity::Error, demotion.offset, demotion.message);
      continue;
    }
    if (demotion.op == -2) {
      say(isForeign_ ? Severity::Warning : Severity::Error, demotion.offset,
          "read as another version's attribute: " + demotion.message);
      continue;
    }
    if (!seen.insert(demotion.op).second)
      continue;
    if (scan.ops()[demotion.op].parent >= 0 && plan.isInGap(scan.ops()[demotion.op].parent))
      continue; // told of the gap around it
    if (int32_t around = scan.ops()[demotion.op].parent;
        around >= 0 && plan.form(around) == OpForm::Twin && isTerminatorName(scan.nameOf(scan.ops()[demotion.op])))
      continue; // it only fits the op around it as that was
    if (holdsUnknownPatterns(plan, demotion))
      continue; // told of what it holds
    bool isHeader = plan.form(demotion.op) == OpForm::Header;
    bool isGap = isHeader || plan.form(demotion.op) == OpForm::Gap;
    std::string name = scan.nameOf(scan.ops()[demotion.op]).str();
    if (isGap || !isForeign_) {
      std::string suggestion;
      if (StringRef(demotion.message).starts_with("unregistered operation"))
        suggestion = suggestOp(name, plan.context());
      llvm::StringRef kept = isHeader ? "is kept as text but for its body" : "is kept as text";
      say(Severity::Error, isGap ? scan.ops()[demotion.op].begin : demotion.offset,
          isGap ? (llvm::Twine("'") + name + "' cannot be read and " + kept + ": " + demotion.message).str()
                : demotion.message + suggestion);
      continue;
    }
    Group &group = groups[{name, isGap}];
    if (group.count++ == 0)
      group.first = &demotion;
  }
  for (const auto &[key, group] : groups)
    say(Severity::Warning, group.first->offset,
        "read as another version's '" + key.first + "'" +
            (group.count > 1 ? " (" + std::to_string(group.count) + " ops)" : "") + ": " + group.first->message);
}

/// Whether the op is a twin only because what is around it is text, which gives its bare word no dialect.
static bool isWordOfHeader(const ReadPlan &plan, int32_t op) {
  const ScannedOp &scanned = plan.scan().ops()[op];
  return scanned.parent >= 0 && plan.form(scanned.parent) == OpForm::Header &&
         !plan.scan().nameOf(scanned).contains('.');
}

void ReadReport::sayForeign(const ReadPlan &plan, ArrayRef<Demotion> demotions) {
  const SourceScan &scan = plan.scan();
  llvm::StringMap<std::pair<size_t, unsigned>> dialects;
  std::map<std::string, std::pair<size_t, unsigned>> renamed, unknown;
  llvm::StringSet<> foreign, seenNames;
  for (const std::string &ns : plan.foreignNamespaces())
    foreign.insert(ns);
  llvm::DenseSet<int32_t> told;
  for (const Demotion &demotion : demotions)
    told.insert(demotion.op);
  auto add = [](auto &table, StringRef key, size_t at) {
    auto &entry = table[key.str()];
    if (entry.second++ == 0)
      entry.first = at;
  };
  for (int32_t i = 0, e = static_cast<int32_t>(scan.ops().size()); i < e; ++i) {
    const ScannedOp &op = scan.ops()[i];
    StringRef name = scan.nameOf(op);
    if (plan.form(i) == OpForm::Modern)
      add(renamed, plan.describe(i), op.name);
    else if (plan.form(i) == OpForm::Twin && !told.contains(i) && !isWordOfHeader(plan, i))
      add(unknown, name, op.name);
    else if (plan.form(i) == OpForm::Written && name.contains('.') && foreign.contains(name.split('.').first)) {
      add(dialects, name.split('.').first, op.name);
      if (!seenNames.insert(name).second)
        continue;
      if (std::string suggestion = suggestOp(name, plan.context()); !suggestion.empty())
        say(Severity::Warning, op.name, "MLIR has no op '" + name.str() + "'" + suggestion);
    }
  }
  auto ops = [](unsigned count) { return std::to_string(count) + (count == 1 ? " op" : " ops"); };
  for (const auto &entry : dialects)
    if (!isUnderstood(entry.first()))
      say(Severity::Warning, entry.second.first, unknownDialect(entry.first()) + " (" + ops(entry.second.second) + ")");
  for (const auto &[what, where] : renamed)
    say(Severity::Warning, where.first, what + " (" + ops(where.second) + ")");
  for (const auto &[name, where] : unknown)
    say(Severity::Warning, where.first,
        "MLIR has no op '" + name + "' today" + suggestOp(name, plan.context()) + " (" + ops(where.second) +
            ", shown as written)");
}

/// The dialect that a warning says is unknown, as it is written there with its ops; empty: it says something else.
static std::string dialectIn(const Diagnostic &diagnostic) {
  StringRef dialect = StringRef(diagnostic.message).split('\'').second.split('\'').first, rest = diagnostic.message;
  if (diagnostic.severity != Diagnostic::Severity::Warning || !rest.consume_front(unknownDialect(dialect)))
    return "";
  return "'" + dialect.str() + "'" + rest.str();
}

std::vector<Diagnostic> withoutLongLists(std::vector<Diagnostic> diagnostics) {
  std::vector<std::string> dialects;
  std::string file;
  llvm::erase_if(diagnostics, [&](const Diagnostic &diagnostic) {
    std::string dialect = dialectIn(diagnostic);
    if (dialect.empty())
      return false;
    dialects.push_back(std::move(dialect));
    file = diagnostic.file;
    return true;
  });
  if (!dialects.empty())
    diagnostics.push_back(
        {.severity = Diagnostic::Severity::Warning,
         .message = (dialects.size() == 1 ? "the dialect " + dialects.front() + " is unknown; it is"
                                          : "the dialects " + llvm::join(dialects, ", ") + " are unknown; they are") +
                    " shown as written",
         .file = file});
  return diagnostics;
}

void forgetSettledDialects(std::vector<Diagnostic> &diagnostics, mlir::ModuleOp module) {
  llvm::StringSet<> left;
  module->walk([&](mlir::Operation *op) {
    if (!op->isRegistered())
      left.insert(StringRef(displayName(op)).split('.').first);
  });
  llvm::erase_if(diagnostics, [&](const Diagnostic &diagnostic) {
    std::string dialect = dialectIn(diagnostic);
    return !dialect.empty() && !left.contains(StringRef(dialect).split('\'').second.split('\'').first);
  });
}

} // namespace fuselage
