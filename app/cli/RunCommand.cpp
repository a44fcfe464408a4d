#include "app/cli/Commands.h"
#include "app/cli/Input.h"
#include "core/runtime/Run.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <csignal>

namespace fuselage::cli {

namespace {
std::atomic<bool> interrupted = false;

/// "12x4x1".
std::string extents(const std::array<uint32_t, 3> &size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

/// A figure with one digit, or a dash where it is unknown.
std::string figure(double value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (value < 0)
    os << "-";
  else
    os << llvm::format("%.1f", value);
  return text;
}
} // namespace

/// A line a launch, a line a result of the function, and the verdict.
static std::string runTable(const RunReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << report.function << " on " << report.device << "\n\n";
  os << llvm::format("%-40s %-12s %-11s %7s %10s %10s %10s %9s %8s %10s %10s\n", "dispatch", "grid", "block", "shared",
                     "min us", "median us", "p95 us", "GFLOP/s", "GB/s", "abs error", "rel error");
  for (const KernelReport &kernel : report.kernels)
    os << llvm::format("%-40s %-12s %-11s %7llu %10.1f %10.1f %10.1f %9s %8s %10.2e %10.2e%s\n", kernel.dispatch.c_str(),
                       extents(kernel.grid).c_str(), extents(kernel.block).c_str(),
                       static_cast<unsigned long long>(kernel.sharedBytes), kernel.minUs, kernel.medianUs, kernel.p95Us,
                       figure(kernel.gflops).c_str(), ((kernel.gbpsAtMost ? "<=" : "") + figure(kernel.gbps)).c_str(), kernel.maxAbsError,
                       kernel.maxRelError, kernel.ok ? "" : "  WRONG");
  os << '\n';
  for (auto [index, output] : llvm::enumerate(report.outputs))
    os << llvm::format("result %zu %-30s max abs error %.2e  max rel error %.2e  %s\n", index, output.type.c_str(),
                       output.maxAbsError, output.maxRelError, output.ok ? "ok" : "WRONG");
  return text;
}

/// Progress on a terminal's stderr, overwritten in place.
static void showProgress(unsigned done, unsigned total, llvm::StringRef what) {
  llvm::errs() << "\r\033[K[" << done << "/" << total << "] " << what << (done == total ? "\r\033[K" : "");
}

int runCommand(Arguments arguments) {
  std::string format = "text", output = "-";
  uint64_t repeat = 20, warmup = 3;
  RunOptions run;
  Options options("run", "FILE",
                  "Compiles each dispatch, launches it on a device, times it by the device's timestamps, and\n"
                  "checks it against the unfused program on the host, on the same random inputs. Exit code 1\n"
                  "also means that a result was wrong.");
  options.text("device", "D", "host, vulkan:N or cuda:N, see 'fuselage devices' (default: host)", run.device);
  options.number("repeat", "timed launches of each kernel (default: 20)", repeat, 1, 1000000);
  options.number("warmup", "launches before those (default: 3)", warmup, 0, 1000000);
  options.number("seed", "of the random inputs (default: 1)", run.seed, 0, UINT64_MAX);
  options.text("function", "NAME", "which function (default: the first public one)", run.function);
  options.sizes("the size of a dynamic dimension; may be repeated", run.sizes);
  options.choice("format", {"text", "json"}, "(default: text)", format);
  options.text("output", "OUT", "where to write; - is stdout (default)", output, 'o');
  options.example("fuselage run samples/softmax.mlir --device vulkan:0");
  options.example("fuselage run samples/dynamic_matmul.mlir --size arg0.0=200 --format json");
  if (auto code = options.parse(arguments))
    return *code;
  run.repeat = repeat;
  run.warmup = warmup;
  run.cancelled = &interrupted;
  if (llvm::sys::Process::StandardErrIsDisplayed())
    run.progress = showProgress;
  std::signal(SIGINT, [](int) { interrupted = true; });

  registerAllPasses();
  Session session;
  int exitCode = ExitOk;
  auto module = openModule(session, options.positional(), exitCode);
  if (!module)
    return reportFailure(module.takeError());
  auto report = runModule(session, *module->module, run);
  if (!report)
    return reportFailure(report.takeError());
  for (const Diagnostic &remark : report->remarks)
    llvm::errs() << formatDiagnostic(remark) << '\n';
  std::string text = format == "text" ? runTable(*report) : llvm::formatv("{0:2}\n", toJSON(*report)).str();
  if (llvm::Error error = writeOutputFile(output, text))
    return reportFailure(std::move(error));
  return report->ok ? exitCode : ExitInputError;
}

} // namespace fuselage::cli
