// Which parameters of the engine's methods name files, by the protocol's description.
#pragma once
#include "core/protocol/methods/Method.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage::remote {

struct FileParameter {
  std::string key;
  method::FileUse use;
};
/// Those of a method that have a mark; empty where the method has none, or is not known.
llvm::ArrayRef<FileParameter> fileParametersOf(llvm::StringRef method);

} // namespace fuselage::remote
