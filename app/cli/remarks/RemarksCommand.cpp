// fuselage remarks: what another compiler said of a program, by its ops.
#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "core/ir/module/Diagnostics.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/registration/Registration.h"
#include "core/remarks/PlaceRemarks.h"
#include "core/remarks/RemarkFile.h"
#include "core/support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::cli {

namespace {
struct RemarksArguments {
  std::string remarks, format = "text", output = "-", kind = "all";
};
} // namespace

static llvm::Error listRemarks(Session &session, const std::string &path, const RemarksArguments &wanted,
                               int &exitCode) {
  auto remarks = readRemarkFile(wanted.remarks);
  if (!remarks)
    return remarks.takeError();
  auto module = openModule(session, path, exitCode);
  if (!module)
    return module.takeError();
  setActivity("placing the remarks of '" + wanted.remarks + "'");
  if (wanted.kind != "all")
    llvm::erase_if(remarks->remarks, [&](const message::Remark<> &remark) {
      return message::remarkKindNames[size_t(remark.kind)] != wanted.kind;
    });
  std::vector<mlir::Operation *> ops;
  module->module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { ops.push_back(op); });
  placeRemarks(
      *module->module, [&](int64_t op) { return int(positionOf(ops[op]).line); }, *remarks);
  if (!remarks->problem.empty())
    exitCode = ExitInputError;
  return writeOutputFile(wanted.output,
                         wanted.format == "json" ? message::jsonText(*remarks) : formatRemarks(*remarks));
}

int remarksCommand(Arguments arguments) {
  RemarksArguments wanted;
  Options options(
      "remarks", "FILE",
      "Lists the remarks that a compiler wrote about FILE under their pass and name, each at the op that it "
      "is about: by line and column, by line, or by the name of its function. Any place in the location of "
      "an op counts. Remarks that cannot be placed are listed with the reason.\n\nThe remarks are YAML or "
      "bitstream, as written by mlir-opt --remark-format=yaml --remarks-output-file=R, by opt "
      "-pass-remarks-output=R, by clang -fsave-optimization-record, or by 'fuselage explain --remarks'.");
  options.text("remarks", "R", "the file with the remarks", wanted.remarks);
  options.choice("kind", {"all", "passed", "missed", "analysis", "failure"}, "only remarks of this kind (default: all)",
                 wanted.kind);
  options.choice("format", {"text", "json"}, "a table, or JSON (default: text)", wanted.format);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.output, 'o');
  declarePlugins(options);
  options.example("fuselage explain model.mlir --remarks missed.yaml -o /dev/null");
  options.example("fuselage remarks model.mlir --remarks missed.yaml --kind missed");
  if (auto code = options.parse(arguments))
    return *code;
  if (wanted.remarks.empty())
    return usageError("remarks", "--remarks R names the file with the remarks");
  Session session(allDialects());
  int exitCode = ExitOk;
  if (llvm::Error error = listRemarks(session, options.positional(), wanted, exitCode))
    return reportFailure(std::move(error));
  endWorker(exitCode);
  return exitCode;
}

} // namespace fuselage::cli
