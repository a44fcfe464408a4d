// Local paths, and where their files are on the other side.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace fuselage::remote {

/// Where a file of a session is on the other side: in a folder of its own for each local folder, so that files that
/// lie beside each other still do. `at` is "3/model.mlir".
struct FarPlace {
  std::string at;
  std::string path; ///< as requests have it: the session's token stands for its folder
};

/// Numbers local folders, and maps texts back. Any thread.
class PathMap {
public:
  /// `token` stands for the session's folder in requests; the other side knows where that is.
  explicit PathMap(std::string token) : token_(std::move(token)) {}

  FarPlace placeOf(llvm::StringRef path);
  /// Where the folder is, as the other side says.
  void setFarFolder(std::string folder);
  std::string farFolder() const;

  /// The text with far paths turned into the local ones that the user typed. `isJson`: paths are within JSON strings.
  std::string toLocal(llvm::StringRef text, bool isJson) const;
  /// How long a far path can be up to where it is recognized: for texts that come in pieces.
  size_t longestMatch() const;

private:
  std::string localFor(size_t number, bool hasSlash) const;

  mutable std::mutex mutex_;
  std::string token_, farFolder_;
  std::vector<std::string> folders_; ///< as typed, with the '/' at their end: "", "samples/"
  std::map<std::string, size_t> numbers_;
};

} // namespace fuselage::remote
