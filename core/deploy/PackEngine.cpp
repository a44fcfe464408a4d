#include "core/deploy/PackEngine.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

namespace fs = llvm::sys::fs;

static llvm::Error cannotWrite(const llvm::Twine &path, std::error_code error) {
  return fail(("cannot write '" + path + "': " + error.message()).str());
}

/// Whoever unpacks it may do so for others, too. Nothing is to be made of a path without a folder.
static std::error_code makeFolders(llvm::StringRef folder) {
  return folder.empty() ? std::error_code() : fs::create_directories(folder, /*IgnoreExisting=*/true, fs::perms(0755));
}

static llvm::Error writeFile(const EngineFile &file, const std::string &root) {
  const std::string path = root + "/" + file.place;
  if (std::error_code error = makeFolders(llvm::sys::path::parent_path(path)))
    return cannotWrite(path, error);
  std::error_code error;
  llvm::raw_fd_ostream os(path, error, fs::CD_CreateNew);
  if (error)
    return cannotWrite(path, error);
  llvm::Error read = readEngineFile(file, /*offset=*/0, [&os](llvm::StringRef bytes) {
    os << bytes;
    return llvm::Error::success();
  });
  os.close();
  if (os.has_error()) {
    error = os.error();
    os.clear_error();
    llvm::consumeError(std::move(read));
    return cannotWrite(path, error);
  }
  if (read)
    return read;
  if ((error = fs::setPermissions(path, fs::perms(file.isProgram ? 0755 : 0644))))
    return cannotWrite(path, error);
  return llvm::Error::success();
}

llvm::Error packEngine(const EngineImage &image, llvm::StringRef folder) {
  if (fs::exists(folder))
    return fail("'" + folder.str() + "' is there already; name a folder that is not");
  llvm::SmallString<128> temporary;
  if (std::error_code error = makeFolders(llvm::sys::path::parent_path(folder)))
    return cannotWrite(llvm::sys::path::parent_path(folder), error);
  fs::createUniquePath(folder + ".part-%%%%%%", temporary, /*MakeAbsolute=*/false);
  EngineImage whole = image;
  whole.files.push_back({.place = "MANIFEST", .source = "", .content = image.manifest()});
  llvm::Error result = llvm::Error::success();
  for (const EngineFile &file : whole.files)
    if ((result = writeFile(file, std::string(temporary))))
      break;
  if (!result)
    if (std::error_code error = fs::rename(temporary, folder))
      result = cannotWrite(folder, error);
  if (result)
    fs::remove_directories(temporary);
  return result;
}

} // namespace fuselage
