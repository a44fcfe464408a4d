#include "app/cli/Input.h"
#include "core/stepping/DumpTimeline.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

bool printDiagnostics(llvm::ArrayRef<Diagnostic> diagnostics) {
  constexpr size_t maxPrinted = 200; // nobody reads more, and a damaged file can have 100,000
  for (const Diagnostic &diagnostic : diagnostics.take_front(maxPrinted))
    llvm::errs() << formatWithCaret(diagnostic) << '\n';
  if (diagnostics.size() > maxPrinted)
    llvm::errs() << "fuselage: " << diagnostics.size() - maxPrinted << " more diagnostics are not shown\n";
  return llvm::any_of(diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity == Diagnostic::Severity::Error;
  });
}

/// Standard input can be read only once: what it is, is told from its text.
static llvm::Expected<Input> openStandardInput(Session &session) {
  auto buffer = llvm::MemoryBuffer::getSTDIN();
  if (!buffer)
    return fail("cannot read '<stdin>': " + buffer.getError().message());
  Input input;
  if (isDumpLog((*buffer)->getBuffer())) {
    auto log = DumpLog::index(std::move(*buffer));
    if (!log)
      return log.takeError();
    input.log = readTimeline(session, std::move(*log));
    return input;
  }
  auto module = session.readText((*buffer)->getBuffer(), "<stdin>");
  if (!module)
    return module.takeError();
  input.module = std::move(*module);
  return input;
}

/// A file or a directory.
static llvm::Expected<Input> openPath(Session &session, llvm::StringRef path) {
  Input input;
  if (DumpLog::isDump(path)) {
    auto log = openTimeline(session, path);
    if (!log)
      return log.takeError();
    input.log = std::move(*log);
    return input;
  }
  auto module = session.read(path);
  if (!module)
    return module.takeError();
  input.module = std::move(*module);
  return input;
}

llvm::Expected<Input> openInput(Session &session, llvm::StringRef path, int &exitCode) {
  auto input = path == "-" ? openStandardInput(session) : openPath(session, path);
  if (input && printDiagnostics(input->module.diagnostics))
    exitCode = ExitInputError;
  return input;
}

llvm::Expected<ReadResult> openModule(Session &session, llvm::StringRef path, int &exitCode) {
  auto input = openInput(session, path, exitCode);
  if (!input)
    return input.takeError();
  if (input->log)
    return fail("'" + path.str() + "' is a log of passes, not a module; 'fuselage step' shows it, and "
                                   "'fuselage step --at N' prints the module of a step");
  return std::move(input->module);
}

} // namespace fuselage::cli
