#include "app/cli/mcp/McpServer.h"
#include "app/cli/mcp/McpArguments.h"
#include "app/cli/mcp/McpPages.h"
#include "core/support/JsonText.h"
#include "core/support/rpc/JsonRpc.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace fuselage::cli {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

/// Of JSON-RPC, beside those of RpcProblem.
constexpr int methodNotFound = -32601, invalidParams = -32602;

/// Revisions of the protocol in which messages are as they are here; the newest first.
constexpr const char *protocolVersions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};

class McpServer {
public:
  McpServer(int in, int out, const std::string &program, McpDocuments documents, const std::string &version)
      : in_(in), out_(out), version_(version),
        documents_(std::move(documents)), work_{.program = program, .documents = documents_, .cancelled = cancelled_} {}
  int run();

private:
  void readAll();
  void take(std::string line);
  void handle(const RpcMessage &message);
  void call(const Value &id, const Value &params);
  Value initialize(const Value &params) const;
  Value listTools() const;

  void write(Value message);
  void result(const Value &id, Value value) {
    write(Object{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(value)}});
  }
  void error(const Value &id, int code, StringRef message) {
    Object what{{"code", code}, {"message", llvm::json::fixUTF8(message)}};
    write(Object{{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(what)}});
  }

  int in_, out_;
  std::string version_;
  McpDocuments documents_;
  std::atomic<bool> cancelled_{false};
  McpWork work_;
  /// The text of the last answer, for its other pages.
  std::string lastCall_, lastText_;

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::string> lines_;
  std::string running_; ///< the id of the call that runs, as JSON
  bool ended_ = false;
};

} // namespace

//===-- Messages ------------------------------------------------------------------------===//

/// A request to cancel what runs cannot wait for its turn.
void McpServer::take(std::string line) {
  constexpr size_t mostWaiting = 1000;
  std::unique_lock lock(mutex_);
  if (StringRef(line).contains("notifications/cancelled") && !running_.empty()) {
    RpcProblem problem;
    std::optional<RpcMessage> message = readRpcMessage(line, problem);
    const Object *params = message ? message->params.getAsObject() : nullptr;
    const Value *id = params ? params->get("requestId") : nullptr;
    if (id && compactJson(*id) == running_)
      cancelled_ = true;
  }
  arrived_.wait(lock, [&] { return lines_.size() < mostWaiting; });
  lines_.push_back(std::move(line));
  arrived_.notify_all();
}

void McpServer::readAll() {
  constexpr size_t mostBytes = size_t(64) << 20;
  std::string line;
  char chunk[64 << 10];
  for (;;) {
    ssize_t count = ::read(in_, chunk, sizeof chunk);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    for (StringRef rest(chunk, count); !rest.empty();) {
      auto [piece, after] = rest.split('\n');
      bool isWhole = piece.size() < rest.size();
      if (line.size() <= mostBytes) // of a longer one the beginning is enough to refuse it
        line += piece;
      if (isWhole)
        take(std::exchange(line, {}));
      rest = after;
    }
  }
  std::lock_guard lock(mutex_);
  ended_ = true;
  arrived_.notify_all();
}

int McpServer::run() {
  std::thread reader([this] { readAll(); });
  for (;;) {
    std::string line;
    {
      std::unique_lock lock(mutex_);
      running_.clear();
      arrived_.wait(lock, [&] { return ended_ || !lines_.empty(); });
      if (lines_.empty())
        break;
      line = std::move(lines_.front());
      lines_.pop_front();
      arrived_.notify_all();
    }
    if (StringRef(line).trim().empty())
      continue;
    RpcProblem problem;
    if (std::optional<RpcMessage> message = readRpcMessage(line, problem))
      handle(*message);
    else
      error(nullptr, problem.code, problem.message);
  }
  reader.join();
  return 0;
}

