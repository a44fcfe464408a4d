#include "app/cli/Commands.h"
#include "app/cli/Input.h"
#include "core/ir/module/PlaceFilter.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/stepping/rewrites/OpPatterns.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/Path.h"

namespace fuselage::cli {
namespace {

/// Whether an op is what --op names: its number, its name, or its line as ":12" or "model.mlir:12".
bool isMeant(mlir::Operation *op, int64_t number, llvm::StringRef name) {
  if (int64_t wanted = 0; !name.getAsInteger(10, wanted))
    return number == wanted;
  if (std::optional<PlaceFilter> place = PlaceFilter::read(name))
    return place->fits(positionOf(op->getLoc()));
  return op->getName().getStringRef() == name;
}

/// The ops that --op names. Failure: none, or so many that nobody would read it.
llvm::Expected<std::vector<int64_t>> opsMeant(mlir::ModuleOp module, llvm::StringRef name) {
  constexpr size_t most = 100;
  std::vector<int64_t> ops;
  int64_t number = 0;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (isMeant(op, number, name))
      ops.push_back(number);
    ++number;
  });
  if (ops.empty())
    return fail(
        "no op is '" + name.str() +
        "': give the name of an op such as linalg.generic, its line as :12, or its number of 'fuselage explain'");
  if (ops.size() > most)
    return fail(std::to_string(ops.size()) + " ops are '" + name.str() + "': give one by its line, as :12");
  return ops;
}

} // namespace

int patternsCommand(Arguments arguments) {
  std::string op, passes = "canonicalize", format = "text", output = "-";
  Options options("patterns", "FILE",
                  "Lists the rewrite patterns that would apply to an op as it stands, and why the others decline. The "
                  "patterns are those of greedy drivers and walks of some passes; each is tried on this op alone, on a "
                  "copy of the module. With each that applies is a pipeline that applies it, and nothing else. "
                  "Patterns of dialect conversions are not listed.");
  options.text("op", "OP", "the op: its name (each such op), its line as :12, or its number of 'fuselage explain'", op);
  options.text("passes", "P", "the passes that have the patterns (default: canonicalize)", passes);
  options.choice("format", {"text", "json"}, "(default: text)", format);
  options.text("output", "OUT", "where to write; - is standard output (default)", output, 'o');
  declarePlugins(options);
  options.example("fuselage patterns model.mlir --op tensor.cast");
  options.example("fuselage patterns model.mlir --op :35 --passes canonicalize,linalg-fuse-elementwise-ops");
  if (auto code = options.parse(arguments))
    return *code;
  if (op.empty())
    return usageError("patterns", "name the op: --op OP");
  int exitCode = ExitOk;
  Session session(allDialects());
  auto input = openInput(session, options.positional(), exitCode, Form::AsWritten);
  if (!input)
    return reportFailure(input.takeError());
  if (input->log)
    return usageError("patterns", "'" + options.positional() + "' is a log of passes; give a module");
  mlir::ModuleOp module = *input->module.module;
  auto ops = opsMeant(module, op);
  if (!ops)
    return reportFailure(ops.takeError());
  std::string text;
  llvm::json::Array rows;
  for (int64_t number : *ops) {
    auto offers = offersOf(module, number, passes);
    if (!offers)
      return reportFailure(offers.takeError());
    message::OpPatterns<> patterns = messageOfOffers(module, number, passes, *offers);
    text += offersText(patterns, number);
    llvm::json::Object row = message::encode(patterns);
    row["number"] = number;
    rows.push_back(std::move(row));
  }
  if (format == "json")
    text = jsonText(llvm::json::Object{{"version", 1}, {"ops", std::move(rows)}});
  if (llvm::Error error = writeOutputFile(output, text))
    return reportFailure(std::move(error));
  endWorker(exitCode);
  return exitCode;
}

} // namespace fuselage::cli
