#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/FuseReport.h"
#include "app/cli/Input.h"
#include "core/analysis/fusion/FuseAll.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/places/PlaceFusion.h"
#include "core/engine/fusion/FusionMeter.h"
#include "core/ir/ops/ValueNames.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/TransformScript.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "core/transforms/foreign/NormalizeForeign.h"
#include "core/transforms/foreign/PortableDispatches.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

namespace {
struct Request {
  std::optional<EdgeAddress> edge{};
  std::string edgeText{};
  bool onlyThere = false;
  bool all = false, cleanUp = false;
  FusionPolicy policy{};
  bool eachLayer = false;
  bool dispatches = false, check = false, noCheck = false;
  std::string device{}; ///< to measure on; empty: what pays is predicted
  HostCheckOptions host{};
};

/// Where what goes; empty: nowhere.
struct Outputs {
  std::string module{}, pipeline{}, schedule{}, format = "text";
};
} // namespace

namespace {

/// Runs before and after on the host, unless that takes too long or cannot be done and nobody insists. The
/// module before the fusion runs once, and only if something is compared with it.
class Checker {
public:
  Checker(mlir::ModuleOp before, const Request &request) : before_(before), request_(request) {}

  /// How the results compare; nothing where they are not compared.
  llvm::Expected<std::optional<HostCheck>> check(mlir::ModuleOp after);
  /// The same of modules with a few of their equal layers, where all take the host too long; nothing where they do not,
  /// or these do, too.
  std::optional<HostCheck> checkFew(mlir::ModuleOp before, mlir::ModuleOp after) const;
  const std::string &note() const { return note_; } ///< why nothing was compared

  /// Runs the module before the fusion, unless it has run. Failure: it cannot, and somebody insists.
  llvm::Error start();

private:
  mlir::ModuleOp before_;
  const Request &request_;
  bool isStarted_ = false, isTooLong_ = false;
  std::optional<HostReference> reference_{};
  std::string note_{};
};

} // namespace

llvm::Error Checker::start() {
  if (isStarted_ || request_.noCheck)
    return llvm::Error::success();
  isStarted_ = true;
  if (!request_.check && estimateHostFlops(before_, request_.host.function) > kQuickCheckFlops) {
    isTooLong_ = true;
    note_ = "slow on the CPU; --check verifies it";
    return llvm::Error::success();
  }
  setActivity("running the module on the host as it was");
  llvm::Expected<HostReference> reference = HostReference::run(before_, request_.host);
  if (reference)
    reference_.emplace(std::move(*reference));
  else if (request_.check)
    return reference.takeError();
  else
    note_ = takeFailure(reference.takeError()).message;
  return llvm::Error::success();
}

llvm::Expected<std::optional<HostCheck>> Checker::check(mlir::ModuleOp after) {
  if (llvm::Error error = start())
    return error;
  if (!reference_)
    return std::nullopt;
  setActivity("running on the host what was fused");
  llvm::Expected<HostCheck> result = reference_->check(after);
  if (result)
    return std::move(*result);
  if (request_.check)
    return result.takeError();
  note_ = takeFailure(result.takeError()).message;
  return std::nullopt;
}

std::optional<HostCheck> Checker::checkFew(mlir::ModuleOp before, mlir::ModuleOp after) const {
  // Arguments have other numbers there.
  bool namesArguments = !request_.host.inputs.empty() || !request_.host.sizes.empty();
  if (!isTooLong_ || namesArguments || estimateHostFlops(before, request_.host.function) > kQuickCheckFlops)
    return std::nullopt;
  setActivity("running a few of the layers on the host");
  return llvm::expectedToOptional(checkOnHost(before, after, request_.host)); // note() says why all are not checked
}

