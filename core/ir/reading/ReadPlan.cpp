#include "core/ir/reading/ReadPlan.h"
#include "core/dialects/tolerant/RawText.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/ir/reading/GapOperands.h"
#include "core/ir/source/LegacyText.h"
#include "core/ir/source/PropertyText.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

bool isTerminatorName(StringRef name) {
  StringRef last = name.contains('.') ? name.rsplit('.').second : name;
  return last == "br" || last == "cond_br" || looksLikeTerminator(name);
}

int32_t unitOf(const SourceScan &scan, int32_t index) {
  for (;;) {
    int32_t parent = scan.ops()[index].parent;
    if (parent < 0 || scan.nameOf(scan.ops()[parent]).ends_with("module"))
      return index;
    index = parent;
  }
}

/// The namespace of an op name; empty for a bare word.
static StringRef namespaceOf(StringRef name) { return name.contains('.') ? name.split('.').first : StringRef(); }

ReadPlan::ReadPlan(const SourceScan &scan, MLIRContext &context)
    : scan_(scan), context_(context), forms_(scan.ops().size(), OpForm::Written) {
  for (StringRef name : context.getAvailableDialects())
    known_.insert(name);
  known_.insert("builtin");
  std::vector<std::string> namespaces = scan.namespaces();
  for (const std::string &ns : namespaces) {
    if (ns == "flow") // ours, of which we define but a few ops
      loadTolerantDialects(context, {ns});
    else if (known_.contains(ns))
      context.getOrLoadDialect(ns);
    else if (ns != "fuselage") // what the reader itself writes, in generic form
      foreignNamespaces_.push_back(ns);
  }
  loadTolerantDialects(context, foreignNamespaces_);
  loadTolerantDialects(context, {"undefined"});
  // We have a few ops of this one; its others are only read.
  if (llvm::is_contained(namespaces, "flow"))
    loadTolerantDialects(context, {"flow"});
  loadStandInDialect(context);

  subtreeEnds_.resize(scan.ops().size());
  for (size_t i = scan.ops().size(); i-- > 0;) {
    subtreeEnds_[i] = std::max<int32_t>(subtreeEnds_[i], i + 1);
    if (int32_t parent = scan.ops()[i].parent; parent >= 0)
      subtreeEnds_[parent] = std::max(subtreeEnds_[parent], subtreeEnds_[i]);
  }
  chooseForms();
  findFragments();
}

bool ReadPlan::isKnownOp(StringRef name, llvm::StringMap<bool> &cache) const {
  auto [entry, isNew] = cache.try_emplace(name, false);
  if (!isNew)
    return entry->second;
  StringRef ns = namespaceOf(name);
  Dialect *dialect = context_.getOrLoadDialect(ns);
  return entry->second =
             RegisteredOperationName::lookup(name, &context_) || (dialect && dialect->getParseOperationHook(name));
}

void ReadPlan::chooseForms() {
  llvm::StringMap<bool> known;
  isForeign_ = !foreignNamespaces_.empty();
  for (int32_t i = 0, e = forms_.size(); i < e; ++i) {
    const ScannedOp &op = scan_.ops()[i];
    StringRef name = scan_.nameOf(op);
    SourceEdits edits;
    StringRef ns = namespaceOf(name);
    if (modernizeOp(scan_, i, edits)) {
      forms_[i] = OpForm::Modern;
      // What a name of today is called may itself be of another version.
      if (StringRef modern = renamedOp(name, scan_.text().slice(op.nameEnd, op.end)); !modern.empty())
        context_.getOrLoadDialect(namespaceOf(modern));
    } else if (op.isGeneric) {
      continue;
    } else if (ns.empty() ? isStdOp(name) && readsBareWords(scan_, i) && name != "return" && name != "call" &&
                                name != "call_indirect" && name != "constant"
                          : known_.contains(ns) && !isKnownOp(name, known)) {
      demote(i);
    } else if (ns.empty() || !known_.contains(ns) || RegisteredOperationName::lookup(name, &context_)) {
      continue;
    }
    isForeign_ = true;
  }
}

bool ReadPlan::isInGap(int32_t op) const {
  for (; op >= 0; op = scan_.ops()[op].parent)
    if (forms_[op] == OpForm::Gap)
      return true;
  return false;
}

