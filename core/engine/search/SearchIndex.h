// The names of one snapshot: ops, values, symbols, weights, and the places that ops come from.
#pragma once
#include "core/engine/Document.h"
#include "core/protocol/NameRank.h"
#include "core/protocol/Search.h"
#include "llvm/ADT/StringMap.h"
#include <array>

namespace fuselage {

/// Built once, then searched in milliseconds: every name is kept once, in lower case, and ranked once for all that are
/// called so. Knows no IR, so that it may outlive the module.
class SearchIndex {
public:
  using Kind = message::SearchKind;

  /// Of a dump that does not parse, what its text says. Failure: cancelled.
  static llvm::Expected<std::shared_ptr<const SearchIndex>> build(Document &document, unsigned snapshot,
                                                                  const std::atomic<bool> &cancelled);

  /// The best of each of the kinds, at most `limit` a kind, by rank; with the lines of the snapshot's text.
  message::SearchHits<> find(llvm::StringRef pattern, llvm::ArrayRef<Kind> kinds, size_t limit,
                             const PrintedModule &lines) const;

private:
  static constexpr uint32_t none = UINT32_MAX;
  struct Entry {
    uint32_t name = none, label = none; ///< of ops that are nodes of the graph, what stands in them
    int32_t line = -1;
    OpId op = -1;
    bool hasOp = false;
  };
  /// Where an op comes from, in the user's file.
  struct Place {
    uint32_t file = none;
    uint32_t line = 0, column = 0;
    OpId op = 0;
    int32_t shown = -1; ///< line of the text
  };
  using Cancelled = llvm::function_ref<bool()>;

  uint32_t intern(llvm::StringRef name);
  std::vector<Entry> &entries(Kind kind) { return entriesOf_[static_cast<size_t>(kind)]; }
  llvm::StringRef nameOf(uint32_t name) const { return llvm::StringRef(text_).slice(starts_[name], starts_[name + 1]); }
  bool addOps(mlir::ModuleOp module, const PrintedModule &printed, Cancelled cancelled);
  void addGraph(const Graph &graph);
  bool addText(const PrintedModule &printed, bool isParsed, Cancelled cancelled);
  std::vector<NameRank> rankNames(llvm::StringRef pattern) const;
  void addHits(Kind kind, const std::vector<NameRank> &ranks, size_t limit, const PrintedModule &lines,
               message::SearchHits<> &found) const;
  void addPlaces(llvm::StringRef pattern, size_t limit, const PrintedModule &lines, message::SearchHits<> &found) const;

  std::string text_, lower_; ///< all names, one after the other
  std::vector<uint32_t> starts_{0};
  llvm::StringMap<uint32_t> ids_;                                      ///< while it is built
  std::array<std::vector<Entry>, message::searchKindCount> entriesOf_; ///< by kind, in program order
  std::vector<Place> places_;
};

} // namespace fuselage
