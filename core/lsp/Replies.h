// What a language server says to its client.
#pragma once
#include "core/support/rpc/Framing.h"
#include "llvm/Support/JSON.h"

namespace fuselage::lsp {

/// Of JSON-RPC and LSP.
enum class ErrorCode {
  Parse = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  NotInitialized = -32002,
  Failed = -32803,
  Cancelled = -32800,
};

class Replies {
public:
  explicit Replies(int out) : writer_(out) {}

  void result(const llvm::json::Value &id, llvm::json::Value value) {
    writer_.write(llvm::json::Object{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(value)}});
  }
  void error(const llvm::json::Value &id, ErrorCode code, llvm::StringRef message) {
    writer_.write(llvm::json::Object{
        {"jsonrpc", "2.0"},
        {"id", id},
        {"error", llvm::json::Object{{"code", static_cast<int>(code)}, {"message", llvm::json::fixUTF8(message)}}}});
  }
  void notify(llvm::StringRef method, llvm::json::Value params) {
    writer_.write(llvm::json::Object{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  }
  /// A request whose answer does not matter.
  void ask(llvm::StringRef method, llvm::json::Value params = nullptr) {
    writer_.write(llvm::json::Object{{"jsonrpc", "2.0"},
                                     {"id", "fuselage-" + std::to_string(++asked_)},
                                     {"method", method},
                                     {"params", std::move(params)}});
  }
  /// For people: in the log of the client.
  void log(llvm::StringRef text) {
    constexpr int info = 3;
    notify("window/logMessage", llvm::json::Object{{"type", info}, {"message", llvm::json::fixUTF8(text)}});
  }
  /// In a box that people see.
  void show(llvm::StringRef text, bool isError = false) {
    constexpr int error = 1, info = 3;
    notify("window/showMessage",
           llvm::json::Object{{"type", isError ? error : info}, {"message", llvm::json::fixUTF8(text)}});
  }

private:
  FrameWriter writer_;
  int64_t asked_ = 0;
};

} // namespace fuselage::lsp