/// The name under which the universal parser reads the op; empty if it reads it as it stands, or if
/// nobody knows whose bare word it is.
std::string ReadPlan::twinName(int32_t index) const {
  StringRef name = scan_.nameOf(scan_.ops()[index]);
  StringRef ns = namespaceOf(name);
  if (!ns.empty())
    return known_.contains(ns) ? twinNamespace(ns) + name.drop_front(ns.size()).str() : "";
  if (name == "module")
    return twinNamespace("builtin") + ".module";
  if (name == "return" || name == "call" || name == "call_indirect")
    if (readsBareWords(scan_, index))
      return twinNamespace("func") + "." + name.str();
  if (name == "func" || (isStdOp(name) && readsBareWords(scan_, index)))
    return "std." + name.str();
  // A function's own dialect gives bare words in it their namespace.
  for (int32_t op = scan_.ops()[index].parent; op >= 0; op = scan_.ops()[op].parent)
    if (StringRef function = scan_.nameOf(scan_.ops()[op]); isFunctionName(function)) {
      StringRef own = namespaceOf(function);
      return (own.empty() ? "std" : known_.contains(own) ? twinNamespace(own) : own.str()) + "." + name.str();
    }
  return "std." + name.str();
}

bool ReadPlan::hasTwin(int32_t op) const {
  return !twinName(op).empty() || scan_.nameOf(scan_.ops()[op]).starts_with("std.");
}

bool ReadPlan::demote(int32_t op) {
  if (forms_[op] == OpForm::Gap)
    return false;
  bool wasTolerated = forms_[op] == OpForm::Twin || forms_[op] == OpForm::Header;
  std::string twin = wasTolerated ? "" : twinName(op);
  bool isStd = forms_[op] == OpForm::Modern && scan_.nameOf(scan_.ops()[op]).starts_with("std.");
  if (twin.empty() && !isStd) {
    if (forms_[op] == OpForm::Header || !demoteToHeader(op))
      forms_[op] = OpForm::Gap;
    return true;
  }
  if (!twin.empty())
    loadTolerantDialects(context_, {namespaceOf(twin).str()});
  forms_[op] = OpForm::Twin;
  return true;
}

SmallVector<const ScannedRegion *> ReadPlan::regionsOf(int32_t index) const {
  const ScannedOp &op = scan_.ops()[index];
  SmallVector<const ScannedRegion *> regions;
  auto region = llvm::lower_bound(scan_.regions(), op.begin,
                                  [](const ScannedRegion &region, uint32_t at) { return region.open < at; });
  for (; region != scan_.regions().end() && region->open < op.end; ++region)
    if (region->op == index)
      regions.push_back(region);
  return regions;
}

/// The op's text up to its first region.
StringRef ReadPlan::headerOf(int32_t op) const {
  return scan_.text().slice(scan_.ops()[op].begin, regionsOf(op).front()->open).rtrim();
}

bool ReadPlan::isArgumentOfHeader(StringRef use, int32_t scope) const {
  for (; scope >= 0; scope = scan_.regions()[scope].parent) {
    int32_t op = scan_.regions()[scope].op;
    if (op >= 0 && forms_[op] == OpForm::Header && llvm::is_contained(argumentsIn(headerOf(op)), use))
      return true;
  }
  return false;
}

/// Bare words directly in its regions are those of the op's dialect: they go to their twins, which say
/// which that is. False: the op has no region that can be read by itself.
bool ReadPlan::demoteToHeader(int32_t op) {
  SmallVector<const ScannedRegion *> regions = regionsOf(op);
  bool hasOps = subtreeEnd(op) > op + 1;
  if (!hasOps || llvm::any_of(regions, [](const ScannedRegion *region) { return region->lacksBrace; }))
    return false;
  forms_[op] = OpForm::Header;
  for (int32_t i = op + 1; i < subtreeEnd(op); i = subtreeEnd(i))
    if (forms_[i] == OpForm::Written && !scan_.nameOf(scan_.ops()[i]).contains('.') && hasTwin(i))
      demote(i);
  return true;
}

bool ReadPlan::useProperties(int32_t index) {
  const ScannedOp &op = scan_.ops()[index];
  auto known = RegisteredOperationName::lookup(scan_.nameOf(op), &context_);
  if (op.isGeneric || !known || forms_[index] != OpForm::Written)
    return false;
  SmallVector<StringRef> names;
  for (StringAttr name : known->getAttributeNames())
    names.push_back(name.getValue());
  SourceEdits edits;
  if (!spellPropertiesAsAttributes(OpText(scan_, index), names, edits))
    return false;
  properties_.emplace(index, std::move(edits));
  forms_[index] = OpForm::Modern;
  return true;
}

