// The pass over a text that fills a SourceScan. Internal.
#pragma once
#include "core/ir/source/SourceCursor.h"
#include "core/ir/source/SourceScan.h"
#include "llvm/ADT/SmallVector.h"

namespace fuselage {

/// Every step consumes a byte; what is looked at ahead is looked at once.
class SourceLexer : SourceCursor {
public:
  /// `closesByColumns`: regions end where an op stands that is not indented as if it were in them.
  SourceLexer(SourceScan &scan, bool closesByColumns)
      : SourceCursor(scan.text_), scan_(scan), at_(begin()), closesByColumns_(closesByColumns) {
    frames_.push_back({.bracket = 0, .isRegion = true, .op = -1, .region = -1});
  }
  void run();

private:
  /// What stands before the token, as far as it tells whether an op may start here.
  enum class Before { Statement, Continued, Flat };
  struct Frame {
    char bracket;
    bool isRegion;
    int32_t op;                       ///< region: the op being read in it; else: whose text this is
    int32_t region;                   ///< the innermost region
    uint32_t at = 0;                  ///< where it opened
    unsigned parens = 0, squares = 0; ///< of a brace: how many were open when it opened
  };

  const char *matchResults(const char *at);
  void open(char bracket);
  void enterBrace(Frame &frame);
  void openRegion(int32_t op);
  void push(const Frame &frame, Before before);
  void close(char closing);
  void popFrame(uint32_t at, bool lacksBrace = false);
  void startOp(const char *begin, const char *name);
  void endOp(Frame &frame);
  bool startAlias();
  void closeFunctionsLeftOpen(uint32_t at, llvm::StringRef name);
  void closeRegionsLeftOpen(uint32_t at);
  void closeUpTo(int32_t region, uint32_t at);
  void sawNamespace(llvm::StringRef ns, bool isCustomOp);
  void readSigil();
  bool startsBareOp(char next) const;
  void readWord();
  void readPercent();
  bool inOpenBrackets() const;
  void leaveOpenBrackets();
  void readQuote();
  bool startsBodyOfUnfinishedOp() const;
  void openUnfinishedOp();
  void readLabel();
  bool mayStart() const {
    return frames_.back().isRegion && (before_ == Before::Statement || (lineStart_ && before_ == Before::Flat));
  }
  /// Whether what stands here belongs to an op or an alias, or could.
  bool isInOp() const { return frames_.size() > 1 || frames_.back().op >= 0 || alias_ >= 0; }
  /// A token that is a part of an op ended here.
  void sawToken(const char *end, Before before = Before::Flat) {
    at_ = end;
    last_ = offset(end);
    before_ = before;
    lineStart_ = false;
  }

  SourceScan &scan_;
  const char *at_;
  llvm::SmallVector<Frame, 64> frames_;
  unsigned parens_ = 0, squares_ = 0; ///< open since the last brace
  unsigned braces_ = 0;
  Before before_ = Before::Flat;
  bool lineStart_ = true, inLabel_ = false, closesByColumns_;
  uint32_t last_ = 0;                     ///< end of the last token
  const char *noResultsBefore_ = nullptr; ///< result lists were looked for up to here
  llvm::StringRef lastNamespace_;
  int32_t alias_ = -1;
  uint32_t lineBegin_ = 0;
  std::vector<uint32_t> columns_; ///< by op
};

} // namespace fuselage
