#include "core/bundle/BundleFiles.h"
#include "core/bundle/Sha256.h"
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace fuselage::bundle {

namespace {

/// A descriptor that is closed with the object.
struct Descriptor {
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  Descriptor(const Descriptor &) = delete;
  const int number;
};

std::string reason() { return std::strerror(errno); }

} // namespace

Folder::~Folder() {
  if (folder_ >= 0)
    ::close(folder_);
}

Result<Folder> Folder::open(const std::string &path) {
  int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return failWith("cannot open the bundle '" + path + "': " + reason() +
                    "; give the folder that `fuselage bundle -o` wrote");
  return Folder(path, folder);
}

Result<Folder> Folder::create(const std::string &path) {
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST)
    return failWith("cannot make the folder '" + path + "': " + reason());
  auto folder = open(path);
  if (!folder)
    return folder;
  if (faccessat(folder->folder_, kManifestName, F_OK, 0) == 0)
    return folder; // a bundle is written anew
  DIR *entries = opendir(path.c_str());
  bool isEmpty = entries != nullptr;
  while (dirent *entry = entries ? readdir(entries) : nullptr)
    isEmpty &= std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0;
  if (entries)
    closedir(entries);
  if (!isEmpty)
    return failWith("'" + path + "' holds files, and is no bundle: choose an empty folder, or a new one");
  return folder;
}

Result<std::string> Folder::readFile(const std::string &name, uint64_t mostBytes) const {
  const std::string what = "'" + name + "' of bundle '" + path_ + "' ";
  // Not to wait for a pipe that somebody put there.
  Descriptor file(openat(folder_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.number < 0)
    return failWith(errno == ELOOP ? what + "is a link, which bundles do not have"
                                   : what + "cannot be read: " + reason());
  struct stat status {};
  if (fstat(file.number, &status) != 0 || !S_ISREG(status.st_mode))
    return failWith(what + "is no plain file");
  if (uint64_t(status.st_size) > mostBytes)
    return failWith(what + "has " + std::to_string(status.st_size) + " bytes, more than the " +
                    std::to_string(mostBytes) + " that it may have");
  std::string content(size_t(status.st_size), '\0');
  for (size_t at = 0; at < content.size();) {
    ssize_t count = ::read(file.number, content.data() + at, content.size() - at);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return failWith(what + "cannot be read: " + (count < 0 ? reason() : "it became shorter"));
    at += size_t(count);
  }
  return content;
}

Result<Manifest> Folder::manifest() const {
  auto text = readFile(kManifestName, kMostManifestBytes);
  if (!text)
    return text.takeError();
  auto manifest = readManifest(*text);
  if (!manifest)
    return failWith("bundle '" + path_ + "': " + manifest.error().message());
  return manifest;
}

Result<std::string> Folder::read(const File &file) const {
  auto content = readFile(file.name, file.bytes);
  if (!content)
    return content;
  if (content->size() != file.bytes)
    return failWith("'" + file.name + "' of bundle '" + path_ + "' has " + std::to_string(content->size()) +
                    " bytes, and not the " + std::to_string(file.bytes) + " of the manifest: copy the bundle again");
  if (sha256(*content) != file.sha256)
    return failWith("'" + file.name + "' of bundle '" + path_ +
                    "' does not have the checksum of the manifest: it was damaged or changed; copy the bundle again");
  return content;
}

Status Folder::check(const Manifest &manifest) const {
  std::set<std::string> checked;
  auto checkOne = [&](const File &file) -> Status {
    if (!checked.insert(file.name).second)
      return Status::success();
    return read(file).takeError();
  };
  for (const Dispatch &dispatch : manifest.dispatches) {
    for (const Kernel &kernel : dispatch.kernels)
      if (Status error = checkOne(kernel.code))
        return error;
    for (const Value &value : dispatch.arguments)
      if (Status error = checkOne(value.content))
        return error;
    for (const ExpectedValue &result : dispatch.results)
      if (Status error = checkOne(result.value.content))
        return error;
  }
  return Status::success();
}

Result<File> Folder::write(const std::string &name, std::string_view content) const {
  const std::string what = "cannot write '" + name + "' of bundle '" + path_ + "': ";
  // Not through a link, nor into a file that another name shares: an old one is replaced.
  unlinkat(folder_, name.c_str(), 0);
  Descriptor file(openat(folder_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.number < 0)
    return failWith(what + reason());
  for (size_t at = 0; at < content.size();) {
    ssize_t count = ::write(file.number, content.data() + at, content.size() - at);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return failWith(what + reason());
    at += size_t(count);
  }
  return File{.name = name, .bytes = content.size(), .sha256 = sha256(content)};
}

Status Folder::write(const Manifest &manifest) const {
  return write(kManifestName, writeManifest(manifest)).takeError();
}

} // namespace fuselage::bundle
