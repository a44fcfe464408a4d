// The window's program.
#pragma once
#include <string>

namespace fuselage::cli {

/// Beside ours (a build or an install), else on PATH; empty if there is none.
std::string findWindowProgram();

} // namespace fuselage::cli
