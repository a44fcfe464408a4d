#include "core/bisect/Fault.h"
#include "core/bisect/CrashPlace.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/module/Splits.h"
#include "core/support/TrialRun.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

namespace fuselage {
namespace {

/// What the copy tells, a line each: B if the module verifies and passes begin; S and the number of the pass that
/// begins; C and the place of a crash; P or V and the error of a pass that fails, or leaves what does not verify; O and
/// bytecode up to the end.
constexpr char kBegin = 'B', kStep = 'S', kPlace = 'C', kPassFails = 'P', kDoesNotVerify = 'V', kOutput = 'O';

/// A file in memory that both processes see, for what the copy prints.
class Printed {
public:
  Printed() : file_(memfd_create("fuselage-stderr", MFD_CLOEXEC)) {}
  ~Printed() {
    if (file_ >= 0)
      close(file_);
  }
  Printed(const Printed &) = delete;
  Printed &operator=(const Printed &) = delete;
  void take() const {
    if (file_ >= 0)
      dup2(file_, STDERR_FILENO);
  }
  /// What LLVM or an assertion said when it gave up.
  std::string lastWords() const {
    char text[16 << 10];
    const off_t size = file_ < 0 ? 0 : lseek(file_, 0, SEEK_END);
    const off_t begin = std::max<off_t>(0, size - off_t(sizeof text));
    const ssize_t count = size > 0 ? pread(file_, text, sizeof text, begin) : 0;
    llvm::StringRef rest(text, std::max<ssize_t>(0, count));
    std::string words;
    for (llvm::StringRef line : llvm::split(rest, '\n'))
      if (line.contains("LLVM ERROR") || line.contains("Assertion") || line.contains("UNREACHABLE"))
        words = line.trim().str();
    return words;
  }

private:
  int file_;
};

/// The first error, on one line.
std::string firstError(const std::vector<Diagnostic> &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::Error)
      return llvm::join(llvm::split(diagnostic.message, '\n'), " ");
  return "";
}

/// Ends this process after so much processor time, by SIGPROF. The kernel's limit knows only seconds.
void limitMilliseconds(unsigned milliseconds) {
  if (milliseconds == 0)
    return;
  itimerval timer{};
  timer.it_value = {.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

/// The life of the copy.
void runPassesHere(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes, bool wantsOutput, llvm::raw_ostream &out) {
  {
    DiagnosticCapture capture(*module.getContext());
    if (failed(mlir::verify(module)))
      return;
  }
  out << kBegin << "\n";
  for (auto [index, unit] : llvm::enumerate(passes)) {
    out << kStep << index << "\n";
    mlir::PassManager manager(module.getContext());
    llvm::consumeError(readPipeline(unit.pipeline, manager)); // it was read before
    manager.enableVerifier(false);
    DiagnosticCapture capture(*module.getContext());
    if (!llvm::all_of(splitModules(module), [&](mlir::ModuleOp split) { return succeeded(manager.run(split)); })) {
      out << kPassFails << firstError(capture.take()) << "\n";
      return;
    }
    capture.take();
    if (failed(mlir::verify(module))) {
      out << kDoesNotVerify << firstError(capture.take()) << "\n";
      return;
    }
  }
  out << kOutput;
  if (!wantsOutput)
    return;
  std::string bytes; // at once: the stream has no buffer
  llvm::raw_string_ostream os(bytes);
  if (succeeded(mlir::writeBytecodeToFile(module, os)))
    out << bytes;
}

/// What the copy told before its end.
PipelineEnd readTold(llvm::StringRef told, llvm::ArrayRef<PassUnit> passes) {
  PipelineEnd end;
  Fault &fault = end.fault;
  end.verifies = told.starts_with(llvm::StringRef(&kBegin, 1));
  while (!told.empty()) {
    if (told.consume_front(llvm::StringRef(&kOutput, 1))) {
      end.output = told.str();
      break;
    }
    auto [line, rest] = told.split('\n');
    told = rest;
    if (line.empty())
      continue;
    const char tag = line.front();
    line = line.drop_front();
    if (tag == kBegin) {
      continue;
    } else if (tag == kStep) {
      (void)line.getAsInteger(10, fault.step);
    } else if (tag == kPlace) {
      fault.place = line.str();
    } else {
      fault.kind = tag == kPassFails ? FaultKind::PassFails : FaultKind::DoesNotVerify;
      fault.message = line.str();
    }
  }
  if (fault.step < passes.size())
    fault.pass = passes[fault.step].pass;
  return end;
}

/// Of a copy that died: of what.
FaultKind kindOfDeath(const TrialResult &result) {
  llvm::StringRef death = *result.death;
  if (result.signal == SIGPROF)
    return FaultKind::Hang;
  if (!death.starts_with("takes more than"))
    return FaultKind::Crash;
  return death.ends_with("MiB") ? FaultKind::Memory : FaultKind::Hang;
}

/// Skips what stands in brackets that open at `text`, and the brackets; false: they do not close.
bool skipBrackets(llvm::StringRef &text) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<';
    const bool isArrow = text[i] == '>' && i > 0 && text[i - 1] == '-';
    if (text[i] == '>' && !isArrow && --depth == 0) {
      text = text.drop_front(i + 1);
      return true;
    }
  }
  return false;
}

} // namespace

