#include "core/kernels/ForeignTools.h"
#include "core/device/CudaToolkit.h"
#include "core/support/process/HelperProcess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace fuselage {
namespace {

constexpr double mostSeconds = 60; // of a tool

/// A file of our own, gone with this.
class TemporaryFile {
public:
  ~TemporaryFile() {
    if (!path_.empty())
      llvm::sys::fs::remove(path_);
  }
  llvm::Error write(StringRef suffix, StringRef content) {
    int file = -1;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile("fuselage-kernel", suffix, file, path_))
      return fail("cannot make a temporary file: " + error.message());
    llvm::raw_fd_ostream stream(file, /*shouldClose=*/true);
    stream << content;
    stream.close();
    if (!stream.has_error())
      return llvm::Error::success();
    std::string why = stream.error().message();
    stream.clear_error();
    return fail("cannot write '" + path() + "': " + why);
  }
  llvm::Expected<std::string> read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path_);
    if (!buffer)
      return fail("cannot read '" + path() + "': " + buffer.getError().message());
    return (*buffer)->getBuffer().str();
  }
  std::string path() const { return std::string(path_); }

private:
  llvm::SmallString<128> path_;
};

} // namespace

std::string findTool(StringRef name) {
  auto found = llvm::sys::findProgramByName(name);
  return found ? *found : "";
}

std::string findCudaTool(StringRef name) {
  if (std::string toolkit = findCudaToolkit(); !toolkit.empty()) {
    std::string path = toolkit + "/bin/" + name.str();
    if (llvm::sys::fs::can_execute(path))
      return path;
  }
  return findTool(name);
}

llvm::Expected<std::string> disassembleSpirv(StringRef tool, StringRef binary, const std::atomic<bool> *cancelled) {
  return runFilter(tool, {"--no-color", "-"}, binary, cancelled, mostSeconds, "");
}

llvm::Expected<std::string> crossToGlsl(StringRef tool, StringRef binary, const std::atomic<bool> *cancelled) {
  TemporaryFile file;
  if (llvm::Error error = file.write("spv", binary))
    return error;
  return runFilter(tool, {"--vulkan-semantics", "--version", "450", file.path()}, "", cancelled, mostSeconds, "");
}

llvm::Expected<Assembled> assemblePtx(StringRef ptxas, StringRef ptx, StringRef chip, bool withLines,
                                      const std::atomic<bool> *cancelled) {
  TemporaryFile text, cubin;
  if (llvm::Error error = text.write("ptx", ptx))
    return error;
  if (llvm::Error error = cubin.write("cubin", ""))
    return error;
  std::vector<std::string> arguments = {"-v", "-arch=" + chip.str(), text.path(), "-o", cubin.path()};
  if (withLines)
    arguments.push_back("-lineinfo");
  Assembled assembled;
  std::string messages;
  auto said = runFilter(ptxas, arguments, "", cancelled, mostSeconds, "", &messages);
  if (!said)
    return said.takeError();
  auto bytes = cubin.read();
  if (!bytes)
    return bytes.takeError();
  assembled.said = *said + messages;
  assembled.cubin = std::move(*bytes);
  return assembled;
}

llvm::Expected<std::string> disassembleCubin(StringRef tool, StringRef cubin, const std::atomic<bool> *cancelled) {
  TemporaryFile file;
  if (llvm::Error error = file.write("cubin", cubin))
    return error;
  bool isCuobjdump = llvm::sys::path::filename(tool).contains("cuobjdump");
  std::vector<std::string> arguments =
      isCuobjdump ? std::vector<std::string>{"-sass", file.path()} : std::vector<std::string>{"-c", "-g", file.path()};
  return runFilter(tool, arguments, "", cancelled, mostSeconds, "");
}

} // namespace fuselage
