// How each op of a foreign or broken text is read, and the text that MLIR's parser gets for it.
#pragma once
#include "core/ir/reading/StandIns.h"
#include "core/ir/source/SourceEdits.h"
#include "core/ir/source/SourceScan.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <set>

namespace fuselage {

/// The ways of reading an op, each more tolerant than the one before.
enum class OpForm : uint8_t {
  Written, ///< as it stands
  Modern,  ///< in today's assembly (LegacyText.h)
  Twin,    ///< by the universal parser, as an op of the dialect's tolerant twin
  Header,  ///< what stands before its regions is kept as text, they are read
  Gap,     ///< not at all: kept as text
};

/// The plan for one split. Starts with what needs no parser to know: ops of today's names in old
/// assembly are Modern, ops that today's dialects do not have are Twins. Loads the tolerant dialects
/// that its text needs.
class ReadPlan {
public:
  ReadPlan(const SourceScan &scan, mlir::MLIRContext &context);

  const SourceScan &scan() const { return scan_; }
  OpForm form(int32_t op) const { return forms_[op]; }
  /// Whether the text has ops that are not Written, or namespaces that no dialect of today has.
  bool isForeign() const { return isForeign_; }
  /// Those namespaces.
  const std::vector<std::string> &foreignNamespaces() const { return foreignNamespaces_; }
  /// Whether the op itself or one around it is a gap.
  bool isInGap(int32_t op) const;

  /// To the next form; false if it is a gap already.
  bool demote(int32_t op);
  void makeGap(int32_t op) { forms_[op] = OpForm::Gap; }
  /// A second definition of a value: its results get names of their own.
  bool renameResults(int32_t op) { return renamed_.insert(op).second; }
  /// `use` is "%x", or "%x#2". False if it is defined in this scope already.
  bool defineUndefined(llvm::StringRef use, int32_t scope);
  /// Where values that op `op` uses may be defined: its region, or its run of ops outside of functions.
  int32_t scopeOf(int32_t op) const;
  /// Whether what stands before a region around `scope`, and is kept as text, defines "%x" for it.
  bool isArgumentOfHeader(llvm::StringRef use, int32_t scope) const;
  /// Text that belongs to no op.
  void drop(size_t begin, size_t end) { dropped_[begin] = end; }
  bool isDropped(size_t begin) const { return dropped_.count(begin); }
  /// Puts what the op's text has as LLVM 24 writes it where the parser takes it (PropertyText.h). False: it has nothing
  /// of that.
  bool useProperties(int32_t op);
  /// Takes that back.
  void dropProperties(int32_t op);
  /// What there is to say of a Modern op.
  std::string describe(int32_t op) const;
  /// Reads `!ns.`, `#ns.` or an op name of a known dialect at `offset` (of the namespace) as its twin's.
  bool useTwinAt(size_t offset, size_t length);
  /// Defines an alias that the text uses: `#map` is then `#undefined.alias<"map">`.
  void defineAlias(llvm::StringRef name) { undefinedAliases_.insert(name); }
  bool isUndefinedAlias(llvm::StringRef name) const { return undefinedAliases_.contains(name); }
  /// That definition, a line. Locations are unknown instead: nothing else serves as one.
  static std::string undefinedAlias(llvm::StringRef name);
  /// Ops that stand outside of functions and use what only functions have: their runs become
  /// functions.
  void wrapFragments() { wrapsFragments_ = true; }
  bool wrapsFragments() const { return wrapsFragments_; }
  /// Text that repairs the nesting or defines aliases.
  SourceEdits &repairs() { return repairs_; }

  /// The edits of one op's own text; `place` is the index of its gap.
  void editOp(int32_t op, SourceEdits &edits, size_t place = 0) const;
  /// Those of useTwinAt(), drop() and repairs() in a part of the text.
  void addRepairs(size_t begin, size_t end, SourceEdits &edits);
  /// All edits, and what the stand-ins in them stand for.
  SourceEdits assemble(std::vector<StandIn> &standIns);
  /// The index after the ops nested in `op`.
  int32_t subtreeEnd(int32_t op) const { return subtreeEnds_[op]; }
  /// Whether the namespace is one of today's dialects.
  bool isKnown(llvm::StringRef ns) const { return known_.contains(ns); }
  mlir::MLIRContext &context() const { return context_; }
  /// Whether the universal parser can read the op.
  bool hasTwin(int32_t op) const;

private:
  bool demoteToHeader(int32_t op);
  llvm::SmallVector<const ScannedRegion *> regionsOf(int32_t op) const;
  void editHeader(int32_t op, SourceEdits &edits, size_t place) const;
  llvm::StringRef headerOf(int32_t op) const;
  std::string placeOf(int32_t op, size_t end, size_t place) const;
  void chooseForms();
  bool isKnownOp(llvm::StringRef name, llvm::StringMap<bool> &cache) const;
  std::string twinName(int32_t op) const;
  void findFragments();
  size_t endOfScope(int32_t scope) const;

  const SourceScan &scan_;
  mlir::MLIRContext &context_;
  llvm::StringSet<> known_;
  std::vector<std::string> foreignNamespaces_;
  std::vector<OpForm> forms_;
  std::vector<int32_t> subtreeEnds_;
  llvm::DenseSet<int32_t> renamed_;
  std::map<std::pair<int32_t, std::string>, unsigned> undefined_; ///< scope and name -> result count
  std::vector<std::pair<size_t, size_t>> fragments_;              ///< from where to where
  std::map<size_t, size_t> dropped_, twins_;
  llvm::StringSet<> undefinedAliases_;
  std::map<int32_t, SourceEdits> properties_; ///< by op: where they stand
  SourceEdits repairs_;
  bool isForeign_ = false, wrapsFragments_ = false;
};

/// The function (or other op of a module) that op `index` is in.
int32_t unitOf(const SourceScan &scan, int32_t index);

/// Whether an op of this name ends a block, by its name alone.
bool isTerminatorName(llvm::StringRef name);

} // namespace fuselage
