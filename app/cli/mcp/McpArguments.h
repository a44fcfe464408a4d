// The arguments of a call, checked.
#pragma once
#include "core/support/Error.h"
#include "llvm/Support/JSON.h"

namespace fuselage::cli {

/// Failure: an argument is missing, is none of the tool's, or has another type than its schema.
llvm::Error checkArguments(const llvm::json::Object &given, const llvm::json::Object &schemas,
                           llvm::ArrayRef<const char *> required);

inline std::string textOf(const llvm::json::Object &arguments, llvm::StringRef name) {
  return arguments.getString(name).value_or("").str();
}
inline bool isSet(const llvm::json::Object &arguments, llvm::StringRef name) {
  return arguments.getBoolean(name).value_or(false);
}

llvm::json::Object textSchema(llvm::StringRef description);
llvm::json::Object numberSchema(llvm::StringRef description);
llvm::json::Object flagSchema(llvm::StringRef description);

} // namespace fuselage::cli
