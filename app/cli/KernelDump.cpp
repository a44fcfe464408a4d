#include "app/cli/KernelDump.h"
#include "app/cli/Activity.h"
#include "core/kernels/KernelText.h"
#include "core/run/DispatchTuning.h"
#include "core/run/SingleDispatch.h"
#include "core/runtime/device/Device.h"
#include "core/support/OutputFile.h"
#include "core/support/ResultErrors.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <map>

using llvm::StringRef;

namespace fuselage::cli {

constexpr StringRef listName = "kernels.list",
                    listHead = "# what fuselage run --dump-kernels wrote here: checksum and name\n";

static std::string pathIn(StringRef folder, StringRef name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

static std::string checksum(StringRef content) { return llvm::formatv("{0:x-16}", llvm::xxh3_64bits(content)); }

/// Name -> checksum of what an earlier dump wrote. Failure: there is such a list that is none of ours.
static llvm::Expected<std::map<std::string, std::string>> readList(StringRef folder) {
  std::map<std::string, std::string> known;
  std::string path = pathIn(folder, listName);
  if (!llvm::sys::fs::exists(path))
    return known;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  StringRef text = buffer ? (*buffer)->getBuffer() : "";
  if (!text.consume_front(listHead))
    return fail("'" + path + "' is no list of ours; choose another folder for '--dump-kernels'");
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    auto [sum, name] = line.split(' ');
    known[name.str()] = sum.str();
    text = rest;
  }
  return known;
}

/// Whether a file is as a dump of ours left it, or not there.
static bool isOurs(const std::string &path, const std::string &sum) {
  if (!llvm::sys::fs::exists(path))
    return true;
  if (!llvm::sys::fs::is_regular_file(path))
    return false;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer && checksum((*buffer)->getBuffer()) == sum;
}

static llvm::Error write(StringRef folder, llvm::ArrayRef<KernelFile> files) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return fail("cannot make the folder " + folder.str() + ": " + error.message());
  auto known = readList(folder);
  if (!known)
    return known.takeError();
  for (const KernelFile &file : files)
    if (std::string path = pathIn(folder, file.name); !isOurs(path, (*known)[file.name]))
      return fail("'" + path + "' was not written by '--dump-kernels', or was changed since; nothing was written");
  for (const KernelFile &file : files) {
    if (llvm::Error error = writeOutputFile(pathIn(folder, file.name), file.content))
      return error;
    (*known)[file.name] = checksum(file.content);
  }
  std::string list = listHead.str();
  for (const auto &[name, sum] : *known)
    if (!sum.empty())
      list += sum + " " + name + "\n";
  return writeOutputFile(pathIn(folder, listName), list);
}

llvm::Error dumpKernels(mlir::ModuleOp module, const RunOptions &run, StringRef folder) {
  auto device = openDevice(run.device);
  if (!device)
    return device.takeError();
  KernelCodeOptions options;
  options.setTarget((*device)->targetOptions());
  const DeviceInfo &info = (*device)->info();
  options.tf32 = run.tf32;
  options.cancelled = run.cancelled;
  std::vector<Diagnostic> remarks; // runModule() says them
  auto program = formKernelProgram(module, run.function, run.sizes, remarks);
  if (!program)
    return program.takeError();
  std::vector<mlir::func::FuncOp> dispatches(program->dispatches.begin(), program->dispatches.end());
  if (!run.dispatch.empty()) {
    auto one = findDispatch(*program, run.dispatch);
    if (!one)
      return one.takeError();
    dispatches = {*one};
  }
  std::vector<KernelFile> files;
  for (mlir::func::FuncOp dispatch : dispatches) {
    setActivity("writing the code of @" + dispatch.getName().str());
    if (run.tuning)
      run.tuning->apply(dispatch, info);
    auto code = kernelCode(dispatch, options);
    if (code) {
      llvm::append_range(files, kernelFiles(*code));
      continue;
    }
    Failure failure = takeFailure(code.takeError());
    if (run.cancelled && run.cancelled->load())
      return fail("cancelled");
    llvm::errs() << "warning: there is no code of @" << dispatch.getName() << " for " << run.device << ": "
                 << failure.message << '\n';
  }
  return write(folder, files);
}

} // namespace fuselage::cli
