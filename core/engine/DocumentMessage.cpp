#include "core/engine/DocumentMessage.h"
#include "core/engine/StepMessages.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/stepping/diff/TextDiff.h"
#include "core/stepping/tool/ToolAdvice.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Path.h"

namespace fuselage {
namespace {

/// What there is to say of a module without looking deeper: its functions, and how many ops it has.
void describeModule(Document &document, message::Document<> &message) {
  auto asWritten = document.input(), module = document.module(document.firstShown());
  if (!asWritten)
    llvm::consumeError(asWritten.takeError());
  if (!module)
    llvm::consumeError(module.takeError());
  if (!module || !asWritten)
    return;
  message.ops = countOps(*module);
  if (std::optional<ToolAdvice> advice = adviceFor(*asWritten))
    message.advice = message::Advice<>{.form = advice->form,
                                       .program = advice->program,
                                       .pipeline = advice->pipeline,
                                       .isThere = advice->isThere,
                                       .install = advice->install,
                                       .sentence = advice->sentence};
  (*module)->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (auto function = mlir::dyn_cast<mlir::FunctionOpInterface>(op))
      message.functions.push_back(function.getName().str());
  });
}

/// -1 for a large module: printing it takes as long as reading it, and text/lines says it, too.
int64_t lineCount(Document &document) {
  constexpr uint64_t large = 1 << 20;
  return document.isLog() || document.fileBytes() < large ? int64_t(document.lines(0).lineCount()) : -1;
}

} // namespace

message::Document<> documentMessage(Document &document) {
  message::Document<> message{.path = document.path(),
                              .name = llvm::sys::path::filename(llvm::StringRef(document.path()).rtrim('/')).str(),
                              .functions = {},
                              .lines = lineCount(document),
                              .bytes = int64_t(document.fileBytes()),
                              .gaps = int64_t(document.gaps()),
                              .tolerated = int64_t(document.tolerated()),
                              .log = document.isLog(),
                              .tool = document.toolCommand(),
                              .source = document.toolSource(),
                              .steps = {},
                              .diagnostics = message::messagesOf(document.diagnostics()),
                              .advice = {}};
  message.steps = stepMessages(document);
  // The dumps of a log are parsed when somebody looks at them.
  if (!document.isLog())
    describeModule(document, message);
  return message;
}

static message::TextMatch<> matchOf(llvm::StringRef line, const TextSpan &span) {
  return {.line = static_cast<int>(span.line),
          .column = static_cast<int>(utf16Length(line, span.column)),
          .length = static_cast<int>(utf16Length(line.drop_front(span.column), span.length))};
}

message::TextUses<> usesMessage(const TextUses &found, llvm::function_ref<llvm::StringRef(unsigned)> lineAt) {
  constexpr size_t most = 20'000;
  message::TextUses<> reply{.name = llvm::json::fixUTF8(found.name),
                            .definition = {},
                            .uses = {},
                            .total = static_cast<int64_t>(found.uses.size()),
                            .exact = found.isExact};
  if (found.definition)
    reply.definition.push_back(matchOf(lineAt(found.definition->line), *found.definition));
  for (size_t i = 0; i < std::min(found.uses.size(), most); ++i)
    reply.uses.push_back(matchOf(lineAt(found.uses[i].line), found.uses[i]));
  return reply;
}

} // namespace fuselage