/// Looks for the passes that fuse an edge, and runs them.
static llvm::Error fuseOneEdge(mlir::ModuleOp before, mlir::OwningOpRef<mlir::ModuleOp> &after, Request &request,
                               FuseReport &report) {
  report.what = "edge " + request.edgeText;
  EdgeFusionOptions options;
  options.proceed = [](llvm::StringRef pass, unsigned tries) {
    setActivity(("trying " + pass + ", after " + llvm::Twine(tries) + " tries").str());
    return true;
  };
  llvm::Expected<EdgeFusion> fusion =
      (request.onlyThere ? fusePlace : fuseEdge)(before, *request.edge, request.policy, options);
  if (!fusion)
    return fusion.takeError();
  request.host.function = fusion->function;
  report.fused = fusion->fused;
  report.steps = std::move(fusion->steps);
  report.reasons = report.fused ? std::vector<std::string>() : std::move(fusion->reasons);
  report.tries = fusion->tries;
  if (!report.fused)
    report.tried = std::move(fusion->tried);
  report.gaveUp = fusion->gaveUp;
  if (!report.fused)
    return llvm::Error::success();
  after = before.clone();
  for (const FusionStep &step : report.steps)
    report.passes.push_back(request.onlyThere ? fusion->pipeline : functionPipeline(step.pass));
  for (const std::string &pass : report.passes)
    if (llvm::Error error = runFusionPipeline(*after, pass))
      return error;
  // Dispatches around one place, and nowhere else: both modules are counted as if all were formed.
  bool isFormed = request.onlyThere && hasDispatchRegions(*after);
  for (auto [module, cost] : {std::pair(before, &report.before), std::pair(*after, &report.after)}) {
    llvm::Expected<FusionCost> found = fusionCost(module, request.policy, {}, isFormed);
    if (!found)
      return found.takeError();
    *cost = *found;
  }
  return llvm::Error::success();
}

/// Runs all that pays, or the clean-up.
static llvm::Error fuseByGoal(Session &session, mlir::ModuleOp before, mlir::OwningOpRef<mlir::ModuleOp> &after,
                              const Request &request, Checker &checker, FuseReport &report) {
  FuseAllOptions options{.goal = request.all ? FusionGoal::All : FusionGoal::CleanUp, .eachLayer = request.eachLayer};
  std::optional<FusionMeter> meter;
  if (!request.device.empty()) {
    RunOptions run;
    run.device = request.device;
    run.function = request.host.function;
    run.sizes = request.host.sizes;
    run.inputs = request.host.inputs;
    llvm::Expected<FusionMeter> made = FusionMeter::make(session, std::move(run), request.policy);
    if (!made)
      return made.takeError();
    meter.emplace(std::move(*made));
    options.rates = meter->rates();
    options.measure = [&](mlir::ModuleOp one, mlir::ModuleOp other) {
      setActivity("measuring on " + request.device);
      return meter->compare(one, other);
    };
  }
  options.proceed = [](llvm::StringRef pass) {
    setActivity(("trying " + pass).str());
    return true;
  };
  options.problemOf = [&](mlir::ModuleOp module) -> std::string {
    llvm::Expected<std::optional<HostCheck>> check = checker.check(module);
    if (!check)
      return takeFailure(check.takeError()).message;
    if (!*check || (*check)->ok)
      return "";
    return llvm::formatv("its results are wrong: max rel error {0:e2}", (*check)->maxRelError).str();
  };
  llvm::Expected<FuseAllResult> result = fuseAll(before, request.policy, options);
  if (!result)
    return result.takeError();
  if (meter)
    if (llvm::Error error = meter->keep(*result))
      llvm::errs() << "what was measured is not kept: " << takeFailure(std::move(error)).message << '\n';
  report.fused = true;
  report.rates = options.rates;
  report.steps = std::move(result->steps);
  for (const FusionStep &step : report.steps)
    report.passes.push_back(functionPipeline(step.pass));
  report.dropped = std::move(result->dropped);
  report.times = result->times;
  report.parts = std::move(result->parts);
  report.device = request.device;
  report.before = result->before;
  report.after = result->after;
  after = std::move(result->module);
  if (result->fewAfter && !report.steps.empty()) {
    report.check = checker.checkFew(*result->fewBefore, *result->fewAfter);
    report.isCheckOfFewLayers = report.check.has_value();
  }
  return llvm::Error::success();
}

