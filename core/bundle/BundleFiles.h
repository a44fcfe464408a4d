// The files of a bundle: read from a folder that somebody else made, or written.
#pragma once
#include "core/bundle/Manifest.h"

namespace fuselage::bundle {

/// An open folder. Files are opened in it by their names alone, and links are not followed, so that nothing outside of
/// it is read. Not copyable.
class Folder {
public:
  static Result<Folder> open(const std::string &path);
  /// Makes the folder where it is missing. Failure: it holds something other than a bundle, or cannot be made.
  static Result<Folder> create(const std::string &path);
  Folder(Folder &&other) : path_(std::move(other.path_)), folder_(std::exchange(other.folder_, -1)) {}
  ~Folder();

  const std::string &path() const { return path_; }
  /// Failure: no manifest, or one that readManifest() refuses.
  Result<Manifest> manifest() const;
  /// The content of a file that the manifest names. Failure: it is missing, is no plain file, or has another size or
  /// checksum than the manifest says.
  Result<std::string> read(const File &file) const;
  /// Checks every file of the manifest, so that nothing runs of a bundle that is damaged.
  Status check(const Manifest &manifest) const;

  /// Writes a file under a plain name.
  Result<File> write(const std::string &name, std::string_view content) const;
  Status write(const Manifest &manifest) const;

private:
  Folder(std::string path, int folder) : path_(std::move(path)), folder_(folder) {}
  Result<std::string> readFile(const std::string &name, uint64_t mostBytes) const;
  std::string path_;
  int folder_ = -1;
};

} // namespace fuselage::bundle
