#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "app/cli/ScheduleInput.h"
#include "app/cli/explain/AgainstBase.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/analysis/gate/OpIdentities.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/scene/JudgeEdges.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/registration/Registration.h"
#include "core/run/peaks/MemoryRate.h"
#include "core/stepping/record/FormingStep.h"
#include "core/support/OutputFile.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace fuselage::cli {

namespace {
struct ExplainArguments {
  std::string output = "-", format = "text", remarks, device, pipeline, side = "after";
  ScheduleInput schedule;
  FusionPolicy policy;
  std::optional<double> gbps;
  std::optional<unsigned> at;
  FusionTextOptions text;
  AgainstBase against;
  bool prove = false, noProofs = false;
};

/// What is explained: the module that was opened, or that of a step.
struct Subject {
  Input input;
  std::optional<Recording> recording; ///< of --pipeline or --schedule
  mlir::ModuleOp module;
  const Recording *steps = nullptr; ///< null: the file is a module, and nothing ran
  unsigned snapshot = 0;            ///< of the steps
  std::optional<unsigned> chosen{}; ///< of a log, where no step was named: the last with dispatches
};
} // namespace

static Options explainOptions(ExplainArguments &wanted) {
  Options options("explain", "FILE",
                  "Says for every value between two ops whether they are fused, and if not, why, what it costs, and "
                  "which transforms unlock the fusion; each of these was tried, and fuses the edge by itself. If the "
                  "module has no dispatches, ops are grouped by the policy. For a pass log, it explains the last dump "
                  "with dispatches or linalg ops, or the step selected by --at.");
  options.custom("policy", "POLICY",
                 "conservative (what IREE fused in early 2023), aggressive (default, as fuselage-form-dispatches) or "
                 "none; with changes in braces, as in conservative{multi-use=true}",
                 [&](llvm::StringRef value) {
                   llvm::Expected<FusionPolicy> parsed = parseFusionPolicy(value);
                   if (!parsed)
                     return takeFailure(parsed.takeError()).message;
                   wanted.policy = *parsed;
                   return std::string();
                 });
  options.choice("format", {"text", "json", "sarif", "junit"},
                 "a table of the separate edges that move bytes, the most expensive first, or everything as JSON; with "
                 "--against the comparison as text, JSON, SARIF 2.1.0 or JUnit's XML",
                 wanted.format);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.output, 'o');
  declareAgainst(options, wanted.against);
  options.text("remarks", "OUT", "also write MLIR remarks, as YAML", wanted.remarks);
  options.text("device", "D",
               "predict times from the measured memory bandwidth of this device: host, vulkan:N or cuda:N",
               wanted.device);
  auto bandwidth = [&](llvm::StringRef value) {
    double gbps = 0;
    if (value.getAsDouble(gbps) || !(gbps > 0) || !std::isfinite(gbps))
      return "takes a number above 0, not '" + value.str() + "'";
    wanted.gbps = gbps;
    return std::string();
  };
  options.custom("bandwidth", "GBPS", "predict times from this bandwidth in GB/s (default: 500, an assumption)",
                 bandwidth);
  options.custom("gbps", "GBPS", "the same as --bandwidth", bandwidth);
  options.text("pipeline", "P", "explain the result of a textual MLIR pipeline on FILE", wanted.pipeline);
  options.text("schedule", "S.mlir", "explain the result of a transform-dialect script on FILE", wanted.schedule.path);
  declareScript(options, wanted.schedule);
  options.custom("at", "N", "log, --pipeline or --schedule: the IR at step N, as 'fuselage step' numbers it",
                 [&](llvm::StringRef value) { return parseStepNumber(value, wanted.at); });
  options.choice("side", {"before", "after"}, "the IR before or after step N (default: after)", wanted.side);
  options.flag("prove",
               "try unlocks in functions of any size, and on every layer (default: up to 6000 ops, and of many equal "
               "layers on a few, for all of them)",
               wanted.prove);
  options.flag("no-unlocks", "do not try unlocks", wanted.noProofs);
  options.flag("all", "text: also list edges that are fused or move no bytes", wanted.text.all);
  options.flag("flat", "text: list each edge (default: those that are the same but for where they are in one row)",
               wanted.text.flat);
  declarePlugins(options);
  declareTrace(options);
  options.example("fuselage explain samples/bert_attention.mlir --policy conservative");
  options.example("fuselage explain samples/softmax.mlir --device vulkan:0");
  options.example("fuselage explain model.mlir --format json | jq '.edges[] | select(.verdict == \"SEPARATE\")'");
  options.example("fuselage explain model.mlir --pipeline 'builtin.module(func.func(fuselage-fusion-cleanup))'");
  options.example("fuselage explain model.mlir --remarks missed.yaml -o /dev/null");
  options.example("fuselage explain model.mlir --against base.json --allow bytes=5%,dispatches=1");
  options.example("fuselage explain model.mlir --against old/model.mlir --format sarif -o fusion.sarif");
  return options;
}

