// Another compiler's passes as a command's input.
#pragma once
#include "app/cli/Input.h"
#include "core/stepping/record/ToolRun.h"

namespace fuselage::cli {

/// Runs another compiler on a file, with its dumps switched on. `run` holds the log, which the recording lies in. Where
/// it ends badly but has dumped something, that is told and `exitCode` is ExitInputError.
llvm::Expected<Input> openByTool(Session &session, llvm::StringRef line, llvm::StringRef path,
                                 std::shared_ptr<ToolRun> &run, int &exitCode);

} // namespace fuselage::cli
