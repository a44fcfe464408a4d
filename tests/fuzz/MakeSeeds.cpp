// fuzz-seeds OUT FILE...: the bytecode of every text that opens, as OUT/<name>.mlirbc.
#include "tests/fuzz/Exercise.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc < 3) {
    llvm::errs() << "usage: fuzz-seeds OUT FILE...\n";
    return 2;
  }
  for (int i = 2; i < argc; ++i) {
    auto text = llvm::MemoryBuffer::getFile(argv[i]);
    std::string bytes = text ? fuselage::fuzz::toBytecode((*text)->getBuffer()) : "";
    if (bytes.empty())
      continue;
    std::error_code error;
    llvm::raw_fd_ostream out((llvm::Twine(argv[1]) + "/" + llvm::sys::path::stem(argv[i]) + ".mlirbc").str(), error);
    if (error) {
      llvm::errs() << "fuzz-seeds: cannot write into " << argv[1] << ": " << error.message() << '\n';
      return 1;
    }
    out << bytes;
  }
  return 0;
}