std::string messageShape(llvm::StringRef message) {
  std::string shape;
  auto isNameChar = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  while (!message.empty()) {
    const char c = message.front();
    const bool startsWord = shape.empty() || !isNameChar(shape.back());
    if (c == '<' && skipBrackets(message)) {
      shape += "<>";
    } else if (llvm::isDigit(c)) {
      message = message.drop_while(llvm::isDigit);
      shape += '#';
    } else if (c == '%' || c == '@') {
      message = message.drop_front().drop_while(isNameChar);
      shape += c;
    } else if ((c == 'f' || c == 'i') && startsWord && message.size() > 1 && llvm::isDigit(message[1]) &&
               !message.drop_front().drop_while(llvm::isDigit).starts_with("_")) {
      message = message.drop_front().drop_while(llvm::isDigit); // f32, i64: a scalar type
      shape += "T";
    } else {
      shape += c;
      message = message.drop_front();
    }
  }
  return shape;
}

bool isSameFault(const Fault &left, const Fault &right) {
  return left.kind == right.kind && left.pass == right.pass && left.signal == right.signal &&
         left.place == right.place && messageShape(left.message) == messageShape(right.message);
}

std::string describe(const Fault &fault) {
  const std::string said = fault.message.empty() ? "" : ": " + fault.message;
  switch (fault.kind) {
  case FaultKind::None:
    return "all passes run to their end";
  case FaultKind::PassFails:
    return fault.pass + " fails" + said;
  case FaultKind::DoesNotVerify:
    return "the IR after " + fault.pass + " does not verify" + said;
  case FaultKind::Crash:
    if (fault.signal == 0)
      return fault.pass + " ends the process" + said;
    return fault.pass + " crashes with signal " + std::to_string(fault.signal) + " (" + strsignal(fault.signal) + ")" +
           said;
  case FaultKind::Hang:
    return fault.pass + " does not come to its end";
  case FaultKind::Memory:
    return fault.pass + " takes more memory than it may";
  }
  return "";
}

llvm::Expected<PipelineEnd> tryPasses(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes, const FaultLimits &limits,
                                      bool wantsOutput) {
  for (const PassUnit &unit : passes) {
    mlir::PassManager manager(module.getContext());
    if (llvm::Error error = readPipeline(unit.pipeline, manager))
      return std::move(error);
  }
  Printed printed;
  auto copy =
      runForked({.seconds = limits.seconds, .bytes = limits.bytes, .cancelled = limits.cancelled}, [&](int pipe) {
        printed.take();
        limitMilliseconds(limits.milliseconds);
        reportCrashPlace(pipe);
        llvm::raw_fd_ostream out(pipe, /*shouldClose=*/false);
        out.SetUnbuffered();
        runPassesHere(module, passes, wantsOutput, out);
      });
  if (!copy)
    return fail("the passes cannot be tried: the system gives no process for them");
  if (copy->death == "cancelled")
    return fail("it was cancelled");
  PipelineEnd end = readTold(copy->output, passes);
  if (!copy->death || !end.verifies)
    return end;
  end.fault.kind = kindOfDeath(*copy);
  end.output.clear();
  end.fault.message.clear();
  if (end.fault.kind == FaultKind::Crash) {
    end.fault.signal = copy->signal;
    end.fault.message = printed.lastWords();
  } else {
    end.fault.place.clear();
  }
  return end;
}

llvm::Expected<Fault> faultOf(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes, const FaultLimits &limits) {
  auto end = tryPasses(module, passes, limits);
  if (!end)
    return end.takeError();
  return end->fault;
}

} // namespace fuselage
