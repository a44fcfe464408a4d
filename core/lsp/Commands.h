// workspace/executeCommand: what lenses and actions do.
#pragma once
#include "core/lsp/Background.h"
#include "core/lsp/EventQueue.h"
#include "core/lsp/Replies.h"
#include "core/lsp/ServerOptions.h"
#include "core/lsp/documents/Documents.h"
#include "core/support/process/HelperProcess.h"

namespace fuselage::lsp {

/// Arguments begin with the document's URI, but those of `why`, which has a text.
inline constexpr const char *commandNames[] = {"fuselage.open",    "fuselage.run", "fuselage.fuse",
                                               "fuselage.fuseAll", "fuselage.why", "fuselage.normalize",
                                               "fuselage.step"};

/// Commands run our own program on the text as it is in the editor, one after the other, and what they change comes
/// back as an edit of it (workspace/applyEdit), unless the text changed meanwhile.
class CommandRunner {
public:
  CommandRunner(const ServerOptions &options, Replies &replies, llvm::StringMap<OpenDocument> &documents,
                Background &work, EventQueue &events)
      : options_(options), replies_(replies), documents_(documents), work_(work), events_(events) {}

  void execute(const llvm::json::Value &id, const llvm::json::Value &params);
  /// `fuselage/text`: {uri} of a file, such as one of bytecode, whose module is to be shown as {text}.
  void showText(const llvm::json::Value &id, const llvm::json::Value &params);
  /// $/cancelRequest.
  void cancel(const llvm::json::Value &params);

private:
  struct Program {
    std::vector<std::string> arguments; ///< of `fuselage`
    std::string input;
  };
  /// `exitCode` is -1 where the program did not come to its end; `messages` says why.
  using Done = std::function<void(const ProgramEnd &end)>;

  void start(const llvm::json::Value &id, Program program, Done done);
  void openWindow(const llvm::json::Value &id, const OpenDocument &document);
  void runFunction(const llvm::json::Value &id, const OpenDocument &document, llvm::StringRef function);
  void step(const llvm::json::Value &id, const OpenDocument &document, llvm::StringRef pipeline);
  /// Logs what a program printed, and shows the line of it that says how it went.
  void report(const llvm::json::Value &id, const ProgramEnd &end, llvm::function_ref<bool(llvm::StringRef)> isSum);
  /// The program's output takes the place of the document's text.
  void rewrite(const llvm::json::Value &id, const OpenDocument &document, std::vector<std::string> arguments,
               llvm::StringRef label);
  void applyEdit(llvm::StringRef uri, int64_t version, llvm::StringRef text, llvm::StringRef label);
  void fail(const llvm::json::Value &id, llvm::StringRef message);

  const ServerOptions &options_;
  Replies &replies_;
  llvm::StringMap<OpenDocument> &documents_;
  Background &work_;
  EventQueue &events_;
};

} // namespace fuselage::lsp
