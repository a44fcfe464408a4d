// How ops, values and types are called in a graph. Internal to core/graph.
#pragma once
#include "core/support/SharedText.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <string>

namespace fuselage {

/// JSON and SVG want valid UTF-8; names in IR may hold any bytes.
std::string asUtf8(std::string text);

/// The op's symbol name in valid UTF-8, or empty.
std::string symbolName(mlir::Operation *op);

/// "file:line:col", or empty.
std::string locationName(mlir::Location location);

/// Names of values and types of one module, spelled as the text prints them. Types are looked up.
class GraphNames {
public:
  /// `module` verifies; asking that again would take as long as everything else.
  explicit GraphNames(mlir::ModuleOp module) : module_(module) {}
  /// The names of its values, if somebody has them. Before it is asked for any value's.
  void know(mlir::AsmState &names) { known_ = &names; }
  /// Knows the names of all values from now on; two threads may ask for them then.
  void numberAll() { allNames(); }
  std::string nameOf(mlir::Value value);
  const SharedText &nameOf(mlir::Type type) { return entryOf(type).name; }
  /// byteSize, -1 where it is unknown.
  int64_t bytesOf(mlir::Type type) { return entryOf(type).bytes; }

private:
  struct TypeEntry {
    SharedText name;
    int64_t bytes = -1;
  };
  /// Stands for a function when its arguments are named: one like it, with nothing in its body.
  struct Shell {
    mlir::Block *body = nullptr; ///< of the function
    mlir::OwningOpRef<mlir::Operation *> op;
    std::optional<mlir::AsmState> names;
  };
  TypeEntry &entryOf(mlir::Type type);
  mlir::AsmState &allNames();
  Shell &shellOf(mlir::Block *body);

  mlir::ModuleOp module_;
  mlir::AsmState *known_ = nullptr;
  std::optional<mlir::AsmState> all_; // made when a value wants it: to number a large module takes its time
  Shell shell_;
  llvm::DenseMap<mlir::Type, TypeEntry> types_;
};

} // namespace fuselage
