#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "core/analysis/buffers/BuffersReport.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/model/LayerNames.h"
#include "core/ir/module/PrintedModule.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/Recording.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

namespace {

struct BuffersArguments {
  BuffersOptions report;
  std::string pipeline, schedule, target = "spirv", targetDevice, format = "text", output = "-", side = "after";
  std::optional<unsigned> at;
  bool steps = false, flat = false;
};

/// Where ops of a module stand: in the file that was opened, or else in the text that `fuselage step`
/// prints.
class Places {
public:
  Places(mlir::ModuleOp module, bool isFile, std::string title)
      : isFile_(isFile), title_(std::move(title)), module_(module) {
    module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { ops_.push_back(op); });
  }

  Diagnostic operator()(OpId id) {
    Diagnostic place;
    SourcePosition position = isFile_ ? positionOf(ops_[id]->getLoc()) : SourcePosition();
    if (position.line != 0) {
      place.file = position.file;
      place.line = position.line;
      place.column = position.column;
      return place;
    }
    llvm::StringRef line = text().line(lineOf(id));
    size_t column = line.find_first_not_of(' ');
    if (size_t assigned = line.find(" = "); assigned != llvm::StringRef::npos && ops_[id]->getNumResults() > 0)
      column = assigned + 3;
    place.file = title_;
    place.line = lineOf(id) + 1;
    place.column = column == llvm::StringRef::npos ? 1 : column + 1;
    place.sourceLine = line.str();
    return place;
  }

  int64_t lineOf(OpId id) { return text().linesOf(id).first; }

private:
  const PrintedModule &text() {
    if (!text_)
      text_ = std::make_unique<PrintedModule>(module_);
    return *text_;
  }

  bool isFile_;
  std::string title_;
  mlir::ModuleOp module_;
  std::vector<mlir::Operation *> ops_;
  std::unique_ptr<PrintedModule> text_;
};

/// Whether a recording is asked for.
bool wantsSteps(const BuffersArguments &wanted) {
  return wanted.steps || wanted.at || !wanted.pipeline.empty() || !wanted.schedule.empty();
}

llvm::Expected<Recording> recordSteps(Session &session, Input &input, const BuffersArguments &wanted) {
  if (input.log)
    return std::move(*input.log);
  RecordOptions options;
  options.pipeline = wanted.pipeline;
  options.schedule = wanted.schedule;
  options.target = wanted.target;
  options.targetDevice = wanted.targetDevice;
  return record(session, *input.module.module, options);
}

/// What peaks a snapshot has, or why it is not known.
struct StepPeaks {
  std::optional<message::BufferPeaks<>> peaks;
  std::string problem;
};

/// What JSON tells of a step.
struct PeaksOfStep {
  int index = 0;
  std::string name;
  std::optional<message::BufferPeaks<>> before, after;

  template <class Visitor> void fields(Visitor &visit) {
    visit("index", index);
    visit("name", name);
    visit("before", before, message::nullIf(!before));
    visit("after", after, message::nullIf(!after));
  }
};

/// Without a rehearsal: if it dies of the module, the command is repeated with one.
llvm::Expected<BuffersReport> reportOn(mlir::ModuleOp module, const BuffersOptions &options) {
  RepeatableScope repeatable;
  return reportBuffers(module, options);
}

StepPeaks peaksOf(const Snapshot *snapshot, BuffersOptions options) {
  if (!snapshot)
    return {.peaks = {}, .problem = "not in the log"};
  options.peaksOnly = true;
  auto module = snapshot->parsed();
  auto report = module ? reportOn(*module, options) : module.takeError();
  if (!report)
    return {.peaks = {}, .problem = takeFailure(report.takeError()).message};
  return {.peaks = report->largestPeaks(), .problem = ""};
}

std::string formatPeaks(const StepPeaks &peaks) {
  if (!peaks.problem.empty())
    return "? (" + peaks.problem + ")";
  std::string text;
  for (const auto &[space, size] : *peaks.peaks)
    text += (text.empty() ? "" : ", ") + formatBytes(size) + " " + space;
  return text.empty() ? "0 B" : text;
}

/// Peak memory before and after each step.
std::string formatSteps(const Recording &recording, const BuffersArguments &wanted) {
  std::map<const Snapshot *, StepPeaks> known;
  auto peaks = [&](const Snapshot *snapshot) -> const StepPeaks & {
    auto [entry, isNew] = known.try_emplace(snapshot);
    if (isNew)
      entry->second = peaksOf(snapshot, wanted.report);
    return entry->second;
  };
  std::string text;
  llvm::json::Array steps;
  for (auto [index, step] : llvm::enumerate(recording.steps)) {
    const StepPeaks &before = peaks(recording.before(step));
    const StepPeaks &after = peaks(step.failed ? nullptr : recording.after(step));
    text += llvm::formatv("{0,3}  {1,-32}  {2}  ->  {3}\n", index, step.name, formatPeaks(before), formatPeaks(after))
                .str();
    steps.push_back(message::encode(
        PeaksOfStep{.index = int(index), .name = step.name, .before = before.peaks, .after = after.peaks}));
  }
  if (wanted.format == "json")
    return jsonText(llvm::json::Object{{"version", 1}, {"steps", std::move(steps)}});
  return text;
}

