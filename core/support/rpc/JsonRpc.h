// Messages of JSON-RPC 2.0, as servers get them.
#pragma once
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace fuselage {

struct RpcMessage {
  std::optional<llvm::json::Value> id; ///< none: a notification
  std::optional<std::string> method;   ///< none: an answer to what the server asked, or nothing that can be used
  llvm::json::Value params = nullptr;
  bool isAnswer = false; ///< it has a result or an error
};

/// Why a text is no message; `code` is that of JSON-RPC.
struct RpcProblem {
  int code = 0;
  std::string message;
};

inline constexpr int kRpcParseError = -32700, kRpcInvalidRequest = -32600;

/// Reads a text that nests at most 100 deep. Nullopt: `problem` says why it is no message; the reply has no id then.
std::optional<RpcMessage> readRpcMessage(llvm::StringRef text, RpcProblem &problem);

} // namespace fuselage
