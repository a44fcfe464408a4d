// The text of one dump, as it stands in its file.
#pragma once
#include "core/stepping/dumps/DumpLog.h"

namespace fuselage {

/// Lines of one file that are shown below each other.
struct DumpPiece {
  std::shared_ptr<DumpFile> file;
  DumpRange range;
  uint32_t strip = 0;  ///< blanks taken off the start of each line
  uint32_t indent = 0; ///< blanks put there instead
};

/// The text of a dump: mostly one piece. Several where a function was cut out of a module whose
/// aliases it uses, or where functions of a module were dumped later than the module. Nothing is kept
/// of the text itself.
class DumpText {
public:
  DumpText() = default;
  /// `composed`: the pieces do not stand in this order in one file.
  explicit DumpText(std::vector<DumpPiece> pieces, bool composed = false)
      : pieces_(std::move(pieces)), composed_(composed) {}

  /// The file; of a composed text, a name that says so.
  std::string path() const;
  const std::vector<DumpPiece> &pieces() const { return pieces_; }

  /// As it is shown: the pieces below each other, without carriage returns.
  llvm::Expected<std::string> shown() const;
  /// As it is parsed: everything else of the file blank, so that all positions are those of the file.
  /// A composed text as it is shown.
  llvm::Expected<std::string> placed() const;
  /// The line of shown() (from 0) that line `line` (from 1) of placed() is; nullopt: not in there.
  std::optional<unsigned> shownLine(unsigned line) const;

private:
  std::vector<DumpPiece> pieces_;
  bool composed_ = false;
};

/// Whether two texts are alike but for indentation, numbering and aliases: an op that was cut out of a
/// module and the same op printed alone.
bool looselyEqual(llvm::StringRef a, llvm::StringRef b);

} // namespace fuselage
