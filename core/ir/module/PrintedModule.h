// A module's text, printed once, with the lines of every op.
#pragma once
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

/// An op is known by its place in the pre-order walk of its snapshot's module; the module is 0.
/// Stable for a given module, not across steps (see provenance for that).
using OpId = int64_t;

/// Lines count from 0 here; `last` is inclusive.
struct LineRange {
  unsigned first = 0, last = 0;
};

/// What a printed text calls the values of its module, for as long as that does not change. Numbering the values of a
/// large module takes its time.
struct PrintedNames {
  mlir::AsmState::LocationMap starts;
  std::optional<mlir::AsmState> state;
};

/// The custom-assembly text of a module, locations not printed. Large data is elided (Blobs.h); a
/// comment at the end of its line gives size and checksum: `// 2.4 MiB, xxh3 1f2e3d4c5b6a7988`.
class PrintedModule {
public:
  /// `kept`: takes the names.
  explicit PrintedModule(mlir::ModuleOp module, PrintedNames *kept = nullptr);
  /// A text that is there already; op 0 covers all of it until locate() knows better.
  explicit PrintedModule(std::string text);
  /// Gives the ops of `module`, which was parsed from this text, their lines. `lineOf`: the line (from
  /// 0) that an op begins on; nullopt where it has none of its own.
  void locate(mlir::ModuleOp module, llvm::function_ref<std::optional<unsigned>(mlir::Operation *)> lineOf);
  const std::string &text() const { return text_; }
  unsigned lineCount() const { return lineStarts_.size(); }
  llvm::StringRef line(unsigned index) const;
  /// The line that has the byte `offset` of the text.
  unsigned lineAt(size_t offset) const;
  /// The lines of op `id`, regions included.
  LineRange linesOf(OpId id) const { return ranges_[id]; }
  /// The innermost op that covers the line; 0 (the module) if none does.
  OpId opAt(unsigned line) const;
  OpId opCount() const { return ranges_.size(); }
  /// How many pieces of data the text leaves out.
  unsigned elidedCount() const { return elided_; }

private:
  struct Comment {
    size_t offset;
    std::string text;
  };
  void breakLines();
  void findElidedAttributes(mlir::ModuleOp module, std::vector<Comment> &comments) const;
  void addComments(std::vector<Comment> comments);
  void findRanges(mlir::ModuleOp module,
                  const llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> &starts);

  std::string text_;
  std::vector<size_t> lineStarts_;
  std::vector<LineRange> ranges_; // by OpId
  std::vector<OpId> parents_;     // by OpId
  std::vector<OpId> printed_;     // ops with text of their own, in order of lines
  unsigned elided_ = 0;
};

} // namespace fuselage
