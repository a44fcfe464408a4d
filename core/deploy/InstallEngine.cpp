#include "core/deploy/InstallEngine.h"
#include "core/deploy/FarScripts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

namespace fuselage {
namespace {

/// `bytes` as a whole stream of gzip: several of them, one after the other, are the bytes of all.
std::string gzipped(llvm::StringRef bytes) {
  const auto data = llvm::arrayRefFromStringRef(bytes);
  llvm::SmallVector<uint8_t, 0> packed;
  // More effort makes it a tenth smaller, and takes longer than most links.
  llvm::compression::zlib::compress(data, packed, llvm::compression::zlib::BestSpeedCompression);
  constexpr size_t header = 2, checksum = 4; // of zlib's own format, around the same stream
  std::string result("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  result.append(packed.begin() + header, packed.end() - checksum);
  char tail[8];
  llvm::support::endian::write32le(tail, llvm::crc32(data));
  llvm::support::endian::write32le(tail + 4, uint32_t(bytes.size()));
  return result.append(tail, sizeof tail);
}

/// The files that are missing there, as one stream of bytes.
class Blob {
public:
  explicit Blob(std::vector<const EngineFile *> files) : files_(std::move(files)) {}

  uint64_t size() const {
    uint64_t total = 0;
    for (const EngineFile *file : files_)
      total += file->size;
    return total;
  }

  /// The bytes from `offset` on, at most a piece; empty at the end.
  llvm::Expected<std::string> read(uint64_t offset) const {
    constexpr size_t piece = size_t(1) << 20;
    for (const EngineFile *file : files_) {
      if (offset >= file->size) {
        offset -= file->size;
        continue;
      }
      std::string bytes;
      llvm::Error error = readEngineFile(*file, offset, [&](llvm::StringRef part) {
        bytes = part.take_front(piece).str();
        return fail(""); // one part is enough
      });
      if (bytes.empty())
        return std::move(error);
      llvm::consumeError(std::move(error));
      return bytes;
    }
    return std::string();
  }

private:
  std::vector<const EngineFile *> files_;
};

/// What the other side says that it lacks.
struct Wanted {
  std::vector<const EngineFile *> files;
  uint64_t present = 0; ///< bytes of the blob
};

llvm::Expected<Wanted> askWanted(const FarShell &shell, const EngineImage &image) {
  auto end = shell.run(wantScript(), {image.id}, image.manifest());
  if (!end)
    return end.takeError();
  if (end->exitCode != 0)
    return farError(shell, *end);
  Wanted wanted;
  llvm::StringSet<> hashes;
  bool isComplete = false;
  for (llvm::StringRef rest = end->output; !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.consume_front("want "))
      hashes.insert(line.trim());
    else if (line.consume_front("blob "))
      isComplete = !line.trim().getAsInteger(10, wanted.present);
  }
  if (!isComplete)
    return farError(shell, *end);
  for (const EngineFile &file : image.files)
    if (hashes.contains(file.sha256))
      wanted.files.push_back(&file);
  return wanted;
}

llvm::Error sendBlob(const FarShell &shell, const EngineImage &image, const Wanted &wanted, InstallResult &result,
                     llvm::function_ref<void(CopyProgress)> progress) {
  const Blob blob(wanted.files);
  uint64_t at = wanted.present;
  auto end = shell.run(sendScript(), {image.id, llvm::utostr(wanted.present)},
                       [&]() -> llvm::Expected<std::optional<std::string>> {
                         progress({.sent = at, .total = blob.size()});
                         auto bytes = blob.read(at);
                         if (!bytes)
                           return bytes.takeError();
                         if (bytes->empty())
                           return std::nullopt;
                         at += bytes->size();
                         result.sent += bytes->size();
                         std::string packed = gzipped(*bytes);
                         result.transferred += packed.size();
                         return packed;
                       });
  if (!end)
    return end.takeError();
  return end->exitCode == 0 ? llvm::Error::success() : farError(shell, *end);
}

llvm::Error finish(const FarShell &shell, const EngineImage &image, InstallResult &result) {
  auto end = shell.run(finishScript(), {image.id});
  if (!end)
    return end.takeError();
  std::vector<std::string> wrong;
  for (llvm::StringRef rest = end->output; !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.consume_front("wrong "))
      wrong.push_back(line.str());
    else if (line.consume_front("version "))
      result.version = line.str();
  }
  if (!wrong.empty())
    return fail(
        "on the other side of '" + shell.command() + "', the SHA-256 of " + llvm::join(wrong, ", ") +
        " is not that of the file here; it was removed there, and nothing was installed. Try again: only that is sent");
  return end->exitCode == 0 ? llvm::Error::success() : farError(shell, *end);
}

} // namespace

llvm::Expected<InstallResult> installEngine(const FarShell &shell, llvm::function_ref<void(CopyProgress)> progress) {
  auto state = checkFar(shell);
  if (!state)
    return state.takeError();
  InstallResult result;
  if (state->hasEngine()) {
    result.wasThere = true;
    result.version = state->version;
    return result;
  }
  if (std::string why = whyNotInstallable(*state, /*neededBytes=*/0); !why.empty())
    return fail("cannot install the engine on the other side of '" + shell.command() + "': " + why);
  auto image = engineImage();
  if (!image)
    return image.takeError();
  auto wanted = askWanted(shell, *image);
  if (!wanted)
    return wanted.takeError();
  // What is sent is there twice until it is cut into files.
  const uint64_t needed = 2 * Blob(wanted->files).size() - wanted->present;
  if (std::string why = whyNotInstallable(*state, needed); !why.empty())
    return fail("cannot install the engine on the other side of '" + shell.command() + "': " + why);
  if (wanted->present < Blob(wanted->files).size())
    if (llvm::Error error = sendBlob(shell, *image, *wanted, result, progress))
      return std::move(error);
  if (llvm::Error error = finish(shell, *image, result))
    return std::move(error);
  return result;
}

} // namespace fuselage
