// Which dumps of a log show the same op. Internal to core/stepping.
#pragma once
#include "core/stepping/dumps/DumpLog.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace fuselage {

/// Numbers the ops that a log dumps; dumps are to be given in order.
class DumpScopes {
public:
  explicit DumpScopes(DumpNames &names) : names_(names) {}

  /// The number of the op that the entry shows. Ops with a symbol are known by it and by their name,
  /// or by it alone where the name has changed (func.func to llvm.func). Modules without a symbol are
  /// known by the ops right inside of them: the one that has most of them in common was the same.
  unsigned scopeOf(const DumpEntry &entry);
  /// The scope of ops with that name and symbol, if there was one.
  std::optional<unsigned> find(uint32_t op, uint32_t symbol) const;
  unsigned count() const { return scopes_.size(); }

private:
  using Children = std::vector<std::pair<uint32_t, uint32_t>>; // op, symbol; sorted
  struct Scope {
    uint32_t op = 0;
    const DumpShape *latest = nullptr;
    Children children;
  };
  static Children childrenOf(const DumpShape &shape);
  unsigned named(uint32_t op, uint32_t symbol, bool isModule);
  unsigned unnamedModule(const DumpShape &shape);
  int bestModule(const Children &children, bool byName) const;
  unsigned add(uint32_t op);

  DumpNames &names_;
  std::vector<Scope> scopes_;
  std::map<std::pair<uint32_t, uint32_t>, unsigned> byName_;    // op, symbol
  llvm::DenseMap<uint32_t, unsigned> bySymbol_;                 // ops that are no modules
  std::vector<unsigned> modules_;                               // without a symbol
  llvm::DenseMap<uint32_t, std::vector<unsigned>> modulesWith_; // by the symbol of a child
};

} // namespace fuselage
