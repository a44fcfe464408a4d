#include "app/cli/mcp/McpTools.h"
#include "app/cli/mcp/McpArguments.h"
#include "app/cli/mcp/McpReports.h"
#include "core/protocol/json/JsonReader.h"
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

static llvm::Expected<ProgramEnd> runToEnd(McpWork &work, std::vector<std::string> arguments) {
  constexpr double timeoutSeconds = 900;
  return runProgram(work.program, arguments, "", &work.cancelled, timeoutSeconds, "it is this program");
}

static std::string complaintOf(const ProgramEnd &end) {
  llvm::StringRef complaint = llvm::StringRef(end.messages).trim();
  complaint.consume_front("fuselage: ");
  return complaint.str();
}

/// What a command of ours prints, though its exit code may say that something is wrong, as of a wrong result. Failure:
/// it prints nothing, and what it complains about.
static Text runOurs(McpWork &work, std::vector<std::string> arguments) {
  auto end = runToEnd(work, std::move(arguments));
  if (!end)
    return end.takeError();
  if (end->exitCode == 0)
    return std::move(end->output);
  if (end->output.empty())
    return fail(complaintOf(*end));
  return end->output + "\n" + complaintOf(*end);
}

/// A command that prints a module, which becomes a document. The answer has the module, or what the command says
/// beside it.
static Text runForDocument(McpWork &work, const McpDocument &from, std::vector<std::string> command,
                           llvm::StringRef origin, bool showsModule) {
  auto end = runToEnd(work, std::move(command));
  if (!end)
    return end.takeError();
  if (end->exitCode != 0) // what it has printed is no module then, or one that is wrong
    return fail(complaintOf(*end));
  auto made = work.documents.add(end->output, from.path, from.id + " after " + origin.str());
  if (!made)
    return made.takeError();
  return "the result is " + made->id + "\n" + (showsModule ? end->output : end->messages);
}

/// The module of a document, as the same printer prints all.
static Text printed(McpWork &work, const McpDocument &document, std::vector<std::string> options = {}) {
  std::vector<std::string> command{"step", document.path, "--pipeline", "canonicalize",
                                   "--at", "0",           "--side",     "before"};
  command.insert(command.end(), options.begin(), options.end());
  return runOurs(work, std::move(command));
}

