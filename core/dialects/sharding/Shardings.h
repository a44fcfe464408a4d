// Meshes and shardings that a module is annotated with.
#pragma once
#include "core/meshes/GspmdText.h"
#include "core/meshes/SdyText.h"
#include "mlir/IR/BuiltinOps.h"
#include <variant>

namespace fuselage {

/// Where a sharding is written.
enum class ShardingPlace {
  Argument,      ///< of a function or of a manual computation
  Result,        ///< of an op
  FunctionResult ///< of a function
};

struct ShardingAnnotation {
  mlir::Operation *op = nullptr; ///< the function, the manual computation, or the op whose result it is
  ShardingPlace place = ShardingPlace::Result;
  unsigned number = 0;
  mlir::Value value{};  ///< null: the result of a function
  mlir::Type type{};    ///< of the whole tensor
  bool isLocal = false; ///< `value` is the part that a device has, and `type` the type outside
  std::string text{};   ///< as it is shown
  std::variant<std::monostate, SdySharding, GspmdSharding> sharding{};
  std::string problem{}; ///< why it could not be read
};

struct ModuleShardings {
  std::vector<DeviceMesh> meshes{};                                  ///< by name, in program order
  std::vector<ShardingAnnotation> annotations{};                     ///< in program order
  std::optional<DeviceMesh> derived{};                               ///< that GSPMD's shardings have in common
  std::vector<std::pair<mlir::Operation *, std::string>> problems{}; ///< meshes that cannot be read

  /// Null: there is none of this name.
  const DeviceMesh *mesh(llvm::StringRef name) const;
  /// The mesh of a sharding; null: not known. Lives as long as `sharding` and this.
  const DeviceMesh *meshOf(const ShardingAnnotation &annotation) const;
  /// Failure: it cannot be read, or does not fit its mesh or its type.
  llvm::Expected<TensorLayout> layout(const ShardingAnnotation &annotation) const;
};

/// Reads all of them. A module without annotations costs one walk.
ModuleShardings readShardings(mlir::ModuleOp module);

} // namespace fuselage
