#include "app/cli/mcp/McpTools.h"
#include "app/cli/mcp/McpArguments.h"
#include "app/cli/mcp/McpReports.h"
#include "core/stepping/diff/TextDiff.h"
#include "core/support/process/HelperProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fuselage::cli {

using llvm::json::Object;
using llvm::json::Value;
using Text = llvm::Expected<std::string>;

//===-- Running our own program -----------------------------------------------------------===//

/// What a command of ours prints, though its exit code may say that something is wrong, as of a wrong result.
/// `messages`: what it says beside that. Failure: it prints nothing, and what it complains about.
static Text runOurs(McpWork &work, std::vector<std::string> arguments, std::string *messages = nullptr) {
  constexpr double timeoutSeconds = 900;
  auto end = runProgram(work.program, arguments, "", &work.cancelled, timeoutSeconds, "it is this program");
  if (!end)
    return end.takeError();
  if (messages)
    *messages = end->messages;
  if (end->exitCode == 0)
    return std::move(end->output);
  llvm::StringRef complaint = llvm::StringRef(end->messages).trim();
  complaint.consume_front("fuselage: ");
  if (end->output.empty())
    return fail(complaint.str());
  return end->output + "\n" + complaint.str();
}

/// The module of a document, as the same printer prints all.
static Text printed(McpWork &work, const McpDocument &document, std::vector<std::string> options = {}) {
  std::vector<std::string> command{"step", document.path, "--pipeline", "canonicalize",
                                   "--at", "0",           "--side",     "before"};
  command.insert(command.end(), options.begin(), options.end());
  return runOurs(work, std::move(command));
}

static llvm::Expected<Value> runForJson(McpWork &work, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  Text out = runOurs(work, std::move(arguments));
  if (!out)
    return out.takeError();
  return llvm::json::parse(*out);
}

static Text readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return fail("'" + path + "' cannot be read: " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// The document that an argument names.
static llvm::Expected<McpDocument> documentOf(McpWork &work, const Object &arguments,
                                              llvm::StringRef name = "document") {
  return work.documents.find(textOf(arguments, name));
}

/// A pipeline may name other programs (`tool(..)`): none is started here.
static llvm::Error addPipeline(const Object &arguments, std::vector<std::string> &command) {
  std::string pipeline = textOf(arguments, "pipeline");
  if (pipeline.empty())
    return llvm::Error::success();
  if (llvm::StringRef(pipeline).contains("tool("))
    return fail("other programs, as in tool(..), are not started by this server");
  command.insert(command.end(), {"--pipeline", pipeline});
  return llvm::Error::success();
}

/// Adds `--option value` for each argument that is there.
static void addTexts(const Object &arguments, std::initializer_list<std::pair<const char *, const char *>> options,
                     std::vector<std::string> &command) {
  for (auto [name, option] : options)
    if (std::string value = textOf(arguments, name); !value.empty())
      command.insert(command.end(), {option, value});
}

static Object documentSchema() { return textSchema("the document, such as d1, as open and fuse name it"); }
static Object pageSchema() { return numberSchema("the page of a long answer, from 1"); }

//===-- The tools -------------------------------------------------------------------------===//

static Text summaryOf(McpWork &work, const McpDocument &document) {
  auto report = runForJson(work, {"explain", document.path, "--no-unlocks"});
  if (!report)
    return report.takeError();
  return document.id + " (" + document.origin + "): " + totalsText(*report);
}

static Text openTool(McpWork &work, const Object &arguments) {
  std::string path = textOf(arguments, "path"), text = textOf(arguments, "text"), name = "module.mlir";
  if (path.empty() == text.empty())
    return fail("give 'path', a file in the folders of this server, or 'text', the module itself");
  if (!path.empty()) {
    auto file = work.documents.readable(path);
    if (!file)
      return file.takeError();
    auto read = readFile(*file);
    if (!read)
      return read.takeError();
    text = std::move(*read);
    name = path;
  }
  auto document = work.documents.add(text, name, path.empty() ? "text" : path);
  if (!document)
    return document.takeError();
  return summaryOf(work, *document);
}

static Text graphTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  auto report = runForJson(work, {"explain", document->path, "--no-unlocks"});
  if (!report)
    return report.takeError();
  return totalsText(*report) + "\n" + dispatchesText(*report);
}

static Text missedTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  auto report = runForJson(work, {"explain", document->path});
  if (!report)
    return report.takeError();
  return totalsText(*report) + "\n" + missedText(*report);
}

static Text whyTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  auto report = runForJson(work, {"explain", document->path});
  if (!report)
    return report.takeError();
  return edgeText(*report, textOf(arguments, "edge"));
}

