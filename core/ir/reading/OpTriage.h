// Which ops of a text MLIR can read, found by parsing each by itself.
#pragma once
#include "core/ir/reading/ReadPlan.h"
#include <optional>

namespace fuselage {

/// Why an op is not read as it was written.
struct Demotion {
  int32_t op = -1;
  std::string message; ///< MLIR's
  size_t offset = 0;   ///< in the split
};

/// MLIR's parser stops at its first error. To know all ops that it cannot read, each is parsed alone,
/// inside of a function, with the aliases that it uses in front; the ops of its regions are left out
/// (they have their own turn). Values that are undefined there do not matter. Ops that differ only in
/// the names of their values are tried once, so the cost is that of one more parse of the text, however
/// many ops are bad and of how many kinds.
class OpTriage {
public:
  OpTriage(mlir::MLIRContext &context, ReadPlan &plan, std::vector<Demotion> &demotions);

  /// Tries the ops from `first` on that were not tried before, and gives each the first form in which
  /// it can be read. Returns whether any changed.
  bool run(int32_t first);
  /// Replaces the aliases whose definitions cannot be read. Returns whether there were any.
  bool runAliases();
  /// How often a piece of text was parsed by itself.
  unsigned parses() const { return parses_; }

private:
  struct Verdict {
    bool isRead = false;
    std::string message;
    size_t offset = 0; ///< in the split
  };
  Verdict tryOp(int32_t op, size_t end, bool withRegions);
  Verdict tryText(const EditedText &text);
  bool settle(int32_t op);
  bool useTwinAttribute(size_t begin, size_t at);
  std::optional<size_t> endWithoutJunk(int32_t op);
  std::string aliasesFor(llvm::StringRef text);
  void addAlias(llvm::StringRef name, std::string &text, llvm::StringSet<> &seen);

  mlir::MLIRContext &context_;
  ReadPlan &plan_;
  const SourceScan &scan_;
  std::vector<Demotion> &demotions_;
  llvm::StringMap<int32_t> aliases_;   ///< name with its sign -> index
  std::vector<std::string> aliasText_; ///< by index: as it is read; empty: as it stands
  llvm::StringMap<Verdict> known_;     ///< by text without the names of values; offsets from the op's begin
  int32_t triedFrom_;
  unsigned parses_ = 0;
};

} // namespace fuselage
