#include "core/stepping/dumps/DumpScopes.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace fuselage {

DumpScopes::Children DumpScopes::childrenOf(const DumpShape &shape) {
  uint32_t indent = UINT32_MAX;
  for (const DumpSymbol &symbol : shape.symbols)
    indent = std::min(indent, symbol.indent);
  Children children;
  for (const DumpSymbol &symbol : shape.symbols)
    if (symbol.indent == indent)
      children.push_back({symbol.op, symbol.symbol});
  llvm::sort(children);
  return children;
}

unsigned DumpScopes::add(uint32_t op) {
  scopes_.push_back({.op = op, .latest = nullptr, .children = {}});
  return scopes_.size() - 1;
}

unsigned DumpScopes::named(uint32_t op, uint32_t symbol, bool isModule) {
  if (auto known = byName_.find({op, symbol}); known != byName_.end())
    return known->second;
  auto renamed = bySymbol_.find(symbol);
  unsigned scope = !isModule && symbol && renamed != bySymbol_.end() ? renamed->second : add(op);
  byName_[{op, symbol}] = scope;
  if (!isModule && symbol)
    bySymbol_[symbol] = scope;
  return scope;
}

std::optional<unsigned> DumpScopes::find(uint32_t op, uint32_t symbol) const {
  if (auto known = byName_.find({op, symbol}); known != byName_.end())
    return known->second;
  if (auto renamed = bySymbol_.find(symbol); renamed != bySymbol_.end())
    return renamed->second;
  return std::nullopt;
}

/// The module that shares the largest part of its children with these; -1: none shares any.
int DumpScopes::bestModule(const Children &children, bool byName) const {
  auto common = [&](const Children &others) {
    return llvm::count_if(children, [&](const auto &child) {
      if (byName)
        return std::binary_search(others.begin(), others.end(), child);
      return llvm::any_of(others, [&](const auto &other) { return other.second == child.second; });
    });
  };
  constexpr size_t maxAsked = 64; // candidates; a symbol that very many modules have tells nothing
  int best = -1;
  double bestShare = 0;
  size_t asked = 0;
  for (const auto &child : children) {
    auto with = modulesWith_.find(child.second);
    if (with == modulesWith_.end())
      continue;
    for (unsigned module : with->second) {
      if (int(module) == best || ++asked > maxAsked)
        continue;
      const Children &others = scopes_[module].children;
      size_t shared = common(others);
      double share = double(shared) / double(children.size() + others.size() - shared);
      if (shared > 0 && share > bestShare) {
        best = module;
        bestShare = share;
      }
    }
  }
  return best;
}

unsigned DumpScopes::unnamedModule(const DumpShape &shape) {
  Children children = childrenOf(shape);
  int found = bestModule(children, /*byName=*/true);
  if (found < 0)
    found = bestModule(children, /*byName=*/false);
  // Nothing in common. The only module of a log is still itself, with all its functions renamed,
  // unless it shows what is nested deeper in it: then it is another one.
  if (found < 0 && modules_.size() == 1) {
    const DumpShape *outer = scopes_[modules_.front()].latest;
    bool isInside = !children.empty() && llvm::any_of(outer->symbols, [&](const DumpSymbol &symbol) {
      return std::pair(symbol.op, symbol.symbol) == children.front();
    });
    if (!isInside)
      found = modules_.front();
  }
  if (found < 0 && children.empty() && !modules_.empty())
    found = modules_.front();
  if (found < 0) {
    found = add(shape.op);
    modules_.push_back(found);
  }
  Scope &scope = scopes_[found];
  scope.latest = &shape;
  if (scope.children != children)
    for (const auto &child : children) {
      std::vector<unsigned> &with = modulesWith_[child.second];
      if (!llvm::is_contained(with, unsigned(found)))
        with.push_back(found);
    }
  scope.children = std::move(children);
  return found;
}

unsigned DumpScopes::scopeOf(const DumpEntry &entry) {
  const DumpShape &shape = *entry.shape;
  if (shape.isModule && shape.symbol == 0)
    return unnamedModule(shape);
  if (shape.op == 0) // no MLIR, or nothing: by what the header says
    return named(names_.numberOf(entry.op), names_.numberOf(entry.symbol), /*isModule=*/false);
  return named(shape.op, shape.symbol, shape.isModule);
}

} // namespace fuselage