/// Forms the dispatches, in a form for others to read: attention as the one op that it stands for,
/// and a scatter or a sort as the op that `written`, the module as its author wrote it, has; null:
/// it was not normalized. That is no part of what repeats the fusion.
static llvm::Error formPortably(mlir::ModuleOp written, mlir::ModuleOp before, mlir::OwningOpRef<mlir::ModuleOp> &after,
                                const std::vector<std::string> &passes) {
  constexpr llvm::StringLiteral attention = "fuselage-fuse-attention";
  auto fusesAttention = [&](const std::string &pass) { return llvm::StringRef(pass).contains(attention); };
  bool keepsOps = written && hasOpsLoweredElsewhere(written);
  if (keepsOps || llvm::any_of(passes, fusesAttention)) {
    after = before.clone();
    if (keepsOps) {
      auto module = normalized(written, nullptr, /*portable=*/true);
      if (!module)
        return module.takeError();
      after = std::move(*module);
    }
    for (std::string pass : llvm::ArrayRef(passes).drop_back()) {
      if (fusesAttention(pass))
        pass.insert(pass.find(attention) + attention.size(), "{as-op=true}");
      if (llvm::Error error = runFusionPipeline(*after, pass))
        return error;
    }
  }
  if (llvm::Error error = runFusionPipeline(*after, passes.back()))
    return error;
  makePortable(*after);
  return llvm::Error::success();
}

/// Fuses in a copy, `after`, and fills in the report. `written` as in formPortably.
static llvm::Error fuse(Session &session, mlir::ModuleOp written, mlir::ModuleOp before,
                        mlir::OwningOpRef<mlir::ModuleOp> &after, Request &request, FuseReport &report) {
  report.policy = request.policy.name;
  report.what = request.all ? "all" : "clean-up";
  Checker checker(before, request);
  if (request.check)
    if (llvm::Error error = checker.start())
      return error;
  llvm::Error error = request.edge ? fuseOneEdge(before, after, request, report)
                                   : fuseByGoal(session, before, after, request, checker, report);
  if (error)
    return error;
  if (!report.fused)
    return llvm::Error::success();
  // What nothing has changed computes the same.
  if (!report.passes.empty() && !report.isCheckOfFewLayers) {
    llvm::Expected<std::optional<HostCheck>> check = checker.check(*after);
    if (!check)
      return check.takeError();
    report.check = *check;
    report.note = checker.note();
  }
  if (request.dispatches) {
    report.passes.push_back(functionPipeline("fuselage-form-dispatches{policy=" + request.policy.name + "}"));
    if (llvm::Error error = formPortably(written, before, after, report.passes))
      return error;
    report.written = countPortable(*after);
  }
  if (!report.passes.empty())
    report.pipeline = joinPipelines(report.passes);
  return llvm::Error::success();
}

/// Writes the module, what repeats it, and the report; a module on stdout sends the report to stderr.
static llvm::Error write(mlir::ModuleOp after, const FuseReport &report, const Outputs &outputs) {
  const auto &[output, pipeline, schedule, format] = outputs;
  auto print = [&](llvm::raw_ostream &os) {
    after.print(os, withValueNames(mlir::OpPrintingFlags()));
    os << '\n';
  };
  if (report.fused && !output.empty())
    if (llvm::Error error = writeOutputFile(output, print))
      return error;
  if (report.fused && !pipeline.empty())
    if (llvm::Error error = writeOutputFile(pipeline, report.pipeline + "\n"))
      return error;
  if (report.fused && !schedule.empty()) {
    llvm::Expected<std::string> script = transformScript(report.passes);
    if (!script)
      return script.takeError();
    if (llvm::Error error = writeOutputFile(schedule, *script))
      return error;
  }
  std::string text = format == "json" ? jsonText(toJSON(report)) : formatFuseReport(report);
  if (output != "-" || !report.fused)
    return writeOutputFile("-", text);
  llvm::errs() << text;
  return llvm::Error::success();
}

