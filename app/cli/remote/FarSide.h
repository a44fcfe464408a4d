// The options that say which machine is meant.
#pragma once
#include "app/cli/Options.h"
#include "core/deploy/FarShell.h"

namespace fuselage::cli {

struct FarSide {
  std::string command, format = "text";
};
void declareFarSide(Options &options, FarSide &side);
llvm::Expected<FarShell> farShellOf(const FarSide &side);

} // namespace fuselage::cli
