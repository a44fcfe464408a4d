#include "core/bisect/Judges.h"
#include "core/bisect/LevelRun.h"
#include "core/ir/module/Diagnostics.h"
#include "core/runtime/host/HostCode.h"
#include "core/stepping/report/Report.h"
#include "core/stepping/tool/ToolProcess.h"
#include "core/support/OutputFile.h"
#include "core/support/ShellWords.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {
namespace {

/// "@f gives other results: ..".
std::string describe(const HostCheck &check) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "@" << check.function << " gives other results: the largest error is "
     << llvm::format("%.3g", check.maxAbsError) << ", relative " << llvm::format("%.3g", check.maxRelError);
  return text;
}

/// What IR of any level comes to on the inputs of a reference.
Judgement judgeOn(const HostReference &reference, LevelChecker &level) {
  auto check = level.check(reference);
  if (!check)
    return {IrVerdict::Unknown, takeFailure(check.takeError()).message};
  if (check->isRight())
    return {IrVerdict::Good, ""};
  return {IrVerdict::Bad, check->fault.empty() ? describe(check->check) : check->fault};
}

/// What a program computes of several draws of inputs.
struct References {
  std::vector<HostReference> draws;
  int64_t flops = -1;
  unsigned wanted = 0; ///< draws

  Judgement judge(mlir::ModuleOp module) const {
    mlir::MLIRContext &context = *module.getContext();
    DiagnosticCapture capture(context);
    LevelChecker level(module, flops);
    for (auto [draw, reference] : llvm::enumerate(draws)) {
      if (Judgement judgement = judgeOn(reference, level); judgement.verdict != IrVerdict::Good)
        return judgement;
      if (level.isSlow() && draw + 1 < draws.size())
        return {IrVerdict::Good, "", gapAfter(draw + 1, "the emulator takes long for its kernels")};
    }
    return {IrVerdict::Good, "", draws.size() < wanted ? gapAfter(draws.size(), "the program takes long") : ""};
  }
  std::string gapAfter(size_t judged, const char *why) const {
    return std::to_string(wanted - judged) + " of " + std::to_string(wanted) + " draws of inputs, as " + why;
  }
};

} // namespace

llvm::Expected<Judge> judgeByResults(mlir::ModuleOp input, HostCheckOptions options, unsigned draws) {
  constexpr int64_t many = 5 * kQuickCheckFlops; // some ten seconds
  auto references = std::make_shared<References>();
  references->wanted = draws;
  if (!options.pieces)
    options.pieces = makeHostPieces(*input.getContext(), options); // each is compiled once for all draws
  for (unsigned draw = 0; draw < draws && (draw == 0 || references->flops <= many); ++draw) {
    HostCheckOptions drawn = options;
    drawn.seed = options.seed + draw;
    auto reference = HostReference::run(input, drawn);
    if (!reference)
      return reference.takeError();
    auto again = reference->check(input);
    if (!again)
      return again.takeError();
    if (!again->ok)
      return fail("the input does not compute the same twice");
    references->flops = estimateHostFlops(input, reference->options().function);
    references->draws.push_back(std::move(*reference));
  }
  return [references](const Snapshot &snapshot) -> Judgement {
    auto module = snapshot.parsed();
    if (!module)
      return {IrVerdict::Unknown, takeFailure(module.takeError()).message};
    return references->judge(*module);
  };
}

llvm::Expected<Judge> judgeByCommand(llvm::StringRef command, const std::atomic<bool> *cancelled) {
  auto words = splitShellWords(command);
  if (!words)
    return words.takeError();
  if (words->empty())
    return fail("the command is empty");
  auto program = llvm::sys::findProgramByName(words->front());
  if (!program)
    return fail("there is no program '" + words->front() + "'");
  auto folder = ToolFolder::make();
  if (!folder)
    return folder.takeError();
  return [words = *words, program = *program, folder = *folder, cancelled](const Snapshot &snapshot) -> Judgement {
    const std::string file = folder->file("ir.mlir");
    const std::string text =
        snapshot.isTextAlone() ? snapshot.lines().text() : fullText(snapshot, /*hasLocations=*/false);
    if (llvm::Error error = writeOutputFile(file, text))
      return {IrVerdict::Unknown, takeFailure(std::move(error)).message};
    ToolProcessOptions options;
    options.path = program;
    options.cancelled = cancelled;
    options.outputFile = folder->file("out");
    options.errorFile = folder->file("err");
    bool isPlaced = false;
    for (const std::string &word : words) {
      isPlaced |= word == "{}";
      options.arguments.push_back(word == "{}" ? file : word);
    }
    if (!isPlaced)
      options.arguments.push_back(file);
    auto end = runTool(options);
    if (!end)
      return {IrVerdict::Unknown, takeFailure(end.takeError()).message};
    constexpr int cannotTell = 125; // as of git bisect run
    if (end->how == ToolEnd::How::Exited && end->code == 0)
      return {IrVerdict::Good, ""};
    if (end->how == ToolEnd::How::Exited && end->code == cannotTell)
      return {IrVerdict::Unknown, "the command says that it cannot tell"};
    if (end->how == ToolEnd::How::Exited)
      return {IrVerdict::Bad, "the command ends with exit code " + std::to_string(end->code)};
    if (end->how == ToolEnd::How::Killed)
      return {IrVerdict::Bad, "the command is ended by signal " + std::to_string(end->code)};
    return {IrVerdict::Unknown, "the command did not come to its end"};
  };
}

} // namespace fuselage