int fuseCommand(Arguments arguments) {
  Request request;
  Outputs outputs;
  uint64_t seconds = 0;
  Options options("fuse", "FILE",
                  "Fuses one edge by the shortest list of transforms, or every edge that pays off. It prints the "
                  "steps, the number of dispatches left, and the difference of the results on the host. Exit code 1 "
                  "also means that the edge cannot be fused, or that a result was wrong.");
  options.custom("edge", "FROM:TO[:OPERAND]", "the edge, by the numbers of 'fuselage explain'",
                 [&](llvm::StringRef value) {
                   llvm::Expected<EdgeAddress> parsed = parseEdgeAddress(value);
                   if (!parsed)
                     return takeFailure(parsed.takeError()).message;
                   request.edge = *parsed;
                   request.edgeText = value.str();
                   return std::string();
                 });
  options.flag("only-there", "with --edge: change only ops near the edge, so that of equal layers one is fused",
               request.onlyThere);
  options.flag("all", "do every fusion that pays off (fuselage-fuse-all), until nothing changes", request.all);
  options.flag("each-layer", "plan for every layer (default: for a few of many equal ones; the result is the same)",
               request.eachLayer);
  options.text("measure", "DEVICE",
               "measure each fusion on this device, and keep it only if it is not slower; without it, the gain is "
               "predicted",
               request.device);
  options.text("device", "DEVICE", "the older name of --measure", request.device);
  options.flag("clean-up", "only remove ops that keep others apart without need (fuselage-fusion-cleanup)",
               request.cleanUp);
  options.custom("policy", "POLICY", "the policy for forming dispatches, see 'fuselage explain --help'",
                 [&](llvm::StringRef value) {
                   llvm::Expected<FusionPolicy> parsed = parseFusionPolicy(value);
                   if (!parsed)
                     return takeFailure(parsed.takeError()).message;
                   request.policy = *parsed;
                   return std::string();
                 });
  options.text("output", "OUT",
               "where to write the module; with -, for standard output, the report goes to standard error",
               outputs.module, 'o');
  options.flag("dispatches", "also form all dispatches, as flow.dispatch.region", request.dispatches);
  options.text("save-pipeline", "OUT", "write the equivalent pass pipeline", outputs.pipeline);
  options.text("save-schedule", "OUT.mlir", "write the equivalent transform-dialect script", outputs.schedule);
  options.choice("format", {"text", "json"}, "format of the report", outputs.format);
  options.flag("check", "compare results even if that takes long; a run that fails is an error", request.check);
  options.flag("no-check", "do not run anything", request.noCheck);
  options.number("time-limit", "seconds of CPU time for each run of the check (default: by its size)", seconds, 1,
                 1000000);
  options.inputs("an input of the check and of --measure: ", request.host.inputs);
  options.sizes("the size of a dynamic dimension in the check; may be repeated", request.host.sizes);
  declarePlugins(options);
  declareTrace(options);
  options.example("fuselage fuse samples/bert_attention.mlir --all -o fused.mlir");
  options.example("fuselage fuse samples/matmul_transpose_bias.mlir --policy conservative --edge 4:9 -o -");
  if (auto code = options.parse(arguments))
    return *code;
  if (request.edge.has_value() + request.all + request.cleanUp != 1)
    return usageError("fuse", "takes one of --edge, --all and --clean-up");
  if (request.onlyThere && !request.edge)
    return usageError("fuse", "--only-there goes with --edge");
  if (!request.device.empty() && request.edge)
    return usageError("fuse", "--measure goes with --all and --clean-up");
  request.host.limits.seconds = seconds;
  if (request.check && request.noCheck)
    return usageError("fuse", "--check and --no-check exclude each other");

  Session session(allDialects());
  int exitCode = ExitOk;
  mlir::OwningOpRef<mlir::ModuleOp> written, after;
  auto input = openModule(session, options.positional(), exitCode, &written);
  if (!input)
    return reportFailure(input.takeError());
  FuseReport report;
  if (llvm::Error error = fuse(session, *written, *input->module, after, request, report))
    return reportFailure(std::move(error));
  if (llvm::Error error = write(report.fused ? *after : *input->module, report, outputs))
    return reportFailure(std::move(error));
  if (!report.fused || (report.check && !report.check->ok))
    exitCode = ExitInputError;
  endWorker(exitCode); // before large modules are taken down
  return exitCode;
}

} // namespace fuselage::cli
