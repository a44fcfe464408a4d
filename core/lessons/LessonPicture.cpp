#include "core/lessons/LessonPicture.h"
#include "core/support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>

namespace fuselage {

bool staysInFolder(llvm::StringRef name) {
  return !name.empty() && !name.starts_with("/") && !name.contains(':') && !name.contains('\\') &&
         !llvm::is_contained(llvm::split(name, '/'), "..");
}

static llvm::StringRef typeOf(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(llvm::sys::path::extension(name))
      .Case(".svg", "image/svg+xml")
      .Case(".png", "image/png")
      .Cases({".jpg", ".jpeg"}, "image/jpeg")
      .Default("");
}

namespace {
struct Pixels {
  unsigned width = 0, height = 0; ///< 0: it is no such picture
};
} // namespace

/// The header comes first.
static Pixels sizeOfPng(llvm::StringRef bytes) {
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n") || bytes.size() < 24)
    return {};
  return {llvm::support::endian::read32be(bytes.data() + 16), llvm::support::endian::read32be(bytes.data() + 20)};
}

/// From segment to segment, up to the first that begins a frame.
static Pixels sizeOfJpeg(llvm::StringRef bytes) {
  if (!bytes.starts_with("\xff\xd8"))
    return {};
  for (size_t at = 2; at + 9 < bytes.size();) {
    const auto marker = static_cast<uint8_t>(bytes[at + 1]);
    if (static_cast<uint8_t>(bytes[at]) != 0xff)
      return {};
    const bool beginsFrame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (beginsFrame)
      return {llvm::support::endian::read16be(bytes.data() + at + 7),
              llvm::support::endian::read16be(bytes.data() + at + 5)};
    at += 2 + llvm::support::endian::read16be(bytes.data() + at + 2);
  }
  return {};
}

/// As text, and not compressed: what it unpacks to has no limit.
static bool isSvg(llvm::StringRef bytes) {
  constexpr size_t prolog = 4096;
  return bytes.take_front(prolog).contains("<svg");
}

/// By links, or entities, which may hide links: whoever draws it would read what it names.
static bool refersToFiles(llvm::StringRef svg) {
  for (size_t at = svg.find("href"); at != llvm::StringRef::npos; at = svg.find("href", at + 1)) {
    llvm::StringRef value = svg.substr(at + llvm::StringRef("href").size()).ltrim();
    if (!value.consume_front("="))
      continue;
    value = value.ltrim();
    if (!value.consume_front("\"") && !value.consume_front("'"))
      return true;
    if (!value.starts_with("#") && !value.starts_with("data:"))
      return true;
  }
  return svg.contains("<!ENTITY");
}

static llvm::Error checkBytes(llvm::StringRef type, llvm::StringRef bytes) {
  if (type == "image/svg+xml") {
    if (!isSvg(bytes))
      return fail("is no SVG");
    return refersToFiles(bytes) ? fail("refers to other files") : llvm::Error::success();
  }
  const Pixels size = type == "image/png" ? sizeOfPng(bytes) : sizeOfJpeg(bytes);
  if (size.width == 0 || size.height == 0)
    return fail(type == "image/png" ? "is no PNG" : "is no JPEG");
  if (std::max(size.width, size.height) > LessonPictureLimits::mostPixels)
    return fail("is wider or higher than " + std::to_string(LessonPictureLimits::mostPixels) + " pixels");
  return llvm::Error::success();
}

llvm::Expected<LessonPicture> readLessonPicture(const Lesson &lesson, llvm::StringRef name) {
  namespace fs = llvm::sys::fs;
  const auto failed = [&](const llvm::Twine &why) { return fail("the picture '" + name.str() + "' " + why.str()); };
  LessonPicture picture{.type = typeOf(name), .bytes = {}};
  if (!staysInFolder(name))
    return failed("is not in the folder of the lesson");
  if (picture.type.empty())
    return failed("ends in neither .svg, .png nor .jpg");
  llvm::SmallString<256> path(lesson.folder), folder, file;
  llvm::sys::path::append(path, name);
  if (!fs::is_regular_file(path))
    return failed("does not exist");
  if (fs::real_path(lesson.folder, folder) || fs::real_path(path, file) ||
      !llvm::StringRef(file).starts_with((folder + "/").str()))
    return failed("is a link out of the folder of the lesson");
  uint64_t size = 0;
  if (std::error_code error = fs::file_size(file, size))
    return failed("cannot be read: " + error.message());
  if (size > LessonPictureLimits::mostBytes)
    return failed("has more than " + llvm::Twine(LessonPictureLimits::mostBytes >> 20) + " MiB");
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return failed("cannot be read: " + buffer.getError().message());
  picture.bytes = (*buffer)->getBuffer().str();
  if (llvm::Error error = checkBytes(picture.type, picture.bytes))
    return failed(takeFailure(std::move(error)).message);
  return picture;
}

} // namespace fuselage
