#include "core/lsp/LanguageServer.h"
#include "core/lsp/Background.h"
#include "core/lsp/Commands.h"
#include "core/lsp/EventQueue.h"
#include "core/lsp/Replies.h"
#include "core/lsp/Workspace.h"
#include "core/lsp/facts/ReadFacts.h"
#include "core/lsp/features/Features.h"
#include "core/lsp/text/SemanticTokens.h"
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/support/rpc/Framing.h"
#include "core/support/rpc/JsonRpc.h"
#include "llvm/ADT/STLExtras.h"
#include <thread>

namespace fuselage::lsp {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using Clock = std::chrono::steady_clock;

namespace {

class LanguageServer {
public:
  LanguageServer(int in, int out, const ServerOptions &options)
      : reader_(in), replies_(out), options_(options), commands_(options, replies_, documents_, commandWork_, events_) {
  }
  int run();

private:
  using Answer = std::function<Value(const OpenDocument &document, const Value &params)>;
  /// A question that needs to know what the IR is, which is not known yet.
  struct Waiting {
    Value id, params;
    std::string uri;
    Answer answer;
    Clock::time_point until;
  };

  void readAll();
  void receive(StringRef frame);
  void request(const Value &id, StringRef method, const Value &params);
  void notification(StringRef method, const Value &params);
  Object initialize(const Value &params);

  void open(const Value &params);
  void change(const Value &params);
  void close(const Value &params);
  void readIr(const OpenDocument &document);
  void readIr(const OpenDocument &document, FactsDepth depth);
  void takeFacts(StringRef uri, int64_t version, FactsDepth depth, const TrialResult &result);
  void publish(const OpenDocument &document);

  bool answerAtOnce(const Value &id, StringRef method, const Value &params, const OpenDocument &document);
  void answerKnowing(const Value &id, const Value &params, const OpenDocument &document, Answer answer);
  void answerWaiting(StringRef uri);
  void answerLate();