void ReadPlan::dropProperties(int32_t op) {
  properties_.erase(op);
  forms_[op] = OpForm::Written;
}

std::string ReadPlan::describe(int32_t op) const {
  return properties_.count(op) ? "newer syntax: '" + scan_.nameOf(scan_.ops()[op]).str() +
                                     "' as LLVM 24 writes it is read as LLVM " + std::to_string(kParsedLlvm) + " has it"
                               : describeModernized(scan_, op);
}

bool ReadPlan::useTwinAt(size_t offset, size_t length) {
  StringRef ns = scan_.text().substr(offset, length);
  if (!known_.contains(ns) || !twins_.try_emplace(offset, offset + length).second)
    return false;
  loadTolerantDialects(context_, {twinNamespace(ns)});
  return true;
}

bool ReadPlan::defineUndefined(StringRef use, int32_t scope) {
  auto [name, number] = use.split('#');
  unsigned count = 0;
  if (number.getAsInteger(10, count))
    count = 0;
  unsigned &known = undefined_[{scope, name.str()}];
  if (known > count)
    return false;
  known = count + 1;
  return true;
}

/// The text that stands in for op `index` up to `end`.
std::string ReadPlan::placeOf(int32_t index, size_t end, size_t place) const {
  return standInPlace(place, gapOperands(scan_, index, end, [&](int32_t op) {
                        return forms_[op] != OpForm::Gap && forms_[op] != OpForm::Header && !renamed_.contains(op);
                      }));
}

void ReadPlan::editHeader(int32_t index, SourceEdits &edits, size_t place) const {
  const ScannedOp &op = scan_.ops()[index];
  size_t at = op.begin;
  bool isUnit = unitOf(scan_, index) == index; // nothing is defined around it, and names recur
  for (const ScannedRegion *region : regionsOf(index)) {
    std::string front = at == op.begin ? placeOf(index, region->open, place) + (isUnit ? " isolated " : " ") : " ";
    edits.replace(at, region->open, std::move(front));
    at = region->close + 1;
  }
  edits.erase(at, op.end);
}

void ReadPlan::editOp(int32_t index, SourceEdits &edits, size_t place) const {
  const ScannedOp &op = scan_.ops()[index];
  switch (forms_[index]) {
  case OpForm::Written:
    break;
  case OpForm::Modern:
    if (auto properties = properties_.find(index); properties != properties_.end())
      edits.append(properties->second);
    else
      modernizeOp(scan_, index, edits);
    break;
  case OpForm::Twin:
    if (std::string twin = twinName(index); !twin.empty())
      edits.replace(op.name, op.nameEnd, std::move(twin));
    break;
  case OpForm::Header:
    editHeader(index, edits, place);
    return;
  case OpForm::Gap:
    edits.replace(op.begin, op.end, placeOf(index, op.end, place));
    return;
  }
  if (renamed_.contains(index)) {
    std::string results;
    for (StringRef name : splitOutsideBrackets(resultsOf(scan_, op), ',')) {
      auto [id, count] = name.split(':');
      results += (results.empty() ? "" : ", ") + id.str() + "$" + std::to_string(index);
      if (!count.empty())
        results += ":" + count.str();
    }
    edits.replace(op.begin, op.begin + resultsOf(scan_, op).size(), results);
  }
}

/// See wrapFragments(). An op of a fragment has results, operands or a terminator's name before
/// its first region; functions, executables and globals have not.
void ReadPlan::findFragments() {
  bool isOpen = false;
  size_t nextAlias = 0;
  for (int32_t i = 0, e = forms_.size(); i < e; i = subtreeEnds_[i]) {
    const ScannedOp &op = scan_.ops()[i];
    StringRef header = scan_.textOf(op).take_until([](char c) { return c == '{' || c == '@'; });
    for (; nextAlias < scan_.aliases().size() && scan_.aliases()[nextAlias].begin < op.begin; ++nextAlias)
      isOpen = false; // aliases are defined outside of functions
    if (!header.contains('%') && !isTerminatorName(scan_.nameOf(op))) {
      isOpen = false;
      continue;
    }
    if (!isOpen)
      fragments_.push_back({op.begin, op.end});
    fragments_.back().second = op.end;
    isOpen = true;
  }
}

