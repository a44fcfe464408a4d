#include "core/support/OutputFile.h"
#include "core/support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

llvm::Error writeOutputFile(llvm::StringRef path, llvm::StringRef content) {
  auto problem = [&](const std::string &why) {
    return fail(llvm::formatv("cannot write '{0}': {1}", path, why));
  };
  if (path == "-") {
    llvm::outs() << content;
    llvm::outs().flush();
    if (llvm::outs().has_error()) {
      std::string why = llvm::outs().error().message();
      llvm::outs().clear_error();
      return fail("cannot write to the standard output: " + why);
    }
    return llvm::Error::success();
  }
  // A device or a pipe cannot be renamed over.
  llvm::sys::fs::file_status status;
  bool plain = llvm::sys::fs::status(path, status) ||
               status.type() == llvm::sys::fs::file_type::regular_file;
  if (status.type() == llvm::sys::fs::file_type::directory_file)
    return problem("it is a folder");
  llvm::SmallString<256> temporary(path);
  int descriptor;
  std::error_code error =
      plain ? llvm::sys::fs::createUniqueFile(path + ".%%%%%%%%", descriptor, temporary,
                                              llvm::sys::fs::OF_None, 0666)
            : llvm::sys::fs::openFileForWrite(path, descriptor, llvm::sys::fs::CD_OpenExisting);
  if (error)
    return problem(error.message());
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << content;
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (!error && plain)
    error = llvm::sys::fs::rename(temporary, path);
  if (!error)
    return llvm::Error::success();
  if (plain)
    llvm::sys::fs::remove(temporary);
  return problem(error.message());
}

} // namespace fuselage
