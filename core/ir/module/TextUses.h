// Where in a module's text the thing at a place is defined, and where it is used.
#pragma once
#include "core/ir/module/PrintedModule.h"
#include <functional>

namespace fuselage {

/// Columns [column, column + length) of a line, in bytes; all from 0.
struct TextSpan {
  unsigned line = 0, column = 0, length = 0;
  auto operator<=>(const TextSpan &) const = default;
};

/// Ops of a snapshot by id and back, and the names of values where the text does not say them.
struct NumberedOps {
  std::function<mlir::Operation *(OpId)> op;
  std::function<OpId(mlir::Operation *)> id;
  std::function<std::string(mlir::Value)> name; ///< "%arg0"
};

struct TextUses {
  std::string name; ///< "%0", "@main", "#map", "^bb1"; empty: there is no name at the place
  std::optional<TextSpan> definition;
  std::vector<TextSpan> uses; ///< in order, without the definition
  bool isExact = true;        ///< false: the same name in the function, since the text does not tell whose it is
};

/// Names of values are used again in other functions and regions: the ops at the place say which value is meant, and
/// its users where it is used. Of an op with several results, its "%0:2" stands for all, "%0#1" for one.
TextUses findUses(const PrintedModule &printed, const NumberedOps &ops, unsigned line, unsigned column);

/// The same by the name alone, in a text of which no op tells whose it is, as the user's file: values and blocks in
/// `around` (the function's lines), all else in all `count` lines. Defined is it where it first stands: a value in
/// front of a `=` or in a signature, a symbol after the name of an op, an alias at the beginning of a line.
TextUses findUsesByName(llvm::function_ref<llvm::StringRef(unsigned)> lineAt, unsigned count, LineRange around,
                        unsigned line, unsigned column);

} // namespace fuselage