bool isOfSeveral(const BufferGroupReport &group) {
  return group.operands.size() > 1 || group.buffers.size() > 1 || group.moves.size() > 1;
}

llvm::Expected<std::string> formatReport(mlir::ModuleOp module, const BuffersArguments &wanted, bool isFile,
                                         const std::string &title) {
  auto report = reportOn(module, wanted.report);
  if (!report)
    return report.takeError();
  if (llvm::any_of(report->groups, isOfSeveral)) { // it takes the time of a graph
    LayerNames names(buildGraphForNames(module));
    nameLayers(*report, [&](OpId op) { return names.of(op); });
  }
  Places places(module, isFile, title);
  if (wanted.format == "json")
    return message::jsonText(messageOf(*report, [&](OpId id) { return places.lineOf(id); }));
  return formatBuffers(*report, std::ref(places), wanted.flat);
}

llvm::Expected<std::string> answer(Session &session, Input &input, const BuffersArguments &wanted,
                                   const std::string &path, int &exitCode) {
  if (!input.log && !wantsSteps(wanted))
    return formatReport(*input.module.module, wanted, /*isFile=*/true, path);
  auto recording = recordSteps(session, input, wanted);
  if (!recording)
    return recording.takeError();
  if (wanted.steps)
    return formatSteps(*recording, wanted);
  auto snapshot = snapshotAt(*recording, wanted.at, wanted.side == "before");
  if (!snapshot)
    return snapshot.takeError();
  auto module = moduleOf(**snapshot, exitCode);
  if (!module)
    return module.takeError();
  std::string title = path + " at step " + (wanted.at ? std::to_string(*wanted.at) : "last");
  return formatReport(*module, wanted, /*isFile=*/false, title);
}

} // namespace

int buffersCommand(Arguments arguments) {
  BuffersArguments wanted;
  Options options("buffers", "FILE",
                  "Why is there a copy here? Says for every tensor operand whether One-Shot Bufferize keeps it in "
                  "place, and if not, the conflict: the read, the conflicting write, and the last write. Lists all "
                  "buffers that the module has or would get, the lines between which they live, and the peak of each "
                  "memory space. A module on tensors is bufferized in a copy, as in the default pipeline.\n\nFILE may "
                  "be a pass log; the report is on its last step, or on --at.");
  options.custom("at", "N", "report on step N of the default pipeline, of --pipeline or --schedule, or of the log",
                 [&](llvm::StringRef value) { return parseStepNumber(value, wanted.at); });
  options.choice("side", {"after", "before"}, "the IR after or before step N", wanted.side);
  options.text("pipeline", "P", "record this textual MLIR pipeline", wanted.pipeline);
  options.text("schedule", "S.mlir", "record this transform-dialect script", wanted.schedule);
  options.choice("target", {"spirv", "ptx"}, "the target of the default pipeline", wanted.target);
  options.text("target-device", "D",
               "the default pipeline for this device, which this machine need not have: a name such as h100, or a file",
               wanted.targetDevice);
  options.flag("steps", "only the peaks before and after each step", wanted.steps);
  options.text("function", "F", "report on one function; kernels are named module::kernel, as in the report",
               wanted.report.function);
  options.sizes("the size of a dynamic dimension of the function (default: the first public one); may be repeated",
                wanted.report.sizes);
  options.flag("flat",
               "text: list each (default: what is the same but for where it is in one row, with its total; json lists "
               "each, and the groups)",
               wanted.flat);
  options.flag("keep-empty", "bufferize without eliminate-empty-tensors", wanted.report.keepEmpty);
  options.choice("format", {"text", "json"}, "messages and tables, or everything as JSON", wanted.format);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.output, 'o');
  declarePlugins(options);
  options.example("fuselage buffers samples/softmax.mlir");
  options.example("fuselage buffers samples/bert_attention.mlir --steps");
  options.example("fuselage buffers samples/dynamic_matmul.mlir --size arg0.0=200");
  options.example("fuselage buffers model.mlir --format json | jq '.operands[] | select(.in_place | not)'");
  if (auto code = options.parse(arguments))
    return *code;
  wanted.report.sizedFunction = wanted.report.function;

  Session session(allDialects());
  int exitCode = ExitOk;
  auto input = openInput(session, options.positional(), exitCode);
  if (!input)
    return reportFailure(input.takeError());
  if (!input->log)
    if (llvm::Error error = refuseReadOnly(*input->module.module, options.positional()))
      return reportFailure(std::move(error));
  if (!input->log)
    if (llvm::Error error = checkSizes(*input->module.module, wanted.report.sizedFunction, wanted.report.sizes))
      return reportFailure(std::move(error));
  auto text = answer(session, *input, wanted, options.positional(), exitCode);
  if (!text)
    return reportFailure(text.takeError());
  if (llvm::Error error = writeOutputFile(wanted.output, *text))
    return reportFailure(std::move(error));
  return exitCode;
}

} // namespace fuselage::cli
