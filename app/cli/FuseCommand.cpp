#include "app/cli/Commands.h"
#include "app/cli/FuseReport.h"
#include "app/cli/Input.h"
#include "core/analysis/fusion/FuseAll.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/ir/ValueNames.h"
#include "core/stepping/TransformScript.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

namespace {
struct Request {
  std::optional<EdgeAddress> edge{};
  std::string edgeText{};
  bool all = false, cleanUp = false;
  FusionPolicy policy{};
  bool dispatches = false, check = false, noCheck = false;
  HostCheckOptions host{};
};

/// Where what goes; empty: nowhere.
struct Outputs {
  std::string module{}, pipeline{}, schedule{}, format = "text";
};
} // namespace

/// Sets `passes` and what there is to say about how they were found.
static llvm::Error plan(mlir::ModuleOp module, const Request &request, FuseReport &report, std::string &function) {
  report.policy = request.policy.name;
  if (!request.edge) {
    report.what = request.all ? "all" : "clean-up";
    report.fused = true;
    report.passes = {functionPipeline(request.all ? "fuselage-fuse-all" : "fuselage-fusion-cleanup")};
    return llvm::Error::success();
  }
  report.what = "edge " + request.edgeText;
  llvm::Expected<EdgeFusion> fusion = fuseEdge(module, *request.edge, request.policy);
  if (!fusion)
    return fusion.takeError();
  function = fusion->function;
  report.fused = fusion->fused;
  report.steps = std::move(fusion->steps);
  for (const FusionStep &step : report.steps)
    report.passes.push_back(functionPipeline(step.pass));
  report.reasons = report.fused ? std::vector<std::string>() : std::move(fusion->reasons);
  report.tries = fusion->tries;
  report.gaveUp = fusion->gaveUp;
  return llvm::Error::success();
}

/// Runs before and after, unless that takes too long or cannot be done and nobody insists.
static llvm::Error check(mlir::ModuleOp before, mlir::ModuleOp after, const Request &request, FuseReport &report) {
  report.check.reset();
  if (request.noCheck || report.passes.empty())
    return llvm::Error::success();
  if (!request.check && estimateHostFlops(before, request.host.function) > kQuickCheckFlops) {
    report.note = "it would take the host long; --check does it all the same";
    return llvm::Error::success();
  }
  llvm::Expected<HostCheck> result = checkOnHost(before, after, request.host);
  if (result) {
    report.check = std::move(*result);
    return llvm::Error::success();
  }
  if (request.check)
    return result.takeError();
  report.note = takeFailure(result.takeError()).message;
  return llvm::Error::success();
}

/// Runs the report's passes on a copy and looks at what became of it; `pays`: it costs less, and is right.
static llvm::Error apply(mlir::ModuleOp before, mlir::OwningOpRef<mlir::ModuleOp> &after, const Request &request,
                         FuseReport &report, bool &pays) {
  after = before.clone();
  for (const std::string &pass : report.passes)
    if (llvm::Error error = runFusionPipeline(*after, pass))
      return error;
  llvm::Expected<FusionCost> old = fusionCost(before, request.policy);
  if (!old)
    return old.takeError();
  llvm::Expected<FusionCost> now = fusionCost(*after, request.policy);
  if (!now)
    return now.takeError();
  report.dispatchesBefore = old->dispatches;
  report.dispatchesAfter = now->dispatches;
  if (llvm::Error error = check(before, *after, request, report))
    return error;
  pays = isDearer(*old, *now) && (!report.check || report.check->ok);
  return llvm::Error::success();
}

/// Finds out which parts of `all` help, after the whole of it did not.
static llvm::Error retreat(mlir::ModuleOp before, const Request &request, FuseReport &report) {
  auto problemOf = [&](mlir::ModuleOp module) -> std::string {
    if (!report.check)
      return "";
    llvm::Expected<HostCheck> result = checkOnHost(before, module, request.host);
    if (!result)
      return takeFailure(result.takeError()).message;
    return result->ok ? "" : llvm::formatv("its results are wrong: max rel error {0:e2}", result->maxRelError).str();
  };
  llvm::Expected<FusionRetreat> found = fuseWhatPays(before, request.policy, problemOf);
  if (!found)
    return found.takeError();
  report.passes.clear();
  for (const std::string &pass : found->kept)
    report.passes.push_back(functionPipeline(pass));
  report.dropped = std::move(found->dropped);
  return llvm::Error::success();
}

