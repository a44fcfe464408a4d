// What the universal parser read of an op, whatever its values are called. Internal.
#pragma once
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Types.h"
#include <vector>

namespace fuselage {

/// A result whose type is that of an operand: `-> %0`.
struct ResultType {
  mlir::Type type;
  unsigned operand = 0;
};

/// What the tokens of an op said, whatever its values are called.
struct OpReading {
  struct Operand {
    size_t occurrence = 0; ///< among the names in the text
    bool isIndexLike = false;
  };
  std::vector<Operand> operands;
  std::vector<mlir::Type> types;
  std::vector<ResultType> resultTypes;
  mlir::Type literalType;
  mlir::DictionaryAttr read;       ///< the op's attributes, before the types of its values were known
  mlir::DictionaryAttr attributes; ///< and after that, its SyntaxAttr included
};

} // namespace fuselage
