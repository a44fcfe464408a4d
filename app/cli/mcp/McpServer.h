// The Model Context Protocol over standard input and output: a message a line.
#pragma once
#include "app/cli/mcp/McpTools.h"

namespace fuselage::cli {

/// Serves until the input ends, and returns the exit code. `version`: of ours.
int serveMcp(int in, int out, const std::string &program, McpDocuments documents, const std::string &version);

} // namespace fuselage::cli