/// Fuses in a copy, `after`, and fills in the report.
static llvm::Error fuse(mlir::ModuleOp before, mlir::OwningOpRef<mlir::ModuleOp> &after, Request &request,
                        FuseReport &report) {
  if (llvm::Error error = plan(before, request, report, request.host.function))
    return error;
  if (!report.fused)
    return llvm::Error::success();
  bool pays = false;
  if (llvm::Error error = apply(before, after, request, report, pays))
    return error;
  if (request.all && !pays) {
    if (llvm::Error error = retreat(before, request, report))
      return error;
    if (llvm::Error error = apply(before, after, request, report, pays))
      return error;
  }
  if (request.dispatches) {
    report.passes.push_back(functionPipeline("fuselage-form-dispatches{policy=" + request.policy.name + "}"));
    if (llvm::Error error = runFusionPipeline(*after, report.passes.back()))
      return error;
  }
  if (!report.passes.empty())
    report.pipeline = joinPipelines(report.passes);
  return llvm::Error::success();
}

/// Writes the module, what repeats it, and the report; a module on stdout sends the report to stderr.
static llvm::Error write(mlir::ModuleOp after, const FuseReport &report, const Outputs &outputs) {
  const auto &[output, pipeline, schedule, format] = outputs;
  if (report.fused && !output.empty()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    after.print(os, withValueNames(mlir::OpPrintingFlags()));
    if (llvm::Error error = writeOutputFile(output, text + "\n"))
      return error;
  }
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
  std::string text = format == "json" ? llvm::formatv("{0:2}\n", toJSON(report)).str() : formatFuseReport(report);
  if (output != "-" || !report.fused)
    return writeOutputFile("-", text);
  llvm::errs() << text;
  return llvm::Error::success();
}

int fuseCommand(Arguments arguments) {
  Request request;
  Outputs outputs;
  Options options("fuse", "FILE",
                  "Fuses: one edge, by the shortest list of transforms that makes it so, or all that pays. Tells the\n"
                  "steps, how many dispatches are left, and how far the results on the host are from those before.\n"
                  "Exit code 1 also means that the edge cannot be fused, or that a result was wrong.");
  options.custom("edge", "FROM:TO[:OPERAND]", "the edge, by the numbers of 'fuselage explain'", [&](llvm::StringRef value) {
    llvm::Expected<EdgeAddress> parsed = parseEdgeAddress(value);
    if (!parsed)
      return takeFailure(parsed.takeError()).message;
    request.edge = *parsed;
    request.edgeText = value.str();
    return std::string();
  });
  options.flag("all", "every fusion that pays (fuselage-fuse-all)", request.all);
  options.flag("clean-up", "only remove what keeps ops apart without need (fuselage-fusion-cleanup)", request.cleanUp);
  options.custom("policy", "POLICY", "by which dispatches are formed: see 'fuselage explain --help'",
                 [&](llvm::StringRef value) {
                   llvm::Expected<FusionPolicy> parsed = parseFusionPolicy(value);
                   if (!parsed)
                     return takeFailure(parsed.takeError()).message;
                   request.policy = *parsed;
                   return std::string();
                 });
  options.text("output", "OUT", "where to write the module; - is stdout, the report goes to stderr then", outputs.module, 'o');
  options.flag("dispatches", "also form all dispatches, as flow.dispatch.region", request.dispatches);
  options.text("save-pipeline", "OUT", "write the textual pipeline that does the same", outputs.pipeline);
  options.text("save-schedule", "OUT.mlir", "write a transform-dialect script that does the same", outputs.schedule);
  options.choice("format", {"text", "json"}, "of the report", outputs.format);
  options.flag("check", "run before and after even where that takes long; a run that fails is an error", request.check);
  options.flag("no-check", "do not run anything", request.noCheck);
  options.sizes("for the check, the size of a dynamic dimension; may be repeated", request.host.sizes);
  options.example("fuselage fuse samples/bert_attention.mlir --all -o fused.mlir");
  options.example("fuselage fuse samples/matmul_transpose_bias.mlir --policy conservative --edge 4:9 -o -");
  if (auto code = options.parse(arguments))
    return *code;
  if (request.edge.has_value() + request.all + request.cleanUp != 1)
    return usageError("fuse", "takes one of --edge, --all and --clean-up");
  if (request.check && request.noCheck)
    return usageError("fuse", "--check and --no-check exclude each other");

  registerAllPasses();
  Session session;
  int exitCode = ExitOk;
  auto input = openModule(session, options.positional(), exitCode);
  if (!input)
    return reportFailure(input.takeError());
  mlir::OwningOpRef<mlir::ModuleOp> after;
  FuseReport report;
  if (llvm::Error error = fuse(*input->module, after, request, report))
    return reportFailure(std::move(error));
  if (llvm::Error error = write(report.fused ? *after : *input->module, report, outputs))
    return reportFailure(std::move(error));
  return report.fused && (!report.check || report.check->ok) ? exitCode : ExitInputError;
}

} // namespace fuselage::cli
