// A schedule: a module with transform-dialect sequences, opened to be run.
#pragma once
#include "core/ir/Session.h"
#include "core/schedules/forms/FormSet.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>

namespace fuselage {

/// How a script is to be opened.
struct ScriptOptions {
  std::vector<std::string>
      libraries{};     ///< modules with named sequences, for those that the script declares without a body
  std::string entry{}; ///< the named sequence to begin at; empty: see findEntry
  std::map<std::string, std::string> arguments{}; ///< of the entry, after the first one, by name; see bindArguments
  std::optional<unsigned> piece{}; ///< of a file split by `// -----`: the one to begin in; else the first with an entry
};

/// An op of a script, as people know it.
struct ScriptOp {
  std::string name;    ///< "transform.structured.match"
  std::string text;    ///< its line in the file, trimmed; the op's name where there is none
  std::string file;    ///< of the script, or of a library
  unsigned line = 0;   ///< from 1; 0: unknown
  unsigned column = 0; ///< from 1
};

/// A script with its libraries linked in. `ops` lists the ops under `module` in pre-order, as they were before
/// anything was put between them.
struct Script {
  std::string path;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::transform::TransformOpInterface entry;
  std::vector<ScriptOp> ops;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers; ///< of the ops in `ops`
  std::vector<Diagnostic> diagnostics;            ///< warnings about ops of other tools, at which the schedule ends
  FormSet forms;                                  ///< built in, and declared in the script and its libraries
  llvm::DenseMap<mlir::Value, std::string> names; ///< "%t", "%l#1": as the text spells them

  /// The op's number; of an op that is none of them, -1.
  int numberOf(mlir::Operation *op) const {
    auto found = numbers.find(op);
    return found == numbers.end() ? -1 : static_cast<int>(found->second);
  }
};

/// Opens the script at `path`. Transform ops that MLIR does not know, as IREE's, are read as they stand: the schedule
/// runs up to the first of them. Failure: it cannot be read, has no entry or one whose arguments nothing is known of,
/// runs a pass that does more than change IR, or holds what is known to take LLVM 22 down.
llvm::Expected<Script> openScript(Session &session, llvm::StringRef path, const ScriptOptions &options = {});

/// The same of a text in memory that is reported under the name `name`.
llvm::Expected<Script> parseScript(Session &session, llvm::StringRef text, llvm::StringRef name,
                                   const ScriptOptions &options = {});

/// Whether the module has a sequence with which a script could begin.
bool hasSchedule(mlir::ModuleOp module);

/// A copy of `payload` for `script` to run on, without the script where both are in one file.
mlir::OwningOpRef<mlir::ModuleOp> payloadFor(const Script &script, mlir::ModuleOp payload);

/// The forms that libraries declare, and the built-in ones. Failure: as of openScript.
llvm::Expected<FormSet> openForms(Session &session, llvm::ArrayRef<std::string> libraries);

} // namespace fuselage
