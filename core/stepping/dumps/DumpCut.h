// Texts that no dump shows as such: a function inside a module's dump, a module whose functions were
// dumped later. Internal to core/stepping.
#pragma once
#include "core/stepping/dumps/DumpText.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace fuselage {

/// Cuts and joins dumps of one log.
class DumpCutter {
public:
  explicit DumpCutter(const DumpLog &log) : log_(log) {}

  /// The text of a dump as it stands.
  DumpText whole(size_t entry) const;
  /// The op with that symbol in the dump, with the aliases that it uses and the dump defines. An op of
  /// the name `op` is preferred, another one of that symbol is taken where there is none (passes turn
  /// a func.func into an llvm.func). nullopt: it is not in there, or more than once.
  std::optional<DumpText> cut(size_t entry, uint32_t op, uint32_t symbol);
  /// The dump with the ops in it that were dumped later replaced by these dumps. `laterDump` gives the
  /// latest dump of an op, if that is later than the given one. nullopt: no op in it was.
  using LaterDump = std::function<std::optional<size_t>(uint32_t op, uint32_t symbol, size_t entry)>;
  std::optional<DumpText> join(size_t entry, const LaterDump &laterDump);

private:
  struct Alias {
    std::string name, text;
    DumpRange range;
  };
  const std::vector<Alias> &aliasesOf(size_t entry, llvm::StringRef dump);
  bool addJoined(size_t entry, const LaterDump &laterDump, uint32_t indent, std::vector<DumpPiece> &pieces,
                 unsigned depth);

  const DumpLog &log_;
  size_t aliasEntry_ = SIZE_MAX; ///< whose aliases are kept: many cuts in a row are of one module
  std::vector<Alias> aliases_;
};

} // namespace fuselage
