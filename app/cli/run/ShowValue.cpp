#include "app/cli/run/ShowValue.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/ops/ValueNames.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/run/inspect/NonFinite.h"
#include "core/run/inspect/ValueMessage.h"
#include "core/run/values/NpyFile.h"
#include "core/run/values/ResultView.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace fuselage::cli {

namespace {

/// Names values as the text prints them.
class ValueNames {
public:
  explicit ValueNames(ModuleOp module) : module_(module), state_(module, withValueNames()) {}

  std::string nameOf(Value value) {
    std::string name;
    llvm::raw_string_ostream os(name);
    value.printAsOperand(os, state_);
    return name;
  }

  /// The first value of that name; null: there is none.
  Value find(StringRef name) {
    Value found;
    module_.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (!found && nameOf(argument) == name)
              found = argument;
      for (Value result : op->getResults())
        if (!found && nameOf(result) == name)
          found = result;
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
    return found;
  }

private:
  ModuleOp module_;
  AsmState state_;
};

} // namespace

/// The first result of an op that stands at a place, "12" or "12:5".
static Value valueAt(ModuleOp module, StringRef place) {
  auto [lineText, columnText] = place.split(':');
  unsigned line = 0, column = 0;
  if (lineText.getAsInteger(10, line) || (!columnText.empty() && columnText.getAsInteger(10, column)))
    return nullptr;
  Value found;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    SourcePosition position = positionOf(op);
    if (op->getNumResults() == 0 || position.line != line || (column != 0 && position.column != column))
      return WalkResult::advance();
    found = op->getResult(0);
    return WalkResult::interrupt();
  });
  return found;
}

static ValueOptions valueOptions(const RunOptions &run) {
  return {.function = run.function,
          .seed = run.seed,
          .sizes = run.sizes,
          .inputs = run.inputs,
          .files = run.files,
          .limits = run.host,
          .cancelled = run.cancelled};
}

/// A line for each figure.
static std::string formatValue(const message::EdgeValue<> &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const message::ValueStatistics<> &figures = value.statistics;
  os << value.name << ": " << value.type << ", " << figures.elements << " elements\n";
  os << "computed on the host, op by op: " << value.ops << " ops of @" << value.function;
  if (!value.which.empty())
    os << ", " << value.which;
  os << '\n';
  for (const message::RunInput<> &input : value.inputs) {
    os << "  " << input.name << ' ' << input.type << ": " << input.source;
    if (input.source == "random")
      os << ", seed " << value.seed;
    os << '\n';
  }
  if (!value.scalar.empty()) {
    os << "value " << value.scalar << '\n';
    return text;
  }
  if (!figures.min.empty())
    os << "min " << figures.min << llvm::format("  mean %.9g  max ", figures.mean) << figures.max
       << llvm::format("  deviation %.9g", figures.deviation) << (figures.ofMagnitudes ? "  (of magnitudes)\n" : "\n");
  os << "zeros " << figures.zeros << "  NaN " << figures.nan << "  +inf " << figures.positiveInfinities << "  -inf "
     << figures.negativeInfinities << '\n';
  return text;
}

static llvm::Error writeNpy(const HostTensor &tensor, StringRef folder) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return fail("cannot make the folder " + folder.str() + ": " + error.message());
  auto bytes = npyBytes(tensor);
  if (!bytes)
    return bytes.takeError();
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "value.npy");
  return writeOutputFile(path, *bytes, Content::Bytes);
}

/// The value that is asked for; null: `told` says that there is none, which is no failure.
static llvm::Expected<Value> find(ModuleOp module, const ValueOptions &options, const ValueWish &wish,
                                  ValueNames &names, std::string &told) {
  if (wish.value == "non-finite") {
    auto finding = findNonFinite(module, options);
    if (!finding)
      return finding.takeError();
    if (!finding->value)
      told = "all " + std::to_string(finding->checked) + " values of @" + finding->function + " are finite\n";
    return finding->value;
  }
  Value value = StringRef(wish.value).starts_with("%") ? names.find(wish.value) : valueAt(module, wish.value);
  if (!value)
    return fail(
        "there is no value '" + wish.value +
        "': give its name, such as %0, or the line of its op, as 'fuselage graph' and 'fuselage step' show them");
  return value;
}

llvm::Error showValue(ModuleOp module, const RunOptions &run, const ValueWish &wish) {
  ValueNames names(module);
  ValueOptions options = valueOptions(run);
  std::string text;
  auto value = find(module, options, wish, names, text);
  if (!value)
    return value.takeError();
  if (*value) {
    auto computed = computeValue(module, {*value, nullptr}, options);
    if (!computed)
      return computed.takeError();
    message::EdgeValue<> message =
        messageOf(*computed, valueStatisticsOf(computed->tensor), names.nameOf(*value), run.seed);
    if (!wish.folder.empty())
      if (llvm::Error error = writeNpy(computed->tensor, wish.folder))
        return error;
    text = wish.asJson ? jsonText(llvm::json::Value(message::encode(message))) : formatValue(message);
  } else if (wish.asJson) {
    text = "null\n";
  }
  return writeOutputFile(wish.report, text);
}

} // namespace fuselage::cli
