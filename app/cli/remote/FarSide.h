// The options that say which machine is meant.
#pragma once
#include "app/cli/Commands.h"
#include "app/cli/Options.h"
#include "core/deploy/FarShell.h"

namespace fuselage::cli {

struct FarSide {
  std::string command, format = "text";
};
void declareFarSide(Options &options, FarSide &side);
/// Parses the command line, and acts on the machine that it names; returns the exit code.
int onFarSide(Options &options, Arguments arguments, const FarSide &side,
              llvm::function_ref<int(const FarShell &)> act);

} // namespace fuselage::cli