static Text fuseTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  std::string edge = textOf(arguments, "edge");
  if (edge.empty() == !isSet(arguments, "all"))
    return fail("give 'edge', as missed_fusions numbers it, or 'all'");
  std::vector<std::string> command{"fuse", document->path, "-o", "-"};
  if (edge.empty())
    command.push_back("--all");
  else
    command.insert(command.end(), {"--edge", edge});
  if (!isSet(arguments, "check"))
    command.push_back("--no-check");
  std::string report;
  Text module = runOurs(work, command, &report);
  if (!module)
    return module;
  std::string what = edge.empty() ? "fusing all that pays" : "fusing " + edge;
  auto made = work.documents.add(*module, document->path, document->id + " after " + what);
  if (!made)
    return made.takeError();
  return "the result is " + made->id + "\n" + report;
}

static Text stepTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  std::vector<std::string> command{"step", document->path};
  if (llvm::Error error = addPipeline(arguments, command))
    return std::move(error);
  std::optional<int64_t> at = arguments.getInteger("at");
  if (at)
    command.insert(command.end(), {"--at", std::to_string(*at)});
  Text out = runOurs(work, command);
  if (!out || !at || !isSet(arguments, "keep"))
    return out;
  auto made = work.documents.add(*out, document->path, document->id + " after step " + std::to_string(*at));
  if (!made)
    return made.takeError();
  return "the result is " + made->id + "\n" + *out;
}

static Text diffTool(McpWork &work, const Object &arguments) {
  std::vector<std::string> sides;
  for (const char *name : {"before", "after"}) {
    auto document = documentOf(work, arguments, name);
    if (!document)
      return document.takeError();
    Text text = printed(work, *document);
    if (!text)
      return text;
    sides.push_back(std::move(*text));
  }
  return diffText(sides[0], sides[1]);
}

static Text rewritesTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  std::vector<std::string> command{"step", document->path, "--rewrites"};
  if (llvm::Error error = addPipeline(arguments, command))
    return std::move(error);
  if (std::optional<int64_t> at = arguments.getInteger("at"))
    command.insert(command.end(), {"--at", std::to_string(*at)});
  addTexts(arguments, {{"op", "--op"}}, command);
  return runOurs(work, command);
}

static Text runTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  std::vector<std::string> command{"run", document->path};
  addTexts(arguments, {{"device", "--device"}, {"function", "--function"}}, command);
  return runOurs(work, command);
}

static Text tilesTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  std::vector<std::string> command{"tiles", document->path};
  addTexts(arguments, {{"op", "--op"}, {"sizes", "--sizes"}}, command);
  if (isSet(arguments, "fuse"))
    command.push_back("--fuse");
  return runOurs(work, command);
}

static Text buffersTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  return document ? runOurs(work, {"buffers", document->path}) : document.takeError();
}

static Text scheduleTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  auto script = work.documents.scratchFile("schedule.mlir", textOf(arguments, "script"));
  if (!script)
    return script.takeError();
  std::vector<std::string> command{"schedule", document->path, "--schedule", *script};
  if (isSet(arguments, "trace")) {
    command.push_back("--trace");
    return runOurs(work, command);
  }
  Text module = runOurs(work, command);
  if (!module)
    return module;
  auto made = work.documents.add(*module, document->path, document->id + " after a schedule");
  if (!made)
    return made.takeError();
  return "the result is " + made->id + "\n" + *module;
}

static Text tuneTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  constexpr int64_t mostSeconds = 600;
  int64_t seconds = arguments.getInteger("seconds").value_or(30);
  if (seconds < 1 || seconds > mostSeconds)
    return fail("'seconds' is from 1 to 600");
  // What is found is the answer, and stays out of the user's library.
  std::vector<std::string> command{"tune", document->path, "--tuned",
                                   "none", "--budget",     std::to_string(seconds) + "s"};
  addTexts(arguments, {{"dispatch", "--dispatch"}, {"device", "--device"}}, command);
  return runOurs(work, command);
}

static Text compareTool(McpWork &work, const Object &arguments) {
  auto before = documentOf(work, arguments, "before"), after = documentOf(work, arguments, "after");
  if (!before || !after)
    return llvm::joinErrors(before.takeError(), after.takeError());
  return runOurs(work, {"compare", before->path, after->path});
}

static Text exportTool(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  if (!document)
    return document.takeError();
  auto path = work.documents.writable(textOf(arguments, "path"), isSet(arguments, "replace"));
  if (!path)
    return path.takeError();
  bool isModule = llvm::StringRef(*path).ends_with(".mlir");
  Text out = isModule ? printed(work, *document, {"--full", "-o", *path})
                      : runOurs(work, {"graph", document->path, "-o", *path});
  return out ? Text("wrote " + *path) : out.takeError();
}

//===-- Their descriptions ----------------------------------------------------------------===//

