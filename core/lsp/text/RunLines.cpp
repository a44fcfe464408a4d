#include "core/lsp/text/RunLines.h"
#include "core/support/ShellWords.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

namespace fuselage::lsp {

using llvm::StringRef;

/// What follows "RUN:" in a comment.
static std::optional<StringRef> commandOf(StringRef line) {
  line = line.ltrim();
  if (!line.consume_front("//"))
    return std::nullopt;
  line = line.ltrim("/ \t");
  if (!line.consume_front("RUN:"))
    return std::nullopt;
  return line.trim();
}

/// The commands of a line of the shell, without their redirections.
static std::vector<std::string> commandsOf(StringRef line) {
  std::vector<std::string> commands(1);
  char quote = 0;
  bool isRedirected = false;
  for (size_t at = 0; at < line.size(); ++at) {
    char c = line[at];
    const bool isEscaped = c == '\\' && quote != '\'' && at + 1 < line.size();
    if (!quote && (c == '|' || c == ';' || c == '&')) {
      commands.emplace_back();
      isRedirected = false;
      continue;
    }
    if (!quote && !isEscaped && (c == '<' || c == '>'))
      isRedirected = true;
    if (!isEscaped && (c == '\'' || c == '"') && (!quote || quote == c))
      quote = quote ? 0 : c;
    if (isRedirected)
      continue;
    commands.back() += c;
    if (isEscaped)
      commands.back() += line[++at];
  }
  return commands;
}

/// Options of MlirOptMain and of lit's substitutions are many; those that no pass can be taken for are known by how
/// they begin.
static bool isOptionOfTool(StringRef name) {
  static const llvm::StringSet<> names = {"split-input-file",
                                          "verify-diagnostics",
                                          "allow-unregistered-dialect",
                                          "emit-bytecode",
                                          "verify-each",
                                          "no-implicit-module",
                                          "debug-only",
                                          "o"};
  return names.contains(name) || name.starts_with("mlir-") || name.starts_with("load-") || name.starts_with("dump-");
}

static bool isPass(StringRef name) { return mlir::PassInfo::lookup(name) || mlir::PassPipelineInfo::lookup(name); }

/// Adds what one argument says. `next` is the argument after it, which --pass-pipeline may take.
static void addArgument(StringRef argument, const std::string *next, RunLine &run) {
  if (!argument.consume_front("-"))
    return;
  argument.consume_front("-");
  auto [name, value] = argument.split('=');
  if (name == "pass-pipeline") {
    run.pipeline = !value.empty() || !next ? value.str() : *next;
  } else if (isPass(name)) {
    run.passes.push_back(name.str());
    if (!run.pipeline.empty())
      run.pipeline += ',';
    run.pipeline += name;
    if (!value.empty())
      run.pipeline += ("{" + value + "}").str();
  } else if (!isOptionOfTool(name)) {
    run.unknown.push_back(name.str());
  }
}

static std::optional<RunLine> readCommand(StringRef command) {
  auto words = splitShellWords(command.trim());
  if (!words) {
    llvm::consumeError(words.takeError());
    return std::nullopt;
  }
  auto program =
      llvm::find_if(*words, [](StringRef word) { return llvm::sys::path::filename(word).ends_with("-opt"); });
  if (program == words->end())
    return std::nullopt;
  RunLine run;
  run.program = llvm::sys::path::filename(*program);
  for (auto word = std::next(program); word != words->end(); ++word)
    addArgument(*word, std::next(word) == words->end() ? nullptr : &*std::next(word), run);
  return run.pipeline.empty() ? std::nullopt : std::optional(std::move(run));
}

std::vector<RunLine> findRunLines(const TextBuffer &text) {
  std::vector<RunLine> found;
  for (int line = 0; line < text.lineCount(); ++line) {
    auto command = commandOf(text.line(line));
    if (!command)
      continue;
    const int first = line;
    std::string whole = command->str();
    while (StringRef(whole).ends_with("\\") && line + 1 < text.lineCount()) {
      auto more = commandOf(text.line(line + 1));
      if (!more)
        break;
      whole.back() = ' ';
      whole += *more;
      ++line;
    }
    for (const std::string &one : commandsOf(whole))
      if (std::optional<RunLine> run = readCommand(one)) {
        run->first = first;
        run->last = line;
        found.push_back(std::move(*run));
      }
  }
  return found;
}

} // namespace fuselage::lsp