void McpServer::write(Value message) {
  std::string text = compactJson(message) + "\n";
  for (StringRef rest = text; !rest.empty();) {
    ssize_t count = ::write(out_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return; // the client is gone, and the input ends, too
    rest = rest.drop_front(count);
  }
}

void McpServer::handle(const RpcMessage &message) {
  const std::optional<Value> &id = message.id;
  if (!id)
    return; // a notification: there is none that has to be acted on here
  if (!message.method)
    return error(*id, kRpcInvalidRequest, "the request names no method");
  const std::string &method = *message.method;
  if (method == "initialize")
    return result(*id, initialize(message.params));
  if (method == "ping")
    return result(*id, Object());
  if (method == "tools/list")
    return result(*id, listTools());
  if (method == "tools/call")
    return call(*id, message.params);
  error(*id, methodNotFound, "no method is called '" + method + "'");
}

Value McpServer::initialize(const Value &params) const {
  const Object *object = params.getAsObject();
  StringRef wanted = object ? object->getString("protocolVersion").value_or("") : "";
  bool isKnown = llvm::is_contained(protocolVersions, wanted);
  return Object{
      {"protocolVersion", isKnown ? wanted.str() : protocolVersions[0]},
      {"capabilities", Object{{"tools", Object()}}},
      {"serverInfo", Object{{"name", "fuselage"}, {"version", version_}}},
      {"instructions",
       "Opens modules of MLIR, says which ops are fused into one dispatch and why others are not, fuses them, "
       "and runs the result. Begin with 'open'. Documents are copies: files stay as they are."}};
}

Value McpServer::listTools() const {
  Array tools;
  for (const McpTool &tool : mcpTools()) {
    Array required;
    for (const char *name : tool.required)
      required.push_back(name);
    Object schema{{"type", "object"},
                  {"properties", tool.arguments()},
                  {"required", std::move(required)},
                  {"additionalProperties", false}};
    tools.push_back(Object{{"name", tool.name}, {"description", tool.description}, {"inputSchema", std::move(schema)}});
  }
  return Object{{"tools", std::move(tools)}};
}

//===-- Calls ---------------------------------------------------------------------------===//

static Value contentOf(StringRef text, bool isError) {
  return Object{{"content", Array{Object{{"type", "text"}, {"text", llvm::json::fixUTF8(text)}}}},
                {"isError", isError}};
}

void McpServer::call(const Value &id, const Value &params) {
  const Object *object = params.getAsObject();
  StringRef name = object ? object->getString("name").value_or("") : "";
  auto tool = llvm::find_if(mcpTools(), [&](const McpTool &tool) { return name == tool.name; });
  if (tool == mcpTools().end())
    return error(id, invalidParams, ("no tool is called '" + name + "'").str());
  const Value *given = object->get("arguments");
  if (given && !given->getAsObject())
    return error(id, invalidParams, "the arguments are an object");
  Object arguments = given ? *given->getAsObject() : Object();
  if (llvm::Error problem = checkArguments(arguments, tool->arguments(), tool->required))
    return result(id, contentOf(llvm::toString(std::move(problem)), /*isError=*/true));
  int64_t page = arguments.getInteger("page").value_or(1);
  arguments.erase("page");
  std::string asked = name.str() + compactJson(Value(Object(arguments)));
  bool isKnown = page != 1 && asked == lastCall_; // a call that makes a document is not made again for its next page
  if (!isKnown) {
    {
      std::lock_guard lock(mutex_);
      running_ = compactJson(id);
      cancelled_ = false;
    }
    llvm::Expected<std::string> text = tool->call(work_, arguments);
    if (!text)
      return result(id, contentOf(pageOf(llvm::toString(text.takeError()), 1), /*isError=*/true));
    lastCall_ = std::move(asked);
    lastText_ = std::move(*text);
  }
  result(id, contentOf(pageOf(lastText_, page), /*isError=*/false));
}

int serveMcp(int in, int out, const std::string &program, McpDocuments documents, const std::string &version) {
  return McpServer(in, out, program, std::move(documents), version).run();
}

} // namespace fuselage::cli