const std::vector<McpTool> &mcpTools() {
  static const std::vector<McpTool> tools{
      {"open",
       "Open a module of MLIR (linalg, StableHLO, torch, any dialect) and say how many dispatches it has.",
       [] {
         return Object{{"path", textSchema("a file in a folder of this server")},
                       {"text", textSchema("the module itself")}};
       },
       {},
       openTool},
      {"graph_summary",
       "The dispatches of a document: kind, ops, bytes through memory.",
       [] {
         return Object{{"document", documentSchema()}, {"page", pageSchema()}};
       },
       {"document"},
       graphTool},
      {"missed_fusions",
       "Values that go through memory between two ops, what each costs, why, and what fuses it.",
       [] {
         return Object{{"document", documentSchema()}, {"page", pageSchema()}};
       },
       {"document"},
       missedTool},
      {"why",
       "All that is known of one edge: verdict, every reason with its evidence, what was tried.",
       [] {
         return Object{{"document", documentSchema()},
                       {"edge", textSchema("FROM:TO or FROM:TO:OPERAND")},
                       {"page", pageSchema()}};
       },
       {"document", "edge"},
       whyTool},
      {"fuse",
       "Fuse one edge, or every edge that pays, into a new document.",
       [] {
         return Object{{"document", documentSchema()},
                       {"edge", textSchema("FROM:TO or FROM:TO:OPERAND")},
                       {"all", flagSchema("every fusion that pays, by prediction")},
                       {"check", flagSchema("run before and after on random inputs and compare")},
                       {"page", pageSchema()}};
       },
       {"document"},
       fuseTool},
      {"step",
       "The passes of a pipeline one by one, or the IR after one of them.",
       [] {
         return Object{{"document", documentSchema()},
                       {"pipeline", textSchema("as for mlir-opt; default: ours")},
                       {"at", numberSchema("print the IR after this step")},
                       {"keep", flagSchema("with 'at': make a document of it")},
                       {"page", pageSchema()}};
       },
       {"document"},
       stepTool},
      {"diff",
       "What differs between the IR of two documents.",
       [] {
         return Object{{"before", documentSchema()}, {"after", documentSchema()}, {"page", pageSchema()}};
       },
       {"before", "after"},
       diffTool},
      {"rewrites",
       "Every rewrite inside a step, or which patterns were tried on an op and why they did not match.",
       [] {
         return Object{{"document", documentSchema()},
                       {"pipeline", textSchema("as for mlir-opt; default: ours")},
                       {"at", numberSchema("the step; default: all")},
                       {"op", textSchema("a line, op name or function")},
                       {"page", pageSchema()}};
       },
       {"document"},
       rewritesTool},
      {"run",
       "Compile and time every dispatch, and check the results.",
       [] {
         return Object{{"document", documentSchema()},
                       {"device", textSchema("host (default), vulkan:N, cuda:N")},
                       {"function", textSchema("default: the first public one")},
                       {"page", pageSchema()}};
       },
       {"document"},
       runTool},
      {"tiles",
       "What a tile of an op touches: footprints, halo, recomputation, intensity.",
       [] {
         return Object{{"document", documentSchema()},
                       {"op", textSchema("%name, file:line or the name of an op")},
                       {"sizes", textSchema("tile sizes by loop, such as 32,128,0")},
                       {"fuse", flagSchema("with producers inside the tiles")},
                       {"page", pageSchema()}};
       },
       {"document"},
       tilesTool},
      {"buffers",
       "Why there are copies, how long buffers live, peak memory.",
       [] {
         return Object{{"document", documentSchema()}, {"page", pageSchema()}};
       },
       {"document"},
       buffersTool},
      {"schedule",
       "Apply a transform-dialect script, into a new document, or list its applications.",
       [] {
         return Object{{"document", documentSchema()},
                       {"script", textSchema("the script")},
                       {"trace", flagSchema("list every application instead")},
                       {"page", pageSchema()}};
       },
       {"document", "script"},
       scheduleTool},
      {"tune",
       "Search tile sizes of dispatches on a device.",
       [] {
         return Object{{"document", documentSchema()},
                       {"dispatch", textSchema("number or name; default: all")},
                       {"device", textSchema("host (default), vulkan:N, cuda:N")},
                       {"seconds", numberSchema("the budget, 1 to 600; default 30")},
                       {"page", pageSchema()}};
       },
       {"document"},
       tuneTool},
      {"compare",
       "Pair the dispatches of two documents of the same model: same, merged, split, bytes.",
       [] {
         return Object{{"before", documentSchema()}, {"after", documentSchema()}, {"page", pageSchema()}};
       },
       {"before", "after"},
       compareTool},
      {"export",
       "Write the module (.mlir) or its graph (.svg, .png, .pdf, .dot, .json) into a folder of this server.",
       [] {
         return Object{{"document", documentSchema()},
                       {"path", textSchema("the file")},
                       {"replace", flagSchema("overwrite a file that is there")}};
       },
       {"document", "path"},
       exportTool},
  };
  return tools;
}

} // namespace fuselage::cli
