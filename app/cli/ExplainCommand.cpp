#include "app/cli/Commands.h"
#include "app/cli/Input.h"
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/analysis/fusion/FusionReport.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace fuselage::cli {

int explainCommand(Arguments arguments) {
  std::string output = "-", format = "text", remarks;
  FusionPolicy policy;
  double gbps = kDefaultGbps;
  bool all = false;
  Options options("explain", "FILE",
                  "Says of every value between two ops whether they are fused, and if not, why, what it\n"
                  "costs, and which transforms may unlock it. Where the module has no dispatches, ops are\n"
                  "grouped by the policy.");
  options.custom("policy", "POLICY",
                 "conservative (as IREE fused in early 2023), aggressive (default: as fuselage-form-dispatches\n"
                 "does) or none; with changes in braces, as in conservative{multi-use=true}",
                 [&](llvm::StringRef value) {
                   llvm::Expected<FusionPolicy> parsed = parseFusionPolicy(value);
                   if (!parsed)
                     return takeFailure(parsed.takeError()).message;
                   policy = *parsed;
                   return std::string();
                 });
  options.choice("format", {"text", "json"}, "a table of what is separate, dearest first, or everything", format);
  options.text("output", "OUT", "where to write it; - is stdout (default)", output, 'o');
  options.text("remarks", "OUT", "also write MLIR remarks, as YAML", remarks);
  options.custom("gbps", "N", "bandwidth of the memory in GB/s, for times (default: 500)", [&](llvm::StringRef value) {
    if (value.getAsDouble(gbps) || !(gbps > 0) || !std::isfinite(gbps))
      return "takes a number above 0, not '" + value.str() + "'";
    return std::string();
  });
  options.flag("all", "text: list what is fused, too", all);
  options.example("fuselage explain samples/bert_attention.mlir --policy conservative");
  options.example("fuselage explain model.mlir --format json | jq '.edges[] | select(.verdict == \"SEPARATE\")'");
  options.example("fuselage explain model.mlir --remarks missed.yaml -o /dev/null");
  if (auto code = options.parse(arguments))
    return *code;

  Session session;
  int exitCode = ExitOk;
  auto input = openModule(session, options.positional(), exitCode);
  if (!input)
    return reportFailure(input.takeError());
  std::vector<BodyVerdicts> bodies = judgeFusion(*input->module, policy);
  FusionReport report = reportFusion(*input->module, bodies, policy, gbps);
  std::string text = format == "json" ? llvm::formatv("{0:2}\n", toJSON(report)).str() : formatFusionReport(report, all);
  if (!remarks.empty())
    if (llvm::Error error = writeFusionRemarks(session.context(), bodies, {.gbps = gbps}, remarks))
      return reportFailure(std::move(error));
  if (llvm::Error error = writeOutputFile(output, text))
    return reportFailure(std::move(error));
  return exitCode;
}

} // namespace fuselage::cli
