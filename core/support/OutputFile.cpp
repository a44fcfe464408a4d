#include "core/support/OutputFile.h"
#include "core/support/Error.h"
#include "core/support/Paths.h"
#include "core/support/StandardOutput.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/stat.h>
#include <unistd.h>

namespace fuselage {

namespace {
/// Where a path leads to.
struct Target {
  std::string path; ///< without links
  bool exists = false, isPlain = true;
  struct stat status {};
};
} // namespace

using Writer = llvm::function_ref<void(llvm::raw_ostream &os)>;

static std::error_code lastError() { return {errno, std::generic_category()}; }

/// Writes all of it and closes the descriptor.
static std::error_code writeAll(int descriptor, Writer write) {
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  write(os);
  os.close();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

/// Failure: there is no writing to it.
static llvm::Expected<Target> findTarget(llvm::StringRef path) {
  Target target{.path = path.str()};
  if (stat(target.path.c_str(), &target.status) != 0) {
    if (errno != ENOENT)
      return fail(lastError().message());
    if (llvm::sys::fs::is_symlink_file(path))
      return fail("it is a link to a file that is not there");
    return target;
  }
  target.exists = true;
  if (S_ISDIR(target.status.st_mode))
    return fail("it is a folder");
  target.isPlain = S_ISREG(target.status.st_mode);
  constexpr mode_t anybodyWrites = S_IWUSR | S_IWGRP | S_IWOTH;
  if (target.isPlain && !(target.status.st_mode & anybodyWrites))
    return fail("it is read-only");
  if (access(target.path.c_str(), W_OK) != 0)
    return fail(lastError().message());
  llvm::SmallString<256> real;
  if (target.isPlain && llvm::sys::fs::is_symlink_file(path) && !llvm::sys::fs::real_path(path, real))
    target.path = real.str().str();
  return target;
}

static std::error_code writeInPlace(const Target &target, Writer write) {
  int descriptor = -1;
  auto disposition = target.isPlain ? llvm::sys::fs::CD_CreateAlways : llvm::sys::fs::CD_OpenExisting;
  if (std::error_code error = llvm::sys::fs::openFileForWrite(target.path, descriptor, disposition))
    return error;
  return writeAll(descriptor, write);
}

static std::error_code replace(const Target &target, Writer write) {
  // Not the name with something behind it, which may be too long.
  llvm::SmallString<256> temporary(llvm::sys::path::parent_path(target.path));
  llvm::sys::path::append(temporary, ".fuselage-%%%%%%%%");
  int descriptor = -1;
  std::error_code error =
      llvm::sys::fs::createUniqueFile(temporary, descriptor, temporary, llvm::sys::fs::OF_None, /*Mode=*/0666);
  bool isClosed = error == std::errc::permission_denied || error == std::errc::operation_not_permitted;
  if (error)
    return target.exists && isClosed ? writeInPlace(target, write) : error;
  if (target.exists) {
    // Of the owner first: that takes set-user-id bits away. It is not ours to give away in general.
    [[maybe_unused]] int owned = fchown(descriptor, target.status.st_uid, target.status.st_gid);
    [[maybe_unused]] int kept = fchmod(descriptor, target.status.st_mode & 07777);
  }
  error = writeAll(descriptor, write);
  if (error) {
    llvm::sys::fs::remove(temporary);
    return error;
  }
  if (rename(temporary.c_str(), target.path.c_str()) == 0)
    return {};
  error = lastError();
  llvm::sys::fs::remove(temporary);
  return error == std::errc::device_or_resource_busy ? writeInPlace(target, write) : error;
}

static llvm::Error writeToStandardOutput(Writer write, Content kind) {
  if (kind == Content::Text) {
    write(results());
    return finishResults();
  }
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  write(os);
  writeResultBytes(bytes);
  return finishResults();
}

static llvm::Error cannotWrite(llvm::StringRef path, const std::string &why) {
  return fail("cannot write '" + shortPath(path) + "': " + why);
}

llvm::Error checkOutputFile(llvm::StringRef path) {
  if (path == "-")
    return llvm::Error::success();
  auto target = findTarget(path);
  if (!target)
    return cannotWrite(path, takeFailure(target.takeError()).message);
  std::string folder = llvm::sys::path::parent_path(target->path).str();
  if (!target->exists && access(folder.empty() ? "." : folder.c_str(), W_OK) != 0)
    return cannotWrite(path, lastError().message());
  return llvm::Error::success();
}

/// Under the names that the system has for descriptor 1, which results may have left; see reserveStandardOutput().
static bool isStandardOutput(llvm::StringRef path) {
  return path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

static llvm::Error writeTo(llvm::StringRef path, Writer write, Content kind) {
  if (path == "-")
    return writeToStandardOutput(write, kind);
  if (isStandardOutput(path))
    return writeToStandardOutput(write, Content::Bytes);
  auto problem = [&](const std::string &why) { return cannotWrite(path, why); };
  auto target = findTarget(path);
  if (!target)
    return problem(takeFailure(target.takeError()).message);
  std::error_code error = target->isPlain ? replace(*target, write) : writeInPlace(*target, write);
  return error ? problem(error.message()) : llvm::Error::success();
}

llvm::Error writeOutputFile(llvm::StringRef path, llvm::StringRef content, Content kind) {
  return writeTo(
      path, [&](llvm::raw_ostream &os) { os << content; }, kind);
}

llvm::Error writeOutputFile(llvm::StringRef path, Writer write) { return writeTo(path, write, Content::Text); }

} // namespace fuselage
