#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "app/cli/ScheduleInput.h"
#include "core/ir/module/Splits.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/schedules/normalize/AutoNormalize.h"
#include "core/schedules/normalize/FormAdvice.h"
#include "core/schedules/normalize/FormColumn.h"
#include "core/schedules/report/FormReport.h"
#include "core/schedules/report/TraceReport.h"
#include "core/schedules/script/DeadUses.h"
#include "core/schedules/script/Knobs.h"
#include "core/stepping/report/ScheduleHtml.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <unistd.h>

namespace fuselage::cli {

namespace {
struct ScheduleArguments {
  ScheduleInput schedule;
  std::string format = "text", output = "-";
  std::optional<unsigned> at;
  uint64_t seconds = 0;
  bool trace = false, autoNormalize = false, hoist = false, isExplicit = false, checkForms = false, check = false,
       listKnobs = false;
  std::string form;
};
} // namespace

namespace {
struct Ran {
  Trace trace;
  std::vector<message::LineForms<>> forms; ///< known to hold, by line
};
} // namespace

static llvm::Expected<std::string> reportText(const Script &script, const Ran &ran, llvm::StringRef payload,
                                              const ScheduleArguments &wanted) {
  const Trace &trace = ran.trace;
  bool isJson = wanted.format == "json";
  auto json = [](llvm::json::Object object) { return jsonText(std::move(object)); };
  if (wanted.at) {
    if (*wanted.at >= trace.steps.size())
      return fail("there is no step " + std::to_string(*wanted.at) + "; the steps are 0 to " +
                  std::to_string(trace.steps.size() - 1));
    return isJson ? json(message::encode(messageOf(script, trace, *wanted.at)))
                  : formatPosition(script, trace, *wanted.at);
  }
  if (wanted.format == "html")
    return renderHtml(script, trace, payload, ran.forms);
  if (wanted.trace) {
    message::ScheduleTrace<> answer = messageOf(script, trace);
    answer.forms = ran.forms;
    return isJson ? json(message::encode(answer)) : formatTrace(script, trace) + formatColumn(ran.forms, script);
  }
  auto result = resultOf(script, trace);
  return result ? llvm::Expected<std::string>(PrintedModule(*result).text()) : result.takeError();
}

static TraceOptions traceOptions(const ScheduleArguments &wanted) {
  TraceOptions options;
  if (wanted.at) {
    options.first = *wanted.at;
    options.last = *wanted.at + 1;
  } else if (wanted.format == "html") {
    options.last = kPositionsOfPage;
    options.mostPositions = 0;
    options.budget = 1;
  } else {
    options.last = 0;
    options.mostPositions = 0;
    options.budget = wanted.trace ? 0.25 : 0;
  }
  options.beforeStep = nameStep;
  return options;
}

/// Says on stderr what was put before which line, and which forms were not reached.
static void reportNormalization(const Script &script, const AutoNormalized &normalized) {
  for (const Insertion &insertion : normalized.insertions)
    if (!insertion.why.empty())
      llvm::errs() << "note: line " << script.ops[insertion.op].line << ": " << script.ops[insertion.include].text
                   << " before '" << script.ops[insertion.op].name << "': " << insertion.why << '\n';
  for (const UnreachedForm &unreached : normalized.unreached)
    llvm::errs() << "warning: line " << script.ops[unreached.op].line << ": '" << script.ops[unreached.op].name
                 << "' expects " << unreached.form->name << ", which normalization does not reach: " << unreached.why
                 << '\n';
}

static llvm::Expected<AutoNormalized> normalize(Script &script, mlir::ModuleOp payload,
                                                const ScheduleArguments &wanted) {
  if (!wanted.hoist)
    return autoNormalize(script, payload, traceOptions(wanted));
  auto hoisted = hoistNormalization(script, payload, traceOptions(wanted));
  if (!hoisted)
    return hoisted.takeError();
  llvm::errs() << "note: " << describeHoist(script, *hoisted) << '\n';
  return std::move(hoisted->normalized);
}

static llvm::Expected<Ran> runScript(Script &script, mlir::ModuleOp payload, const ScheduleArguments &wanted) {
  if (!wanted.autoNormalize) {
    FormColumn column(script);
    auto traced = trace(script, payload, column.watching(traceOptions(wanted)));
    if (!traced)
      return traced.takeError();
    if (std::optional<Diagnostic> advice = formAdvice(script, payload, *traced, traceOptions(wanted)))
      printDiagnostics({*advice});
    printDiagnostics(column.broken());
    return Ran{std::move(*traced), column.lines()};
  }
  auto normalized = normalize(script, payload, wanted);
  if (!normalized)
    return normalized.takeError();
  reportNormalization(script, *normalized);
  printDiagnostics(normalized->broken);
  return Ran{std::move(normalized->trace), std::move(normalized->forms)};
}

/// What ops of a schedule that came to its end had to say, such as transform.debug.emit_remark_at.
static void printRemarks(const Trace &trace) {
  for (const TraceStep &step : trace.steps)
    if (!step.suppressed)
      printDiagnostics(step.diagnostics);
}

namespace {
/// What is to be written, and whether the schedule failed.
struct Outcome {
  std::string text;
  bool failed = false;
};
} // namespace

static llvm::Expected<Outcome> runSchedule(Session &session, mlir::ModuleOp payload, llvm::StringRef path,
                                           const ScheduleArguments &wanted) {
  auto script = openSchedule(session, wanted.schedule.path, wanted.schedule);
  if (!script)
    return script.takeError();
  auto ran = runScript(*script, payload, wanted);
  if (!ran)
    return ran.takeError();
  setActiveStep(std::nullopt);
  if (!wanted.trace && !wanted.at && wanted.format == "text" && !ran->trace.failed)
    printRemarks(ran->trace);
  auto text = wanted.isExplicit && !ran->trace.failed ? llvm::Expected<std::string>(explicitText(*script))
                                                      : reportText(*script, *ran, path, wanted);
  if (!text)
    return text.takeError();
  return Outcome{.text = std::move(*text), .failed = ran->trace.failed};
}

/// Runs the schedules of a file split by `// -----`, each on the payload of its piece.
static llvm::Expected<Outcome> runPieces(Session &session, llvm::ArrayRef<mlir::ModuleOp> pieces, llvm::StringRef path,
                                         ScheduleArguments wanted) {
  if (wanted.at || wanted.isExplicit || wanted.format != "text")
    return fail("'" + path.str() + "' is split by // ----- into " + std::to_string(pieces.size()) +
                " pieces, and --at, --explicit and --format are of one schedule; put the piece into a file of its own");
  Outcome all;
  for (auto [number, piece] : llvm::enumerate(pieces)) {
    wanted.schedule.options.piece = number;
    auto one = hasSchedule(piece) ? runSchedule(session, piece, path, wanted)
                                  : llvm::Expected<Outcome>(Outcome{.text = PrintedModule(piece).text()});
    if (!one)
      return one.takeError();
    all.text += (number > 0 ? "// -----\n" : "") + one->text;
    all.failed |= one->failed;
  }
  return all;
}

/// Runs the script, which may be in the payload's own file, and writes what came of it; whether it failed.
static llvm::Expected<bool> runAndWrite(Session &session, mlir::ModuleOp payload, llvm::StringRef path,
                                        const ScheduleArguments &wanted) {
  llvm::SmallVector<mlir::ModuleOp> pieces = splitModules(payload);
  bool isSplit = wanted.schedule.path == path && pieces.size() > 1;
  auto outcome = isSplit ? runPieces(session, pieces, path, wanted) : runSchedule(session, payload, path, wanted);
  if (!outcome)
    return outcome.takeError();
  if (llvm::Error error = writeOutputFile(wanted.output, outcome->text))
    return error;
  return outcome->failed;
}

/// The forms of the module's functions, or the module in one of them.
static llvm::Error reportForms(Session &session, mlir::ModuleOp module, const ScheduleArguments &wanted) {
  auto forms = openForms(session, wanted.schedule.options.libraries);
  if (!forms)
    return forms.takeError();
  if (wanted.checkForms)
    return writeOutputFile(wanted.output, wanted.format == "json" ? message::jsonText(formReport(module, *forms))
                                                                  : formatForms(formReport(module, *forms)));
  const NormalForm *form = forms->find(wanted.form);
  if (!form)
    return fail("there is no form '" + wanted.form + "'; there are " + forms->names());
  if (llvm::Error error = normalizeTo(*form, module))
    return error;
  return writeOutputFile(wanted.output, PrintedModule(module).text());
}

/// Says what can be said of a script before it runs; whether there is an error.
static llvm::Expected<bool> checkScript(llvm::StringRef path, const ScheduleArguments &wanted) {
  Session session(allDialects());
  auto script = openScript(session, path, wanted.schedule.options);
  if (!script)
    return script.takeError();
  std::vector<Diagnostic> found = script->diagnostics;
  llvm::append_range(found, predictDeadUses(*script));
  bool isWrong = printDiagnostics(found);
  if (found.empty())
    if (llvm::Error error = writeOutputFile(wanted.output, path.str() + ": nothing to say before it runs\n"))
      return error;
  return isWrong;
}

/// A line a knob: its name, what is selected, what it takes.
static llvm::Error reportKnobs(llvm::StringRef path, const ScheduleArguments &wanted) {
  Session session(allDialects());
  auto script = openSchedule(session, path, wanted.schedule);
  if (!script)
    return script.takeError();
  message::ScheduleKnobs<> all = knobsOf(*script);
  if (wanted.format == "json")
    return writeOutputFile(wanted.output, message::jsonText(all));
  std::string text;
  for (const message::ScheduleKnob<> &knob : all.knobs) {
    text += knob.name + " = " + (knob.selected.empty() ? "(open)" : knob.selected) + "   line " +
            std::to_string(knob.line) + ", " + knob.kind + ": " + knob.options;
    if (!knob.values.empty() && knob.options.substr(0, 1) != "[") // which are the values
      text += (knob.options.empty() ? "(" : " (") + llvm::join(knob.values, ", ") + ")";
    text += "\n";
  }
  return writeOutputFile(wanted.output, text.empty() ? path.str() + " has no knob\n" : text);
}

static llvm::Expected<bool> run(llvm::StringRef path, const ScheduleArguments &wanted, int &exitCode) {
  if (wanted.listKnobs) {
    if (llvm::Error error = reportKnobs(wanted.schedule.path.empty() ? path : wanted.schedule.path, wanted))
      return error;
    return false;
  }
  if (wanted.check)
    return checkScript(wanted.schedule.path.empty() ? path : wanted.schedule.path, wanted);
  Session session(allDialects());
  auto input = openModule(session, path, exitCode);
  if (!input)
    return input.takeError();
  if (!wanted.schedule.path.empty() && wanted.schedule.path == path && !hasSchedule(*input->module))
    return fail(
        "'" + path.str() +
        "' has no schedule in it: say which by --schedule S.mlir, or ask for --check-forms or --normalize FORM");
  if (!wanted.schedule.path.empty())
    return runAndWrite(session, *input->module, path, wanted);
  if (llvm::Error error = reportForms(session, *input->module, wanted))
    return error;
  return false;
}

int scheduleCommand(Arguments arguments) {
  ScheduleArguments wanted;
  Options options(
      "schedule", "FILE",
      "Runs a transform-dialect script on a module. Without --trace or --at, it prints the resulting module. With "
      "--trace, it lists every application of a transform op, including those in loops, includes and alternatives, "
      "with silenced failures. With --at, it shows the state before one of them: the payload, the ops of each handle, "
      "and the line that consumed or invalidated a handle.\n\nA normal form is a condition on the IR that transforms "
      "rely on. --check-forms lists the forms that hold, and the ops that violate the others. --auto-normalize inserts "
      "a normalizer before a transform whose form does not hold, --hoist looks for a single earlier normalization with "
      "the same result, and --explicit writes the script including them. --trace also lists the forms known to hold at "
      "each line: by a check, or by what the transforms guarantee.\n\nThe interpreter's expensive checks are on, as in "
      "mlir-opt --transform-interpreter.");
  options.text("schedule", "S.mlir",
               "the script: @__transform_main in a module, or one transform.sequence (default: the script in FILE)",
               wanted.schedule.path);
  declareSchedule(options, wanted.schedule);
  options.flag("check",
               "parse and verify the script (FILE without --schedule), predict uses of dead handles; run nothing",
               wanted.check);
  options.flag("knobs", "list the knobs of the script (FILE without --schedule); run nothing", wanted.listKnobs);
  options.number("time-limit", "end the schedule after N seconds, and name the line that ran", wanted.seconds, 1,
                 1000000);
  options.flag("trace", "list every application", wanted.trace);
  options.custom("at", "N", "show payload and handles before application N, as --trace numbers it",
                 [&](llvm::StringRef value) { return parseStepNumber(value, wanted.at); });
  options.flag("auto-normalize", "bring functions into the form that a transform expects", wanted.autoNormalize);
  options.flag("hoist", "with --auto-normalize: look for one earlier normalization that replaces the others",
               wanted.hoist);
  options.flag("explicit", "write the script with the inserted normalizers, instead of the module", wanted.isExplicit);
  options.flag("check-forms", "without a script: list the normal forms of each function", wanted.checkForms);
  options.text("normalize", "FORM", "without a script: write the module in this form", wanted.form);
  options.choice(
      "format", {"text", "json", "html"},
      "format of --trace, --at, --knobs and --check-forms; html is the trace with handles and diffs (default: text)",
      wanted.format);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.output, 'o');
  declarePlugins(options);
  options.example(
      "fuselage schedule samples/schedules/batch_matmul_payload.mlir --schedule samples/schedules/batch_matmul.mlir");
  options.example("fuselage schedule payload_and_script.mlir");
  options.example("fuselage schedule model.mlir --schedule tile.mlir --entry tile_matmuls --arg mm=linalg.matmul");
  options.example("fuselage schedule model.mlir --schedule tile.mlir --trace");
  options.example("fuselage schedule model.mlir --schedule tile.mlir --at 12");
  options.example("fuselage schedule model.mlir --schedule tile.mlir --format html -o trace.html");
  options.example(
      "fuselage schedule nest.mlir --schedule interchange.mlir --auto-normalize --explicit -o explicit.mlir");
  options.example(
      "fuselage schedule nest.mlir --schedule interchange.mlir --auto-normalize --hoist --explicit -o explicit.mlir");
  options.example("fuselage schedule tile.mlir --check");
  options.example("fuselage schedule tile.mlir --knobs");
  options.example("fuselage schedule model.mlir --schedule tile.mlir --set rows=32 --explicit -o tuned.mlir");
  options.example("fuselage schedule nest.mlir --check-forms");
  if (auto code = options.parse(arguments))
    return *code;
  int modes = !wanted.schedule.path.empty() + wanted.checkForms + !wanted.form.empty();
  if (modes > 1)
    return usageError("schedule", "--schedule, --check-forms and --normalize exclude each other");
  if (modes == 0 && !wanted.check && !wanted.listKnobs)
    wanted.schedule.path = options.positional(); // payload and script in one file, as in MLIR's tests
  if (wanted.hoist && !wanted.autoNormalize)
    return usageError("schedule", "--hoist needs --auto-normalize: it hoists what that puts in");
  alarm(wanted.seconds); // the supervisor says the rest
  int exitCode = ExitOk;
  auto failed = run(options.positional(), wanted, exitCode);
  if (!failed)
    return reportFailure(failed.takeError());
  return *failed ? ExitInputError : exitCode;
}

} // namespace fuselage::cli