int32_t ReadPlan::scopeOf(int32_t op) const {
  if (scan_.ops()[op].region >= 0)
    return scan_.ops()[op].region;
  auto next = llvm::upper_bound(fragments_, scan_.ops()[op].begin,
                                [](size_t at, const auto &fragment) { return at < fragment.first; });
  return -1 - static_cast<int32_t>(next - fragments_.begin());
}

size_t ReadPlan::endOfScope(int32_t scope) const {
  if (scope >= 0)
    return scan_.regions()[scope].close;
  return scope == -1 ? scan_.text().size() : fragments_[-scope - 2].second;
}

void ReadPlan::addRepairs(size_t begin, size_t end, SourceEdits &edits) {
  edits.appendWithin(repairs_, begin, end);
  for (auto it = dropped_.lower_bound(begin); it != dropped_.end() && it->second <= end; ++it)
    edits.erase(it->first, it->second);
  for (auto it = twins_.lower_bound(begin); it != twins_.end() && it->second <= end; ++it)
    edits.replace(it->first, it->second, twinNamespace(scan_.text().slice(it->first, it->second)));
}

std::string ReadPlan::undefinedAlias(StringRef name) {
  if (name.starts_with("#loc"))
    return name.str() + " = loc(unknown)\n";
  return name.str() + " = " + name.take_front(1).str() + "undefined.alias<\"" + name.drop_front().str() + "\">\n";
}

SourceEdits ReadPlan::assemble(std::vector<StandIn> &standIns) {
  SourceEdits edits;
  std::map<int32_t, std::string> values; ///< text that defines values, by scope
  for (int32_t i = 0, e = forms_.size(); i < e;) {
    if (forms_[i] == OpForm::Written && !renamed_.contains(i)) {
      ++i;
      continue;
    }
    const ScannedOp &op = scan_.ops()[i];
    editOp(i, edits, standIns.size());
    bool isGap = forms_[i] == OpForm::Gap, isHeader = forms_[i] == OpForm::Header;
    if (!isGap && !isHeader) {
      ++i;
      continue;
    }
    if (StringRef results = resultsOf(scan_, op); !results.empty())
      values[scopeOf(i)] += "\n" + standInValues(standIns.size(), results) + "\n";
    StringRef text = isGap ? scan_.textOf(op) : headerOf(i);
    standIns.push_back({.isGap = true,
                        .text = text.str(),
                        .endsBlock = isTerminatorName(scan_.nameOf(op)),
                        .arguments = isGap ? std::vector<std::string>() : argumentsIn(text)});
    i = isGap ? subtreeEnds_[i] : i + 1;
  }
  for (const auto &[key, count] : undefined_) {
    std::string results = key.second + (count > 1 ? ":" + std::to_string(count) : "");
    values[key.first] += "\n" + standInValues(standIns.size(), results) + "\n";
    standIns.push_back({.isGap = false, .text = key.second, .arguments = {}});
  }
  // From the inside out: several regions may lack their brace at one place.
  for (int32_t region = static_cast<int32_t>(scan_.regions().size()); region-- > 0;) {
    const ScannedRegion &where = scan_.regions()[region];
    auto defined = values.find(region);
    if ((defined == values.end() && !where.lacksBrace) || isInGap(where.op))
      continue;
    edits.insert(where.close, (defined == values.end() ? "" : defined->second) + (where.lacksBrace ? "\n}\n" : ""));
  }
  for (const auto &[scope, text] : values)
    if (scope < 0)
      edits.insert(endOfScope(scope), text);
  std::vector<StringRef> aliases;
  for (const auto &entry : undefinedAliases_)
    aliases.push_back(entry.first());
  llvm::sort(aliases);
  for (StringRef name : aliases)
    edits.insert(0, undefinedAlias(name));
  for (size_t i = 0; wrapsFragments_ && i < fragments_.size(); ++i) {
    edits.insert(fragments_[i].first, "func.func @fragment" + (i ? "_" + std::to_string(i) : "") + "() {\n");
    edits.insert(fragments_[i].second, "\n}\n");
  }
  addRepairs(0, scan_.text().size() + 1, edits);
  return edits;
}

} // namespace fuselage