/// Whether there is anything to explain: dispatches, or structured ops that could be in one.
static bool hasDispatches(mlir::ModuleOp module) {
  return module
      ->walk([](mlir::Operation *op) {
        OpRole role = decode(op).role;
        bool isDispatch = role == OpRole::DispatchRegion || role == OpRole::DispatchCall;
        return isDispatch || isComputeOp(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// The last step of a log whose dump has anything to explain: later ones are of buffers and of what
/// kernels are made of. Texts are looked at first, since to parse a dump takes time.
static std::optional<unsigned> lastWithDispatches(const Recording &log) {
  for (size_t index = log.steps.size(); index-- > 0;) {
    const Snapshot *dump = log.after(log.steps[index]);
    llvm::StringRef text = dump ? llvm::StringRef(dump->lines().text()) : llvm::StringRef();
    bool mayHave = text.contains("linalg.") || text.contains("flow.dispatch") || text.contains("tensor<");
    if (mayHave)
      if (mlir::ModuleOp module = dump->module(); module && hasDispatches(module))
        return index;
    if (dump)
      dump->release();
  }
  return std::nullopt;
}

/// Opens the file, runs what is to be run first, and picks the step.
static llvm::Error openSubject(Session &session, const std::string &path, const ExplainArguments &wanted,
                               Subject &subject, int &exitCode) {
  auto input = openInput(session, path, exitCode);
  if (!input)
    return input.takeError();
  subject.input = std::move(*input);
  const Recording *steps = subject.input.log ? &*subject.input.log : nullptr;
  if (!wanted.pipeline.empty() || !wanted.schedule.path.empty()) {
    if (steps)
      return fail("'" + path +
                  "' is a log of passes, on which --pipeline and --schedule do not run; 'fuselage step' "
                  "records on from a step of it");
    auto recording = record(session, *subject.input.module.module, recordOptionsOf(wanted.pipeline, wanted.schedule));
    if (!recording)
      return recording.takeError();
    for (const Step &step : recording->steps)
      if (step.failed)
        return fail("step '" + step.name + "' failed", step.diagnostics);
    steps = &subject.recording.emplace(std::move(*recording));
  }
  if (!steps && wanted.at)
    return fail("--at is a step of a log, a pipeline or a schedule, and '" + path + "' is a module");
  if (!steps) {
    subject.module = *subject.input.module.module;
    return llvm::Error::success();
  }
  std::optional<unsigned> at = wanted.at;
  if (!at && !subject.recording)
    at = subject.chosen = lastWithDispatches(*steps);
  auto snapshot = snapshotAt(*steps, at, wanted.side == "before");
  if (!snapshot)
    return snapshot.takeError();
  subject.steps = steps;
  while (steps->snapshots[subject.snapshot].get() != *snapshot)
    ++subject.snapshot;
  auto module = moduleOf(**snapshot, exitCode);
  if (!module)
    return module.takeError();
  subject.module = *module;
  return llvm::Error::success();
}

/// The bandwidth that times go by, and where it comes from.
static llvm::Error findBandwidth(Session &session, const ExplainArguments &wanted, double &gbps, std::string &source) {
  gbps = wanted.gbps.value_or(kDefaultGbps);
  source = wanted.gbps ? "given" : "assumed";
  if (wanted.device.empty())
    return llvm::Error::success();
  llvm::Expected<MemoryRate> rate = memoryRateOf(session, wanted.device);
  if (!rate)
    return rate.takeError();
  gbps = rate->gbps;
  source = std::move(rate->source);
  return llvm::Error::success();
}

/// Where dispatches are formed, the step before which there is something to see.
static std::string decisionText(const Subject &subject, const FusionReport &report, int &exitCode) {
  bool isDecided = llvm::any_of(report.edges, [](const FusionEdgeReport &edge) {
    return edge.verdict == message::FusionVerdict::Separate && !edge.missed && edge.bytes != 0;
  });
  if (!isDecided || !subject.steps)
    return "";
  auto step = findFormingStep(*subject.steps, subject.snapshot,
                              [&](unsigned at) { return moduleOf(*subject.steps->snapshots[at], exitCode); });
  if (!step) { // a dump that does not parse says so by itself
    llvm::consumeError(step.takeError());
    return "";
  }
  if (!*step)
    return "";
  return llvm::formatv(
      "the dispatches were formed in step {0}, {1}: the same with '--at {0} --side before' shows why\n",
      *step - subject.steps->steps.data(), (*step)->name);
}

static UnlockProofOptions proofsOf(const ExplainArguments &wanted) {
  UnlockProofOptions proofs;
  if (wanted.prove || wanted.noProofs)
    proofs.maxOps = wanted.prove ? ~0u : 0;
  proofs.fewLayers = !wanted.prove;
  return proofs;
}

/// Everything that a report says of the subject.
static llvm::Expected<FusionReport> reportOn(const Subject &subject, const ExplainArguments &wanted, double gbps,
                                             std::string source) {
  DispatchPlans plans;
  std::optional<LayerNames> layers;
  llvm::Expected<FusionReport> report = explainFusion(subject.module, wanted.policy, gbps, proofsOf(wanted), &plans,
                                                      [&] { layers.emplace(buildGraphForNames(subject.module)); });
  if (!report)
    return report.takeError();
  report->gbpsSource = std::move(source);
  if (llvm::any_of(report->groups, [](const auto &group) { return group.edges.size() > 1; })) {
    if (!layers)
      layers.emplace(buildGraphForNames(subject.module, std::move(plans)));
    nameLayers(*report, *layers);
  }
  if (wanted.format != "text" || !wanted.against.path.empty())
    addIdentities(subject.module, *report);
  return report;
}

/// The same for the base that the file is compared with: the same steps run on it, in a session of its own.
static llvm::Expected<FusionReport> reportOnBase(const ExplainArguments &wanted, double gbps, int &exitCode) {
  Session session(allDialects());
  Subject base;
  if (llvm::Error error = openSubject(session, wanted.against.path, wanted, base, exitCode))
    return std::move(error);
  setActivity("judging the edges of '" + wanted.against.path + "'");
  ExplainArguments plain = wanted;
  plain.noProofs = true; // of edges that are gone nobody asks how to fuse them
  plain.prove = false;
  return reportOn(base, plain, gbps, "");
}

static llvm::Expected<std::string> textOf(const Subject &subject, const FusionReport &report, const std::string &path,
                                          const ExplainArguments &wanted, int &exitCode) {
  if (!wanted.against.path.empty()) {
    auto base = readBase(wanted.against, [&] { return reportOnBase(wanted, report.gbps, exitCode); });
    if (!base)
      return base.takeError();
    return gateAgainst(wanted.against, path, *base, report, wanted.format, exitCode);
  }
  if (wanted.format == "json")
    return message::jsonText(report);
  std::string text = formatFusionReport(report, wanted.text) + decisionText(subject, report, exitCode);
  if (!subject.chosen || *subject.chosen + 1 >= subject.steps->steps.size())
    return text;
  return llvm::formatv("step {0}, {1}: the last of {2} whose IR has dispatches or structured ops on tensors\n",
                       *subject.chosen, subject.steps->steps[*subject.chosen].name, subject.steps->steps.size())
             .str() +
         text;
}

static llvm::Error explain(Session &session, const std::string &path, const ExplainArguments &wanted, int &exitCode) {
  Subject subject;
  if (llvm::Error error = openSubject(session, path, wanted, subject, exitCode))
    return error;
  double gbps = 0;
  std::string source;
  if (llvm::Error error = findBandwidth(session, wanted, gbps, source))
    return error;
  setActivity("judging the edges of '" + path + "'");
  llvm::Expected<FusionReport> report = reportOn(subject, wanted, gbps, std::move(source));
  if (!report)
    return report.takeError();
  llvm::Expected<std::string> text = textOf(subject, *report, path, wanted, exitCode);
  if (!text)
    return text.takeError();
  if (!wanted.remarks.empty()) {
    std::vector<BodyVerdicts> bodies = judgeFusion(subject.module, wanted.policy);
    tryToShareLoops(bodies);
    proveUnlocks(bodies, wanted.policy, proofsOf(wanted));
    if (llvm::Error error = writeFusionRemarks(session.context(), bodies, {.gbps = gbps}, wanted.remarks))
      return error;
  }
  if (llvm::Error error = writeOutputFile(wanted.output, *text))
    return error;
  endWorker(exitCode);
  return llvm::Error::success();
}

int explainCommand(Arguments arguments) {
  ExplainArguments wanted;
  Options options = explainOptions(wanted);
  if (auto code = options.parse(arguments))
    return *code;
  if (!wanted.pipeline.empty() && !wanted.schedule.path.empty())
    return usageError("explain", "--pipeline and --schedule exclude each other");
  if (wanted.schedule.path.empty() && !wanted.schedule.isPlain())
    return usageError("explain", "--library, --entry and --arg go with --schedule S.mlir");
  if (!wanted.device.empty() && wanted.gbps)
    return usageError("explain", "--device and --bandwidth exclude each other");
  if (wanted.prove && wanted.noProofs)
    return usageError("explain", "--prove and --no-unlocks exclude each other");
  const bool isCompared = !wanted.against.path.empty();
  if (!isCompared && (wanted.format == "sarif" || wanted.format == "junit"))
    return usageError("explain", "--format " + wanted.format + " goes with --against BASE");
  if (!isCompared && wanted.against.anyAllowed)
    return usageError("explain", "--allow goes with --against BASE");
  Session session(allDialects());
  int exitCode = ExitOk;
  if (llvm::Error error = explain(session, options.positional(), wanted, exitCode))
    return reportFailure(std::move(error));
  return exitCode;
}

} // namespace fuselage::cli
