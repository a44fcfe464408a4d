// Another compiler's command line, as the user typed it.
#pragma once
#include "core/support/Error.h"
#include "llvm/ADT/ArrayRef.h"

namespace fuselage {

/// Programs whose dumps are switched on alike.
struct ToolFamily {
  llvm::StringRef name;                        ///< "iree"
  llvm::ArrayRef<llvm::StringRef> programs;    ///< file names; a trailing '*' stands for any end. Empty: all others
  llvm::ArrayRef<llvm::StringRef> dumpFlags;   ///< make it print its IR after each pass on stderr
  llvm::ArrayRef<llvm::StringRef> placeFlags;  ///< make it print locations in what it writes
  llvm::ArrayRef<llvm::StringRef> environment; ///< "NAME=VALUE", for the same as dumpFlags
  llvm::StringRef howToGet;                    ///< a sentence
  llvm::StringRef install = {};                ///< the command that does it; empty: there is none
};

/// The family of a program, by its file name; one for every program.
const ToolFamily &toolFamilyOf(llvm::StringRef program);

/// A program that can be run here, and how it is mostly called.
struct FoundTool {
  std::string program; ///< "iree-compile"
  std::string path;
  std::string command; ///< what a field for it holds at first
};
/// The known tools that are in a folder of PATH, in a fixed order.
std::vector<FoundTool> findTools();

/// The full path of a program, as execvp would find it; with a slash in it, it is a path. Failure: it is not there, or
/// cannot be run, with how to get it.
llvm::Expected<std::string> findProgram(llvm::StringRef program);

/// A command whose program is there.
struct ToolCommand {
  std::vector<std::string> words; ///< as typed
  std::string path;               ///< of the program
  const ToolFamily *family = nullptr;

  std::string program() const; ///< its file name
  /// What runs: FILE where a word holds `{}`, else as the last one. `dumps`: with the family's flags, unless the
  /// command says itself what is to be printed.
  std::vector<std::string> argumentsFor(llvm::StringRef file, bool dumps) const;
  /// The same for one step of a pipeline, whose output is IR.
  std::vector<std::string> stepArgumentsFor(llvm::StringRef file) const;
  bool choosesDumps() const;
  /// Where it dumps to by its own words (--mlir-print-ir-tree-dir); empty: nowhere else.
  std::string dumpFolder() const;
};

/// Reads what the user typed. Failure: quotes that do not match, what only a shell could do, or a program that is not
/// there.
llvm::Expected<ToolCommand> readToolCommand(llvm::StringRef line);

} // namespace fuselage
