#include "app/cli/Commands.h"
#include "app/cli/mcp/McpServer.h"
#include "core/support/process/Process.h"

namespace fuselage::cli {

int mcpCommand(Arguments arguments) {
  std::vector<std::string> folders;
  Options options(
      "mcp", "",
      "A server of the Model Context Protocol over standard input and output, with 15 tools: open, graph "
      "summary, missed fusions, why, fuse, step, diff, rewrites, run, tiles, buffers, schedule, tune, compare, "
      "export. It reads and writes files below the folders given here alone, starts no other program, and "
      "works on copies. Long answers have pages.");
  options.custom("folder", "DIR", "files below it can be opened, and exported to; may be repeated (default: none)",
                 [&](llvm::StringRef value) {
                   folders.push_back(value.str());
                   return std::string();
                 });
  options.example("fuselage mcp --folder ~/models");
  if (auto code = options.parse(arguments))
    return *code;
  auto documents = McpDocuments::create(std::move(folders));
  if (!documents)
    return reportFailure(documents.takeError());
  const std::string program = ownProgram();
  return serveMcp(/*in=*/0, /*out=*/1, program, std::move(*documents), FUSELAGE_VERSION);
}

} // namespace fuselage::cli