/// What `explain` says of a document; `unlocks`: with the transforms that were tried.
static llvm::Expected<message::FusionReport<>> explain(McpWork &work, const McpDocument &document, bool unlocks) {
  std::vector<std::string> command{"explain", document.path, "--format", "json"};
  if (!unlocks)
    command.push_back("--no-unlocks");
  Text out = runOurs(work, std::move(command));
  llvm::Expected<Value> json = out ? llvm::json::parse(*out) : out.takeError();
  if (!json)
    return json.takeError();
  message::FusionReport<> report;
  if (const Object *object = json->getAsObject())
    message::decode(*object, report);
  return report;
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
  auto report = explain(work, document, /*unlocks=*/false);
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

static Text graphTool(McpWork &work, const McpDocument &document, const Object &) {
  auto report = explain(work, document, /*unlocks=*/false);
  if (!report)
    return report.takeError();
  return totalsText(*report) + "\n" + dispatchesText(*report);
}

static Text missedTool(McpWork &work, const McpDocument &document, const Object &) {
  auto report = explain(work, document, /*unlocks=*/true);
  if (!report)
    return report.takeError();
  return totalsText(*report) + "\n" + missedText(*report);
}

static Text whyTool(McpWork &work, const McpDocument &document, const Object &arguments) {
  auto report = explain(work, document, /*unlocks=*/true);
  if (!report)
    return report.takeError();
  return edgeText(*report, textOf(arguments, "edge"));
}

static Text fuseTool(McpWork &work, const McpDocument &document, const Object &arguments) {
  std::string edge = textOf(arguments, "edge");
  if (edge.empty() == !isSet(arguments, "all"))
    return fail("give 'edge', as missed_fusions numbers it, or 'all'");
  std::vector<std::string> command{"fuse", document.path, "-o", "-"};
  if (edge.empty())
    command.push_back("--all");
  else
    command.insert(command.end(), {"--edge", edge});
  if (!isSet(arguments, "check"))
    command.push_back("--no-check");
  return runForDocument(work, document, std::move(command), edge.empty() ? "fusing all that pays" : "fusing " + edge,
                        /*showsModule=*/false);
}

static Text stepTool(McpWork &work, const McpDocument &document, const Object &arguments) {
  std::vector<std::string> command{"step", document.path};
  if (llvm::Error error = addPipeline(arguments, command))
    return std::move(error);
  std::optional<int64_t> at = arguments.getInteger("at");
  if (at)
    command.insert(command.end(), {"--at", std::to_string(*at)});
  if (at && isSet(arguments, "keep"))
    return runForDocument(work, document, std::move(command), "step " + std::to_string(*at), /*showsModule=*/true);
  return runOurs(work, std::move(command));
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

static Text rewritesTool(McpWork &work, const McpDocument &document, const Object &arguments) {
  std::vector<std::string> command{"step", document.path, "--rewrites"};
  if (llvm::Error error = addPipeline(arguments, command))
    return std::move(error);
  if (std::optional<int64_t> at = arguments.getInteger("at"))
    command.insert(command.end(), {"--at", std::to_string(*at)});
  addTexts(arguments, {{"op", "--op"}}, command);
  return runOurs(work, command);
}

static Text runTool(McpWork &work, const McpDocument &document, const Object &arguments) {
  std::vector<std::string> command{"run", document.path};
  addTexts(arguments, {{"device", "--device"}, {"function", "--function"}}, command);
  return runOurs(work, command);
}

static Text tilesTool(McpWork &work, const McpDocument &document, const Object &arguments) {
  std::vector<std::string> command{"tiles", document.path};
  addTexts(arguments, {{"op", "--op"}, {"sizes", "--sizes"}}, command);
  if (isSet(arguments, "fuse"))
    command.push_back("--fuse");
  return runOurs(work, command);
}

static Text buffersTool(McpWork &work, const McpDocument &document, const Object &) {
  return runOurs(work, {"buffers", document.path});
}

static Text scheduleTool(McpWork &work, const McpDocument &document, const Object &arguments) {
  auto script = work.documents.scratchFile("schedule.mlir", textOf(arguments, "script"));
  if (!script)
    return script.takeError();
  std::vector<std::string> command{"schedule", document.path, "--schedule", *script};
  if (isSet(arguments, "trace")) {
    command.push_back("--trace");
    return runOurs(work, command);
  }
  return runForDocument(work, document, std::move(command), "a schedule", /*showsModule=*/true);
}

static Text tuneTool(McpWork &work, const McpDocument &document, const Object &arguments) {
  constexpr int64_t mostSeconds = 600;
  int64_t seconds = arguments.getInteger("seconds").value_or(30);
  if (seconds < 1 || seconds > mostSeconds)
    return fail("'seconds' is from 1 to 600");
  // What is found is the answer, and stays out of the user's library.
  std::vector<std::string> command{"tune", document.path, "--tuned", "none", "--budget", std::to_string(seconds) + "s"};
  addTexts(arguments, {{"dispatch", "--dispatch"}, {"device", "--device"}}, command);
  return runOurs(work, command);
}

static Text compareTool(McpWork &work, const Object &arguments) {
  auto before = documentOf(work, arguments, "before"), after = documentOf(work, arguments, "after");
  if (!before || !after)
    return llvm::joinErrors(before.takeError(), after.takeError());
  return runOurs(work, {"compare", before->path, after->path});
}

static Text exportTool(McpWork &work, const McpDocument &document, const Object &arguments) {
  auto path = work.documents.writable(textOf(arguments, "path"), isSet(arguments, "replace"));
  if (!path)
    return path.takeError();
  bool isModule = llvm::StringRef(*path).ends_with(".mlir");
  Text out = isModule ? printed(work, document, {"--full", "-o", *path})
                      : runOurs(work, {"graph", document.path, "-o", *path});
  return out ? Text("wrote " + *path) : out.takeError();
}

/// The document that 'document' names, for a tool that works on one.
template <Text (*tool)(McpWork &, const McpDocument &, const Object &)>
static Text onDocument(McpWork &work, const Object &arguments) {
  auto document = documentOf(work, arguments);
  return document ? tool(work, *document, arguments) : document.takeError();
}

static Object withDocument(Object schemas = {}) {
  schemas["document"] = documentSchema();
  schemas["page"] = pageSchema();
  return schemas;
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
       [] { return withDocument(); },
       {"document"},
       onDocument<graphTool>},
      {"missed_fusions",
       "Values that go through memory between two ops, what each costs, why, and what fuses it.",
       [] { return withDocument(); },
       {"document"},
       onDocument<missedTool>},
      {"why",
       "All that is known of one edge: verdict, every reason with its evidence, what was tried.",
       [] {
         return withDocument(Object{{"edge", textSchema("FROM:TO or FROM:TO:OPERAND")}});
       },
       {"document", "edge"},
       onDocument<whyTool>},
      {"fuse",
       "Fuse one edge, or every edge that pays, into a new document.",
       [] {
         return withDocument(Object{{"edge", textSchema("FROM:TO or FROM:TO:OPERAND")},
                                    {"all", flagSchema("every fusion that pays, by prediction")},
                                    {"check", flagSchema("run before and after on random inputs and compare")}});
       },
       {"document"},
       onDocument<fuseTool>},
      {"step",
       "The passes of a pipeline one by one, or the IR after one of them.",
       [] {
         return withDocument(Object{{"pipeline", textSchema("as for mlir-opt; default: ours")},
                                    {"at", numberSchema("print the IR after this step")},
                                    {"keep", flagSchema("with 'at': make a document of it")}});
       },
       {"document"},
       onDocument<stepTool>},
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
         return withDocument(Object{{"pipeline", textSchema("as for mlir-opt; default: ours")},
                                    {"at", numberSchema("the step; default: all")},
                                    {"op", textSchema("a line, op name or function")}});
       },
       {"document"},
       onDocument<rewritesTool>},
      {"run",
       "Compile and time every dispatch, and check the results.",
       [] {
         return withDocument(Object{{"device", textSchema("host (default), vulkan:N, cuda:N")},
                                    {"function", textSchema("default: the first public one")}});
       },
       {"document"},
       onDocument<runTool>},
      {"tiles",
       "What a tile of an op touches: footprints, halo, recomputation, intensity.",
       [] {
         return withDocument(Object{{"op", textSchema("%name, file:line or the name of an op")},
                                    {"sizes", textSchema("tile sizes by loop, such as 32,128,0")},
                                    {"fuse", flagSchema("with producers inside the tiles")}});
       },
       {"document"},
       onDocument<tilesTool>},
      {"buffers",
       "Why there are copies, how long buffers live, peak memory.",
       [] { return withDocument(); },
       {"document"},
       onDocument<buffersTool>},
      {"schedule",
       "Apply a transform-dialect script, into a new document, or list its applications.",
       [] {
         return withDocument(
             Object{{"script", textSchema("the script")}, {"trace", flagSchema("list every application instead")}});
       },
       {"document", "script"},
       onDocument<scheduleTool>},
      {"tune",
       "Search tile sizes of dispatches on a device.",
       [] {
         return withDocument(Object{{"dispatch", textSchema("number or name; default: all")},
                                    {"device", textSchema("host (default), vulkan:N, cuda:N")},
                                    {"seconds", numberSchema("the budget, 1 to 600; default 30")}});
       },
       {"document"},
       onDocument<tuneTool>},
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
       onDocument<exportTool>},
  };
  return tools;
}

} // namespace fuselage::cli
