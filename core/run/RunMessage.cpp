#include "core/pictures/RunGroups.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/run/Run.h"

namespace fuselage {

message::Kernel<> messageOf(const KernelReport &kernel) {
  message::Kernel<> message;
  message.onHost = kernel.kind == KernelReport::Kind::Host;
  message.dispatch = kernel.dispatch;
  message.dispatchIndex = kernel.dispatchIndex;
  message.loc = kernel.loc;
  message.device = kernel.device;
  message.minUs = kernel.minUs;
  message.medianUs = kernel.medianUs;
  message.p95Us = kernel.p95Us;
  message.launches = kernel.launches;
  message.calls = kernel.calls;
  message.clock = kernel.clock == Clock::Device ? "device" : "host";
  message.cold = kernel.cold;
  message.name = kernel.kernel;
  message.grid.assign(kernel.grid.begin(), kernel.grid.end());
  message.block.assign(kernel.block.begin(), kernel.block.end());
  message.sharedBytes = int64_t(kernel.sharedBytes);
  message.gflops = kernel.gflops;
  message.gbps = kernel.gbps;
  message.gbpsAtMost = kernel.gbpsAtMost;
  message.once = kernel.once;
  message.tuned = kernel.isTuned;
  message.flops = kernel.flops;
  message.bytes = kernel.bytes;
  message.arithmetic = kernel.arithmetic;
  message.limit = kernel.limit;
  message.baselines = kernel.baselines;
  message.samples = kernel.samples;
  message.parts = kernel.parts;
  message.layer = kernel.layer;
  addCheck(message, kernel.check);
  return message;
}

static message::Output<> messageOf(const OutputReport &output) {
  message::Output<> message;
  message.type = output.type;
  addCheck(message, output.check);
  if (output.view.statistics)
    message.statistics = *output.view.statistics;
  message.values = output.view.values;
  message.worst = output.view.worst;
  message.heat = output.view.heat;
  return message;
}

/// By where the ops of a dispatch come from: the layer of the last of them; empty: it is not known.
static std::string layerOfParts(const KernelReport &row, const std::map<std::string, std::string> &ofPlaces) {
  for (const std::string &part : llvm::reverse(row.parts))
    if (auto found = ofPlaces.find(part); found != ofPlaces.end())
      return found->second;
  return "";
}

void nameLayers(RunReport &report, const RunLayers &names) {
  std::map<std::string, size_t> used; // by place: names that are taken
  std::string layer;
  for (KernelReport &row : report.kernels) {
    if (row.kind != KernelReport::Kind::Dispatch)
      continue;
    if (row.part == 0) { // the kernels of a dispatch follow each other
      auto found = names.ofDispatches.find(row.loc);
      size_t next = used[row.loc]++;
      bool isKnown = found != names.ofDispatches.end() && !row.loc.empty() && next < found->second.size();
      layer = isKnown ? found->second[next] : layerOfParts(row, names.ofPlaces);
    }
    row.layer = layer;
  }
  // What the passes of a run group otherwise than the graph does lies where its neighbours do, if they agree.
  auto hasLayer = [](const KernelReport &row) { return !row.layer.empty(); };
  auto row = llvm::find_if(report.kernels, hasLayer);
  while (row != report.kernels.end()) {
    auto next = std::find_if(row + 1, report.kernels.end(), hasLayer);
    if (next != report.kernels.end() && next->layer == row->layer)
      for (auto between = row + 1; between != next; ++between)
        between->layer = row->layer;
    row = next;
  }
}

/// "device", "host" or "mixed".
static const char *clockName(const RunReport &report) {
  auto isDevice = [](const KernelReport &kernel) { return kernel.clock == Clock::Device; };
  if (!report.kernels.empty() && llvm::all_of(report.kernels, isDevice))
    return "device";
  return llvm::any_of(report.kernels, isDevice) ? "mixed" : "host";
}

message::RunReport<> messageOf(const RunReport &report) {
  message::RunReport<> message{.device = report.device,
                               .function = report.function,
                               .verdict = report.verdict,
                               .why = report.why,
                               .sumUs = report.sumUs(),
                               .onceUs = report.onceUs(),
                               .wallUs = report.wallUs,
                               .clock = clockName(report),
                               .timingNote = report.timingNote(),
                               .shares = report.shares,
                               .clocks = report.clocks,
                               .peaks = report.peaks,
                               .inputs = report.inputs,
                               .kernels = {},
                               .groups = {},
                               .outputs = {},
                               .remarks = message::messagesOf(report.remarks),
                               .cancelled = report.cancelled};
  for (const KernelReport &kernel : report.kernels)
    message.kernels.push_back(messageOf(kernel));
  std::vector<RowForm> forms;
  for (const KernelReport &kernel : report.kernels)
    forms.push_back({.form = kernel.form, .part = kernel.part});
  listGroups(message, forms);
  for (const OutputReport &output : report.outputs)
    message.outputs.push_back(messageOf(output));
  return message;
}

} // namespace fuselage
