#include "core/engine/DocumentMessage.h"
#include "core/engine/StepMessages.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/protocol/json/DiagnosticMessage.h"
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
  message::Document<> message{
      .path = document.path(),
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

} // namespace fuselage
