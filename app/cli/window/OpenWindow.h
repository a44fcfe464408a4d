// The window's program.
#pragma once
#include <string>

namespace fuselage::cli {

/// Beside ours (a build or an install), else on PATH; empty if there is none. `programPath`: as ours was called, where
/// the system does not say where it is; may be null.
std::string findWindowProgram(const char *programPath);

} // namespace fuselage::cli
