#include "core/deploy/EngineImage.h"
#include "core/deploy/EngineId.h"
#include "core/deploy/Launcher.h"
#include "core/deploy/LoadedLibraries.h"
#include "core/support/process/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

namespace fuselage {

std::string EngineImage::manifest() const {
  std::string lines;
  for (const EngineFile &file : files)
    lines += llvm::formatv("{0} {1} {2} {3}\n", file.sha256, file.size, file.isProgram ? "755" : "644", file.place);
  return lines;
}

uint64_t EngineImage::totalBytes() const {
  uint64_t total = 0;
  for (const EngineFile &file : files)
    total += file.size;
  return total;
}

static llvm::Error cannotRead(llvm::StringRef path, std::error_code error) {
  return fail(("cannot read '" + path + "': " + error.message()).str());
}

/// A library of the C or C++ runtime: one set of them comes with its loader, and none fits another's.
static bool isRuntime(llvm::StringRef name) {
  constexpr llvm::StringRef stems[] = {"ld-",         "ld64.",      "libc.so.",   "libm.so.",   "libmvec.",
                                       "libpthread.", "libdl.",     "librt.",     "libresolv.", "libutil.so.",
                                       "libanl.so.",  "libnsl.so.", "libstdc++.", "libgcc_s."};
  return llvm::any_of(stems, [&](llvm::StringRef stem) { return name.starts_with(stem); });
}

/// Libraries of glibc that nothing of ours needs, but a driver built for an older one may ask for.
static void addRestOfRuntime(std::vector<LoadedLibrary> &libraries) {
  const auto c = llvm::find_if(libraries, [](const LoadedLibrary &each) { return each.name == "libc.so.6"; });
  if (c == libraries.end())
    return;
  const std::string folder = llvm::sys::path::parent_path(c->path).str();
  for (const char *name : {"libpthread.so.0", "libdl.so.2", "librt.so.1", "libresolv.so.2", "libutil.so.1",
                           "libanl.so.1", "libmvec.so.1"}) {
    const std::string path = folder + "/" + name;
    if (llvm::sys::fs::exists(path) && llvm::none_of(libraries, [&](const auto &each) { return each.name == name; }))
      libraries.push_back({name, path});
  }
}

static llvm::Error describe(EngineFile &file, NeededVersions *needed) {
  std::unique_ptr<llvm::MemoryBuffer> owned;
  llvm::StringRef content = file.content;
  if (!file.source.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(file.source, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer)
      return cannotRead(file.source, buffer.getError());
    owned = std::move(*buffer);
    content = owned->getBuffer();
  }
  file.size = content.size();
  llvm::SHA256 hash;
  hash.update(content);
  file.sha256 = llvm::toHex(hash.final(), /*LowerCase=*/true);
  return needed ? addNeededVersions(content, file.source.empty() ? file.place : file.source, *needed)
                : llvm::Error::success();
}

static llvm::Expected<EngineFile> describeProgram(NeededVersions &needed) {
  const std::string path = ownExecutable();
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return cannotRead(path, buffer.getError());
  auto content = stripped((*buffer)->getBuffer(), path);
  if (!content)
    return content.takeError();
  EngineFile file{.place = "libexec/fuselage", .source = "", .content = std::move(*content), .isProgram = true};
  if (llvm::Error error = describe(file, &needed))
    return std::move(error);
  return file;
}

llvm::Expected<EngineImage> engineImage() {
  auto libraries = loadedLibraries();
  if (!libraries)
    return libraries.takeError();
  addRestOfRuntime(*libraries);
  EngineImage image{.id = engineId(), .machine = machineName()};
  NeededVersions needed;
  auto program = describeProgram(needed);
  if (!program)
    return program.takeError();
  image.files.push_back(std::move(*program));
  std::string loader;
  for (const LoadedLibrary &library : *libraries) {
    const bool isOfRuntime = isRuntime(library.name),
               isLoader = isOfRuntime && llvm::StringRef(library.name).starts_with("ld");
    EngineFile file{
        .place = (isOfRuntime ? "runtime/" : "lib/") + library.name, .source = library.path, .isProgram = isLoader};
    if (isLoader)
      loader = library.name;
    if (llvm::Error error = describe(file, isOfRuntime ? nullptr : &needed))
      return std::move(error);
    image.files.push_back(std::move(file));
  }
  if (loader.empty())
    return fail("this engine cannot be packed: its dynamic loader is not among its libraries");
  EngineFile launcher{
      .place = "bin/fuselage", .source = "", .content = launcherScript(needed, loader), .isProgram = true};
  if (llvm::Error error = describe(launcher, nullptr))
    return std::move(error);
  image.files.push_back(std::move(launcher));
  image.glibc = versionText(needed.glibc);
  llvm::sort(image.files, [](const EngineFile &a, const EngineFile &b) { return a.place < b.place; });
  return image;
}

llvm::Error readEngineFile(const EngineFile &file, uint64_t offset,
                           llvm::function_ref<llvm::Error(llvm::StringRef)> take) {
  constexpr size_t piece = size_t(1) << 20;
  if (file.source.empty())
    return take(llvm::StringRef(file.content).drop_front(offset));
  auto opened = llvm::sys::fs::openNativeFileForRead(file.source);
  if (!opened)
    return fail("cannot read '" + file.source + "': " + llvm::toString(opened.takeError()));
  llvm::Error result = llvm::Error::success();
  std::vector<char> buffer(piece);
  while (!result && offset < file.size) {
    auto count = llvm::sys::fs::readNativeFileSlice(*opened, llvm::MutableArrayRef(buffer), offset);
    if (!count)
      result = count.takeError();
    else if (*count == 0)
      result = fail("'" + file.source + "' became shorter while it was read; try again");
    else
      result = take(llvm::StringRef(buffer.data(), std::min<uint64_t>(*count, file.size - offset)));
    offset += count ? *count : 0;
  }
  llvm::sys::fs::closeFile(*opened);
  return result;
}

} // namespace fuselage
