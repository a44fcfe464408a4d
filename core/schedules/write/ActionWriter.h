// The lines of a script that an action becomes. Internal to core/schedules/write.
#pragma once
#include "core/schedules/write/OpFinder.h"
#include <map>

namespace fuselage {

class ActionWriter {
public:
  ActionWriter(mlir::Operation *op, mlir::Operation *other, const std::map<std::string, std::string> &options,
               const TracePosition &position, ScriptNames &names)
      : op(op), other(other), options_(options), position_(position), names_(names) {}

  mlir::Operation *op;    ///< what was pointed at
  mlir::Operation *other; ///< the second op, of actions on two; may be null

  /// "%a : !transform.any_op" in two; the lines that find it are written.
  struct Handle {
    std::string name, type;
  };
  llvm::Expected<Handle> handleOf(mlir::Operation *op);
  std::string fresh(llvm::StringRef stem) { return names_.fresh(stem); }
  void line(std::string text) { lines_.push_back(std::move(text)); }
  const std::vector<std::string> &lines() const { return lines_; }

  /// As given, without space around.
  llvm::StringRef text(llvm::StringRef option) const;
  /// "8, 16"; empty where nothing is given. Failure: it is no list of whole numbers that are `least` at least.
  llvm::Expected<llvm::SmallVector<int64_t>> numbers(llvm::StringRef option, int64_t least = 0) const;

private:
  const std::map<std::string, std::string> &options_;
  const TracePosition &position_;
  ScriptNames &names_;
  std::map<mlir::Operation *, Handle> handles_;
  std::vector<std::string> lines_;
};

} // namespace fuselage
