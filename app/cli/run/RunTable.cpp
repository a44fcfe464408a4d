#include "app/cli/run/RunTable.h"
#include "core/pictures/RunCsv.h"
#include "core/pictures/RunTable.h"
#include "core/protocol/json/JsonWriter.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>

namespace fuselage::cli {

/// The median of a baseline of this kind; negative: there is none.
static const message::Baseline<> *baselineOf(const KernelReport &row, llvm::StringRef kind) {
  for (const message::Baseline<> &baseline : row.baselines)
    if (baseline.kind == kind)
      return &baseline;
  return nullptr;
}

static std::string elementText(const Element &element) {
  llvm::json::Value value = message::encode(element);
  auto string = value.getAsString();
  return string ? string->str() : llvm::formatv("{0}", value).str();
}

/// Matmuls beside the library's: "0.84 of OpenBLAS 0.3.21, 2 threads".
static void printLibraries(llvm::raw_ostream &os, const RunReport &report) {
  bool isFirst = true;
  for (const KernelReport &row : report.kernels) {
    const message::Baseline<> *library = baselineOf(row, message::Baseline<>::libraryKind);
    if (!library || row.part != 0)
      continue;
    double us = 0;
    for (const KernelReport *each = &row; each != report.kernels.data() + report.kernels.size(); ++each) {
      if (each != &row && each->part == 0)
        break;
      us += each->medianUs;
    }
    os << (std::exchange(isFirst, false) ? "\n" : "") << "  " << row.dispatch
       << llvm::format(": %.2f of the speed of ", us > 0 ? library->us / us : 0.0) << library->name
       << llvm::format(", this run (%s: %.1f us)\n", library->what.c_str(), library->us);
  }
}

std::string formatRunReport(const RunReport &report, bool flat) {
  std::string libraries;
  llvm::raw_string_ostream os(libraries);
  printLibraries(os, report);
  return runTable(messageOf(report), {.libraries = libraries, .flat = flat});
}

/// The fewest digits that stand for a number of this type and for no other.
static std::string shortestText(double number, mlir::Type type) {
  char digits[64];
  auto floating = llvm::dyn_cast<mlir::FloatType>(type);
  bool isNarrow = floating && floating.getWidth() <= 32;
  auto end = isNarrow ? std::to_chars(digits, std::end(digits), static_cast<float>(number))
                      : std::to_chars(digits, std::end(digits), number);
  return std::string(digits, end.ptr);
}

/// An element to the digit.
static std::string elementText(const HostTensor &tensor, int64_t index) {
  if (llvm::isa<mlir::FloatType>(tensor.elementType()))
    return shortestText(tensor.floatAt(index), tensor.elementType());
  return elementText(elementOf(tensor, index));
}

std::string formatResultSummary(const RunReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [number, output] : llvm::enumerate(report.outputs)) {
    const ResultView &view = output.view;
    os << "\nresult " << number << ": " << output.type << '\n';
    if (view.statistics)
      os << "  min " << shortestText(view.statistics->min, output.value.elementType()) << ", mean "
         << llvm::format("%.6g", view.statistics->mean) << ", max "
         << shortestText(view.statistics->max, output.value.elementType()) << '\n';
    os << "  " << output.check.nonfinite.actual << " of " << output.check.elements << " are NaN or infinite\n  first:";
    constexpr int64_t most = 8;
    int64_t count = output.value.elementCount();
    for (int64_t i = 0; i < std::min(count, most); ++i)
      os << ' ' << elementText(output.value, i);
    os << (count > most ? " ..\n" : "\n");
  }
  return text;
}

std::string formatResults(const RunReport &report) {
  std::string text;
  for (auto [number, output] : llvm::enumerate(report.outputs))
    text += "\nresult " + std::to_string(number) + " " + output.type + "\n" + printTensor(output.value) + "\n";
  return text;
}

std::string formatRunCsv(const RunReport &report) {
  const message::RunReport<> message = messageOf(report);
  return message::runCsv<message::StdTypes>({{"run", &message}}, [](const std::string &text) { return text; });
}

} // namespace fuselage::cli
