#include "core/lsp/Commands.h"
#include "core/lsp/features/Features.h"
#include "core/support/JsonText.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

namespace fuselage::lsp {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static std::string keyOf(const Value &id) { return "command " + compactJson(id); }

/// What went wrong is said in a box, too: editors show the error of a command in different ways, or not at all.
void CommandRunner::fail(const Value &id, StringRef message) {
  replies_.error(id, ErrorCode::Failed, message);
  replies_.show(message, /*isError=*/true);
}

void CommandRunner::start(const Value &id, Program program, Done done) {
  auto run = [this, program = std::move(program), done = std::move(done)](const TrialResult &,
                                                                          const std::atomic<bool> &cancelled) {
    constexpr double timeoutSeconds = 600;
    auto end = runProgram(options_.program, program.arguments, program.input, &cancelled, timeoutSeconds,
                          "it is this program");
    auto said = std::make_shared<ProgramEnd>();
    if (end)
      *said = std::move(*end);
    else
      *said = {.exitCode = -1, .output = "", .messages = llvm::toString(end.takeError())};
    events_.add([done, said] { done(*said); });
  };
  work_.start({.key = keyOf(id), .inCopy = nullptr, .done = run});
}

void CommandRunner::cancel(const Value &params) {
  const Object *object = params.getAsObject();
  if (const Value *id = object ? object->get("id") : nullptr)
    work_.cancel(keyOf(*id));
}

void CommandRunner::execute(const Value &id, const Value &params) {
  StringRef name = textIn(params, "command");
  const Array *arguments = params.getAsObject() ? params.getAsObject()->getArray("arguments") : nullptr;
  auto argument = [&](size_t index) {
    bool isThere = arguments && index < arguments->size();
    return isThere ? (*arguments)[index].getAsString().value_or("") : StringRef();
  };
  if (name == "fuselage.why") {
    replies_.show(argument(0));
    return replies_.result(id, argument(0).str());
  }
  auto found = documents_.find(argument(0));
  if (found == documents_.end())
    return replies_.error(id, ErrorCode::InvalidParams, "the document is not open");
  const OpenDocument &document = found->second;
  if (name == "fuselage.open")
    return openWindow(id, document);
  if (name == "fuselage.run")
    return runFunction(id, document, argument(1));
  if (name == "fuselage.step")
    return step(id, document, argument(1));
  if (name == "fuselage.fuse")
    return rewrite(id, document, {"fuse", "-", "--edge", argument(1).str(), "-o", "-", "--no-check"}, "Fuse");
  if (name == "fuselage.fuseAll")
    return rewrite(id, document, {"fuse", "-", "--all", "-o", "-", "--no-check"}, "Fuse all that pays");
  if (name == "fuselage.normalize")
    return argument(1).empty()
               ? rewrite(id, document, {"step", "-", "--at", "0"}, "Normalize to linalg on tensors")
               : rewrite(id, document, {"schedule", "-", "--normalize", argument(1).str()}, "Normalize to a form");
  replies_.error(id, ErrorCode::InvalidParams, ("no command is called '" + name + "'").str());
}

/// The window reads files: what is not saved yet is not in it.
void CommandRunner::openWindow(const Value &id, const OpenDocument &document) {
  if (options_.window.empty())
    return fail(id, "the window's program, fuselage-gui, is neither beside this one nor on PATH");
  if (!StringRef(document.uri).starts_with("file://") || !llvm::sys::fs::exists(document.path))
    return fail(id, "save the file first: the window opens files");
  std::string error;
  bool failed = false;
  llvm::sys::ExecuteNoWait(options_.window, {options_.window, "--join", document.path}, std::nullopt,
                           {"/dev/null", "/dev/null", "/dev/null"}, 0, &error, &failed);
  if (failed)
    return fail(id, "the window cannot be started: " + error);
  replies_.result(id, nullptr);
}

/// What a program that ended without a result says.
static StringRef complaintOf(const ProgramEnd &end) {
  StringRef said = StringRef(end.messages).trim();
  said.consume_front("fuselage: ");
  return said.empty() ? "the command ended without a word" : said;
}

void CommandRunner::runFunction(const Value &id, const OpenDocument &document, StringRef function) {
  std::vector<std::string> arguments{"run", "-"};
  if (!function.empty())
    arguments.insert(arguments.end(), {"--function", function.str()});
  start(id, {arguments, document.text.text()}, [this, id](const ProgramEnd &end) {
    report(id, end, [](StringRef line) { return line.starts_with("sum of the medians"); });
  });
}

void CommandRunner::step(const Value &id, const OpenDocument &document, StringRef pipeline) {
  if (pipeline.empty())
    return replies_.error(id, ErrorCode::InvalidParams, "there is no pipeline");
  start(id, {{"step", "-", "--pipeline", pipeline.str()}, document.text.text()}, [this, id](const ProgramEnd &end) {
    report(id, end, [](StringRef line) { return line.contains(" changed the IR"); });
  });
}

void CommandRunner::report(const Value &id, const ProgramEnd &end, llvm::function_ref<bool(StringRef)> isSum) {
  if (end.output.empty())
    return fail(id, complaintOf(end));
  replies_.log(end.output);
  // The line that sums it up, or what is wrong.
  StringRef sum = end.exitCode == 0 ? "it ran; the log has the table" : complaintOf(end);
  for (StringRef line : llvm::split(end.output, '\n'))
    if (end.exitCode == 0 && isSum(line))
      sum = line;
  replies_.show(sum, /*isError=*/end.exitCode != 0);
  replies_.result(id, Object{{"text", llvm::json::fixUTF8(end.output)}});
}

void CommandRunner::rewrite(const Value &id, const OpenDocument &document, std::vector<std::string> arguments,
                            StringRef label) {
  auto done = [this, id, uri = document.uri, version = document.version, label = label.str()](const ProgramEnd &end) {
    if (end.exitCode != 0 || end.output.empty())
      return fail(id, complaintOf(end));
    replies_.log(end.messages);
    applyEdit(uri, version, end.output, label);
    replies_.result(id, Object{{"report", llvm::json::fixUTF8(end.messages)}});
  };
  start(id, {std::move(arguments), document.text.text()}, done);
}

void CommandRunner::applyEdit(StringRef uri, int64_t version, StringRef text, StringRef label) {
  auto found = documents_.find(uri);
  if (found == documents_.end() || found->second.version != version)
    return replies_.show("the text was changed meanwhile, and stays as it is: ask again", /*isError=*/true);
  Array edits = editsTo(found->second, text);
  if (edits.empty())
    return replies_.show("nothing changes");
  replies_.ask("workspace/applyEdit",
               Object{{"label", label}, {"edit", Object{{"changes", Object{{uri.str(), std::move(edits)}}}}}});
}

void CommandRunner::showText(const Value &id, const Value &params) {
  std::string path = pathOfUri(textIn(params, "uri"));
  auto done = [this, id](const ProgramEnd &end) {
    if (end.output.empty())
      return replies_.error(id, ErrorCode::Failed, complaintOf(end));
    replies_.result(id, Object{{"text", llvm::json::fixUTF8(end.output)}});
  };
  start(id, {{"step", path, "--pipeline", "canonicalize", "--at", "0", "--side", "before"}, ""}, done);
}

} // namespace fuselage::lsp