  FrameReader reader_;
  Replies replies_;
  ServerOptions options_;
  Encoding encoding_ = Encoding::Utf16;
  bool isInitialized_ = false, isShutDown_ = false, ends_ = false;
  bool refreshesLenses_ = false, refreshesHints_ = false;
  llvm::StringMap<OpenDocument> documents_;
  Workspace workspace_;
  std::deque<Waiting> waiting_;
  EventQueue events_;
  Background reading_, commandWork_;
  CommandRunner commands_;
};

} // namespace

//===-- Messages ------------------------------------------------------------------------===//

void LanguageServer::readAll() {
  while (std::optional<std::string> frame = reader_.read())
    events_.add([this, text = std::move(*frame)] { receive(text); });
  events_.add([this] {
    if (!reader_.error().empty())
      replies_.error(nullptr, ErrorCode::Parse, reader_.error());
    ends_ = true;
  });
}

int LanguageServer::run() {
  // It may be waiting for input when this ends: the process ends without it then.
  std::thread([this] { readAll(); }).detach();
  while (!ends_) {
    std::optional<Clock::time_point> until;
    for (const Waiting &question : waiting_)
      until = until ? std::min(*until, question.until) : question.until;
    if (std::optional<EventQueue::Event> event = events_.next(until))
      (*event)();
    answerLate();
  }
  return isShutDown_ ? 0 : 1;
}

void LanguageServer::receive(StringRef frame) {
  RpcProblem problem;
  std::optional<RpcMessage> message = readRpcMessage(frame, problem);
  if (!message)
    return replies_.error(nullptr, static_cast<ErrorCode>(problem.code), problem.message);
  if (!message->method) {
    if (message->id && !message->isAnswer)
      replies_.error(*message->id, ErrorCode::InvalidRequest, "the request names no method");
    return;
  }
  if (!message->id)
    return notification(*message->method, message->params);
  if (!isInitialized_ && *message->method != "initialize")
    return replies_.error(*message->id, ErrorCode::NotInitialized, "'initialize' comes first");
  if (isShutDown_)
    return replies_.error(*message->id, ErrorCode::InvalidRequest, "the server was shut down");
  request(*message->id, *message->method, message->params);
}

void LanguageServer::notification(StringRef method, const Value &params) {
  if (method == "exit")
    ends_ = true;
  else if (!isInitialized_)
    return;
  else if (method == "textDocument/didOpen")
    open(params);
  else if (method == "textDocument/didChange")
    change(params);
  else if (method == "textDocument/didClose")
    close(params);
  else if (method == "$/cancelRequest")
    commands_.cancel(params);
}

/// Whether the client has said that it can do something: "workspace.codeLens.refreshSupport".
static bool isCapable(const Value &params, StringRef path) {
  const Value *at = params.getAsObject() ? params.getAsObject()->get("capabilities") : nullptr;
  for (StringRef name : llvm::split(path, '.')) {
    const Object *object = at ? at->getAsObject() : nullptr;
    at = object ? object->get(name) : nullptr;
  }
  return at && at->getAsBoolean().value_or(false);
}

/// Columns of bytes, where the client has them, too.
static Encoding encodingFor(const Value &params) {
  const Object *capabilities = objectIn(params, "capabilities");
  const Object *general = capabilities ? capabilities->getObject("general") : nullptr;
  const Array *encodings = general ? general->getArray("positionEncodings") : nullptr;
  bool hasUtf8 = encodings && llvm::any_of(*encodings, [](const Value &name) { return name == Value("utf-8"); });
  return hasUtf8 ? Encoding::Utf8 : Encoding::Utf16;
}

Object LanguageServer::initialize(const Value &params) {
  isInitialized_ = true;
  encoding_ = encodingFor(params);
  refreshesLenses_ = isCapable(params, "workspace.codeLens.refreshSupport");
  refreshesHints_ = isCapable(params, "workspace.inlayHint.refreshSupport");
  workspace_.setFolders(params);
  Array names, modifiers, commands;
  for (const char *name : tokenTypes)
    names.push_back(name);
  for (const char *name : tokenModifiers)
    modifiers.push_back(name);
  for (const char *name : commandNames)
    commands.push_back(name);
  Object legend{{"tokenTypes", std::move(names)}, {"tokenModifiers", std::move(modifiers)}};
  constexpr int incremental = 2;
  Object capabilities{
      {"positionEncoding", encoding_ == Encoding::Utf8 ? "utf-8" : "utf-16"},
      {"textDocumentSync", Object{{"openClose", true}, {"change", incremental}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"documentSymbolProvider", true},
      {"workspaceSymbolProvider", true},
      {"foldingRangeProvider", true},
      {"renameProvider", Object{{"prepareProvider", true}}},
      {"semanticTokensProvider", Object{{"legend", std::move(legend)}, {"full", true}, {"range", true}}},
      {"codeLensProvider", Object{{"resolveProvider", false}}},
      {"inlayHintProvider", true},
      {"codeActionProvider", Object{{"codeActionKinds", Array{"refactor.rewrite"}}}},
      {"executeCommandProvider", Object{{"commands", std::move(commands)}}}};
  return Object{{"capabilities", std::move(capabilities)},
                {"serverInfo", Object{{"name", "fuselage"}, {"version", options_.version}}}};
}

//===-- Documents -----------------------------------------------------------------------===//

void LanguageServer::open(const Value &params) {
  const Object *item = objectIn(params, "textDocument");
  std::optional<StringRef> uri = item ? item->getString("uri") : std::nullopt;
  std::optional<StringRef> text = item ? item->getString("text") : std::nullopt;
  if (!uri || !text)
    return replies_.log("textDocument/didOpen without a URI or a text was passed over");
  OpenDocument &document = documents_[*uri] = OpenDocument();
  document.uri = uri->str();
  document.path = pathOfUri(*uri);
  document.version = item->getInteger("version").value_or(0);
  document.text = TextBuffer(text->str(), encoding_);
  readIr(document);
}

void LanguageServer::change(const Value &params) {
  auto found = documents_.find(uriIn(params));
  const Array *changes = params.getAsObject() ? params.getAsObject()->getArray("contentChanges") : nullptr;
  if (found == documents_.end() || !changes)
    return;
  OpenDocument &document = found->second;
  for (const Value &change : *changes) {
    const Object *object = change.getAsObject();
    std::optional<StringRef> text = object ? object->getString("text") : std::nullopt;
    std::optional<Range> range = object ? rangeFrom(object->get("range")) : std::nullopt;
    if (!text || (object->get("range") && !range)) {
      replies_.log("a change of " + document.uri + " without a text, or of no range, was passed over");
      continue;
    }
    document.change(range, *text, encoding_);
  }
  document.version = objectIn(params, "textDocument")->getInteger("version").value_or(document.version + 1);
  document.facts.reset();
  readIr(document);
}

void LanguageServer::close(const Value &params) {
  std::string uri = uriIn(params).str();
  reading_.cancel(uri);
  if (documents_.erase(uri))
    replies_.notify("textDocument/publishDiagnostics", Object{{"uri", uri}, {"diagnostics", Array()}});
  answerWaiting(uri);
}

/// Verdicts on a large text take seconds: what is wrong with it, and its ops, come before.
void LanguageServer::readIr(const OpenDocument &document) {
  constexpr size_t large = 200'000;
  readIr(document, document.text.text().size() < large ? FactsDepth::Whole : FactsDepth::Soon);
}

void LanguageServer::readIr(const OpenDocument &document, FactsDepth depth) {
  auto read = [depth, text = document.text.text(), path = document.path](Session &session, llvm::raw_ostream &out) {
    std::string json;
    message::appendMessage<message::JsonForm::Compact>(json, readFacts(session, text, path, depth));
    out << json;
  };
  auto done = [this, depth, uri = document.uri, version = document.version](const TrialResult &result, const auto &) {
    events_.add([this, depth, uri, version, result] { takeFacts(uri, version, depth, result); });
  };
  reading_.start({.key = document.uri, .inCopy = read, .done = done});
}

static message::Diagnostic<> deadlyText(std::string message) {
  message::Diagnostic<> diagnostic;
  diagnostic.severity = "error";
  diagnostic.message = std::move(message);
  return diagnostic;
}

void LanguageServer::takeFacts(StringRef uri, int64_t version, FactsDepth depth, const TrialResult &result) {
  auto found = documents_.find(uri);
  if (found == documents_.end() || found->second.version != version)
    return;
  OpenDocument &document = found->second;
  document.facts.emplace();
  llvm::Expected<Value> json = llvm::json::parse(result.output);
  const Object *object = json ? json->getAsObject() : nullptr;
  if (object)
    message::decode(*object, *document.facts);
  else
    document.facts->diagnostics.push_back(
        deadlyText("MLIR " + result.death.value_or("says nothing") + " while it reads this text"));
  if (!json)
    llvm::consumeError(json.takeError());
  publish(document);
  answerWaiting(uri);
  if (depth == FactsDepth::Soon && object)
    readIr(document, FactsDepth::Whole);
}

void LanguageServer::publish(const OpenDocument &document) {
  replies_.notify(
      "textDocument/publishDiagnostics",
      Object{{"uri", document.uri}, {"version", document.version}, {"diagnostics", diagnosticsOf(document)}});
}

//===-- Questions -----------------------------------------------------------------------===//

/// What the text alone answers. False: it is another question.
bool LanguageServer::answerAtOnce(const Value &id, StringRef method, const Value &params,
                                  const OpenDocument &document) {
  const Object *object = params.getAsObject();
  Position at = positionFrom(object->get("position")).value_or(Position());
  if (method == "textDocument/definition") {
    replies_.result(id, definitionAt(document, at));
  } else if (method == "textDocument/references") {
    const Object *context = object->getObject("context");
    bool withDefinition = context && context->getBoolean("includeDeclaration").value_or(false);
    replies_.result(id, referencesAt(document, at, withDefinition));
  } else if (method == "textDocument/documentHighlight") {
    replies_.result(id, highlightsAt(document, at));
  } else if (method == "textDocument/prepareRename") {
    replies_.result(id, renamable(document, at));
  } else if (method == "textDocument/rename") {
    llvm::Expected<Value> edit = rename(document, at, object->getString("newName").value_or(""));
    if (edit)
      replies_.result(id, std::move(*edit));
    else
      replies_.error(id, ErrorCode::Failed, llvm::toString(edit.takeError()));
  } else if (method == "textDocument/foldingRange") {
    replies_.result(id, foldsOf(document));
  } else if (method == "textDocument/semanticTokens/full") {
    replies_.result(id, semanticTokensOf(document, std::nullopt));
  } else if (method == "textDocument/semanticTokens/range") {
    replies_.result(id, semanticTokensOf(document, rangeFrom(object->get("range"))));
  } else {
    return false;
  }
  return true;
}

void LanguageServer::request(const Value &id, StringRef method, const Value &params) {
  if (method == "initialize")
    return isInitialized_ ? replies_.error(id, ErrorCode::InvalidRequest, "'initialize' comes once")
                          : replies_.result(id, initialize(params));
  if (method == "shutdown") {
    isShutDown_ = true;
    return replies_.result(id, nullptr);
  }
  if (method == "workspace/symbol")
    return replies_.result(id, workspace_.symbols(textIn(params, "query"), documents_, encoding_));
  if (method == "workspace/executeCommand")
    return commands_.execute(id, params);
  if (method == "fuselage/text")
    return commands_.showText(id, params);
  static const llvm::StringMap<Answer> answers = {
      {"textDocument/hover",
       [](const OpenDocument &document, const Value &params) {
         return hoverAt(document, positionFrom(params.getAsObject()->get("position")).value_or(Position()));
       }},
      {"textDocument/documentSymbol",
       [](const OpenDocument &document, const Value &) { return Value(symbolsOf(document)); }},
      {"textDocument/codeLens", [](const OpenDocument &document, const Value &) { return Value(lensesOf(document)); }},
      {"textDocument/inlayHint",
       [](const OpenDocument &document, const Value &params) {
         return Value(hintsIn(document, rangeFrom(params.getAsObject()->get("range")).value_or(Range())));
       }},
      {"textDocument/codeAction", [](const OpenDocument &document, const Value &params) {
         return Value(actionsIn(document, rangeFrom(params.getAsObject()->get("range")).value_or(Range())));
       }}};
  if (!method.starts_with("textDocument/"))
    return replies_.error(id, ErrorCode::MethodNotFound, ("no method is called '" + method + "'").str());
  auto found = documents_.find(uriIn(params));
  if (found == documents_.end())
    return replies_.error(id, ErrorCode::InvalidParams, "the document is not open");
  if (auto answer = answers.find(method); answer != answers.end())
    return answerKnowing(id, params, found->second, answer->second);
  if (!answerAtOnce(id, method, params, found->second))
    replies_.error(id, ErrorCode::MethodNotFound, ("no method is called '" + method + "'").str());
}

/// Waits a moment for what is being read; an editor must not.
void LanguageServer::answerKnowing(const Value &id, const Value &params, const OpenDocument &document, Answer answer) {
  constexpr auto patience = std::chrono::milliseconds(80);
  if (document.facts)
    return replies_.result(id, answer(document, params));
  waiting_.push_back({id, params, document.uri, std::move(answer), Clock::now() + patience});
}

void LanguageServer::answerWaiting(StringRef uri) {
  auto found = documents_.find(uri);
  for (Waiting &question : std::exchange(waiting_, {})) {
    if (question.uri != uri)
      waiting_.push_back(std::move(question));
    else if (found == documents_.end())
      replies_.error(question.id, ErrorCode::InvalidParams, "the document was closed");
    else
      replies_.result(question.id, question.answer(found->second, question.params));
  }
  // Those that were answered too early may ask again.
  if (found == documents_.end() || !found->second.facts)
    return;
  if (refreshesLenses_)
    replies_.ask("workspace/codeLens/refresh");
  if (refreshesHints_)
    replies_.ask("workspace/inlayHint/refresh");
}

void LanguageServer::answerLate() {
  for (Waiting &question : std::exchange(waiting_, {}))
    if (auto found = documents_.find(question.uri); question.until > Clock::now() && found != documents_.end())
      waiting_.push_back(std::move(question));
    else if (found != documents_.end())
      replies_.result(question.id, question.answer(found->second, question.params));
}

int serveLanguage(int in, int out, const ServerOptions &options) {
  auto server = std::make_unique<LanguageServer>(in, out, options);
  int code = server->run();
  (void)server.release(); // a thread may still wait for input
  return code;
}

} // namespace fuselage::lsp
