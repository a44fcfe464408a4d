#include "core/runtime/run/Run.h"
#include "core/support/JsonNumber.h"

namespace fuselage {

static llvm::json::Array toJSON(const std::array<uint32_t, 3> &sizes) {
  return llvm::json::Array{sizes[0], sizes[1], sizes[2]};
}

/// The members that say how far a result is from its reference.
static void addCheck(llvm::json::Object &object, const Comparison &check) {
  object["max_abs_error"] = jsonNumber(check.maxAbsError);
  object["max_rel_error"] = jsonNumber(check.maxRelError);
  object["tolerance"] = llvm::json::Object{{"absolute", jsonNumber(check.tolerance.absolute)},
                                           {"relative", jsonNumber(check.tolerance.relative)}};
  object["elements"] = check.elements;
  object["nonfinite"] = llvm::json::Object{{"actual", check.nonfinite.actual},
                                           {"expected", check.nonfinite.expected},
                                           {"differ", check.nonfinite.differ}};
  object["verdict"] = checkVerdictName(check.verdict);
  object["ok"] = check.ok();
  object["why"] = check.why;
}

static llvm::json::Value toJSON(const KernelReport &kernel) {
  bool isHost = kernel.kind == KernelReport::Kind::Host;
  llvm::json::Object object{{"kind", isHost ? "host" : "dispatch"},
                            {"dispatch", llvm::json::fixUTF8(kernel.dispatch)},
                            {"dispatch_index", kernel.dispatchIndex},
                            {"loc", llvm::json::fixUTF8(kernel.loc)},
                            {"device", kernel.device},
                            {"min_us", jsonNumber(kernel.minUs)},
                            {"median_us", jsonNumber(kernel.medianUs)},
                            {"p95_us", jsonNumber(kernel.p95Us)},
                            {"launches", kernel.launches},
                            {"clock", kernel.clock == Clock::Device ? "device" : "host"},
                            {"cold", kernel.cold}};
  if (isHost)
    return object;
  object["kernel"] = llvm::json::fixUTF8(kernel.kernel);
  object["grid"] = toJSON(kernel.grid);
  object["block"] = toJSON(kernel.block);
  object["shared_bytes"] = kernel.sharedBytes;
  object["gflops"] = jsonNumber(kernel.gflops);
  object["gbps"] = jsonNumber(kernel.gbps);
  object["gbps_at_most"] = kernel.gbpsAtMost;
  addCheck(object, kernel.check);
  return object;
}

static llvm::json::Array numbersJson(llvm::ArrayRef<double> numbers) {
  llvm::json::Array array;
  for (double number : numbers)
    array.push_back(jsonNumber(number));
  return array;
}

static llvm::json::Value toJSON(const HeatMap &heat) {
  return llvm::json::Object{{"slice", llvm::json::Array(heat.slice)},
                            {"row_dim", heat.rowDim},
                            {"column_dim", heat.columnDim},
                            {"rows", heat.rows},
                            {"columns", heat.columns},
                            {"row_extent", heat.rowExtent},
                            {"column_extent", heat.columnExtent},
                            {"row_step", heat.rowStep},
                            {"column_step", heat.columnStep},
                            {"values", numbersJson(heat.values)},
                            {"errors", numbersJson(heat.errors)}};
}

static llvm::json::Value toJSON(const OutputReport &output) {
  llvm::json::Object object{{"type", output.type}};
  addCheck(object, output.check);
  const ResultView &view = output.view;
  object["statistics"] = nullptr;
  if (view.statistics)
    object["statistics"] = llvm::json::Object{{"min", jsonNumber(view.statistics->min)},
                                              {"max", jsonNumber(view.statistics->max)},
                                              {"mean", jsonNumber(view.statistics->mean)}};
  object["values"] = llvm::json::Array(view.values);
  object["worst"] = nullptr;
  if (view.hasWorst)
    object["worst"] = llvm::json::Object{{"index", llvm::json::Array(view.worstIndex)},
                                         {"actual", view.worstActual},
                                         {"expected", view.worstExpected}};
  object["heat"] = view.heat ? toJSON(*view.heat) : llvm::json::Value(nullptr);
  return object;
}

/// "device", "host" or "mixed".
static const char *clockName(const RunReport &report) {
  auto isDevice = [](const KernelReport &kernel) { return kernel.clock == Clock::Device; };
  if (!report.kernels.empty() && llvm::all_of(report.kernels, isDevice))
    return "device";
  return llvm::any_of(report.kernels, isDevice) ? "mixed" : "host";
}

llvm::json::Value toJSON(const RunReport &report) {
  llvm::json::Array inputs, kernels, outputs, remarks;
  for (const InputReport &input : report.inputs)
    inputs.push_back(llvm::json::Object{{"name", input.name},
                                        {"type", input.type},
                                        {"source", llvm::json::fixUTF8(input.source)},
                                        {"note", input.note}});
  for (const KernelReport &kernel : report.kernels)
    kernels.push_back(toJSON(kernel));
  for (const OutputReport &output : report.outputs)
    outputs.push_back(toJSON(output));
  for (const Diagnostic &remark : report.remarks)
    remarks.push_back(toJSON(remark));
  return llvm::json::Object{{"version", 1},
                            {"device", report.device},
                            {"function", llvm::json::fixUTF8(report.function)},
                            {"verdict", checkVerdictName(report.verdict)},
                            {"ok", report.ok()},
                            {"why", llvm::json::fixUTF8(report.why)},
                            {"sum_us", jsonNumber(report.sumUs())},
                            {"wall_us", report.wallUs < 0 ? llvm::json::Value(nullptr) : jsonNumber(report.wallUs)},
                            {"clock", clockName(report)},
                            {"timing_note", report.timingNote()},
                            {"inputs", std::move(inputs)},
                            {"kernels", std::move(kernels)},
                            {"outputs", std::move(outputs)},
                            {"remarks", std::move(remarks)}};
}

} // namespace fuselage
