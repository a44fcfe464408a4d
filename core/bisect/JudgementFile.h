// Judgements of a bisection in a file, so that one that was stopped goes on.
#pragma once
#include "core/bisect/Bisect.h"
#include <map>

namespace fuselage {

/// What was judged so far, by place. Written after each judgement, so that whoever stops the search loses no more than
/// the one under way.
class JudgementFile {
public:
  /// Reads the file, if it is there. `key`: of all that judgements depend on; one of another key is begun anew.
  /// Failure: the file is something else, or cannot be written.
  static llvm::Expected<JudgementFile> open(std::string path, std::string key);

  std::optional<Judgement> find(llvm::StringRef place) const;
  llvm::Error add(llvm::StringRef place, const Judgement &judgement);
  size_t count() const { return judgements_.size(); }
  /// Nobody needs it once the search has come to its end.
  void remove() const;

  /// A key of texts: a hash of all of them.
  static std::string keyOf(llvm::ArrayRef<std::string> texts);

private:
  llvm::Error write() const;
  std::string path_, key_;
  std::map<std::string, Judgement> judgements_;
};

} // namespace fuselage
