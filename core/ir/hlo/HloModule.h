// The text of an HLO module of XLA as data. Internal to core/ir/hlo.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fuselage::hlo {

/// Offsets into the text are enough to tell lines and columns (HloCursor.h).
using Offset = size_t;

/// A shape that is no tuple: `f32[2,<=8]{1,0:T(8,128)}`, `token[]`.
struct ArrayShape {
  llvm::StringRef element;            ///< "f32", "pred", "token", "opaque"
  llvm::SmallVector<int64_t, 4> dims; ///< bounds of dynamic ones; -1: dynamic without a bound
  llvm::SmallVector<bool, 4> dynamic; ///< by dimension
  llvm::StringRef layout;             ///< "{1,0:T(8,128)}", or empty
  bool hasDims() const { return element != "token" && element != "opaque"; }
};

/// A shape with its tuples flattened: `(f32[2], (s32[], token[]))` has three leaves, and two elements, of which the
/// second has the leaves 1 and 2.
struct Shape {
  struct Element {
    unsigned firstLeaf = 0, endLeaf = 0;
    unsigned endElement = 0; ///< after those inside, which follow this one
  };
  bool isTuple = false;
  std::vector<ArrayShape> leaves;
  std::vector<Element> elements; ///< of a tuple, in depth-first order

  /// Element `index` of the tuple itself; null if it has none.
  const Element *element(int64_t index) const;
  /// What element `element` of this tuple is by itself.
  Shape shapeOf(const Element &element) const;
};

/// `name=value`; the value is as written, with its braces or quotes.
struct WrittenAttribute {
  llvm::StringRef name, value;
};

struct Instruction {
  Offset at = 0;
  bool isRoot = false;
  llvm::StringRef name; ///< without %
  Shape shape;
  llvm::StringRef opcode;
  llvm::StringRef literal;                 ///< what is in the parentheses of constant and parameter
  llvm::SmallVector<unsigned, 2> operands; ///< indices of instructions of the computation
  llvm::SmallVector<WrittenAttribute, 3> attributes;
  /// The value of an attribute; empty: it has none.
  llvm::StringRef attribute(llvm::StringRef name) const;
};

struct Computation {
  Offset at = 0;
  bool isEntry = false;
  llvm::StringRef name;
  std::vector<Instruction> instructions; ///< never empty
  std::vector<unsigned> parameters;      ///< instructions, by the number of the parameter
  unsigned root = 0;
};

/// A line of Python, as the tables that `stack_frame_id=5` refers to tell.
struct SourceLine {
  llvm::StringRef file;
  unsigned line = 0;
};

struct Module {
  llvm::StringRef name;
  llvm::SmallVector<WrittenAttribute> attributes;
  std::vector<Computation> computations;
  llvm::StringMap<unsigned> byName; ///< computations
  unsigned entry = 0;
  std::map<unsigned, SourceLine> frames; ///< by stack_frame_id
  Offset secondModule = 0;               ///< where another module begins, which is left out; 0: nowhere

  bool isScheduled() const;
};

/// The names in an attribute that names computations: "%a" or "{%a, %b}", without %.
llvm::SmallVector<llvm::StringRef> namesIn(llvm::StringRef value);
/// The number; nullopt if it is none.
std::optional<int64_t> numberIn(llvm::StringRef value);
/// The numbers of "{1,2}"; nullopt if it is no such list.
std::optional<llvm::SmallVector<int64_t>> numbersIn(llvm::StringRef value);
/// The value of a key in `metadata={op_name="a/b" source_line=3}`, without quotes and escapes; empty: it has none.
std::string metadataOf(const Instruction &instruction, llvm::StringRef key);

} // namespace fuselage::hlo
