// An op or an edge as text for a bug tracker.
#pragma once
#include "core/ir/module/PrintedModule.h"

namespace fuselage {

/// What a report is made of; paths are names of files by then.
struct BugReportParts {
  mlir::ModuleOp module;
  const PrintedModule *printed = nullptr;
  OpId op = 0;
  std::optional<OpId> producer; ///< of an edge
  std::string input;            ///< "model.mlir"
  std::string step;             ///< after which it is: "after step 3, tile-reductions"
  std::string pipeline;         ///< that led there; empty: none
  std::string command;          ///< that repeats it
  std::string reason;           ///< in words, lines; may be empty
  std::string version;          ///< of Fuselage
};

/// Markdown: what, why, the IR (the op, what defines its operands, the header of its function, the maps that these
/// name), pipeline, command line and versions.
std::string bugReport(const BugReportParts &parts);

} // namespace fuselage
