#include "app/cli/CommonOptions.h"
#include "app/cli/Activity.h"
#include "app/cli/Output.h"
#include "core/registration/Registration.h"
#include "core/support/OutputFile.h"
#include "core/support/Paths.h"
#include "core/trace/TraceLog.h"
#include <memory>

namespace fuselage::cli {

static void declare(Options &options, const std::string &name, const std::string &help, PluginPart part,
                    std::vector<PluginRequest> &requests) {
  options.custom(name, "FILE", help, [&requests, part](llvm::StringRef path) -> std::string {
    if (path.empty())
      return "takes a file";
    requests.push_back({path.str(), part});
    return "";
  });
}

static void declareBoth(Options &options, std::vector<PluginRequest> &requests) {
  declare(options, "load-pass-plugin",
          "load the passes of this plugin of MLIR, a shared object, as mlir-opt does; may be repeated",
          PluginPart::Passes, requests);
  declare(options, "load-dialect-plugin", "the same for its dialects; may be repeated", PluginPart::Dialects, requests);
}

/// Loads them, or says why one cannot be loaded.
static std::optional<int> loadAll(const std::vector<PluginRequest> &requests) {
  for (const PluginRequest &request : requests) {
    setActivity("loading the plugin '" + shortPath(request.path) + "'");
    if (llvm::Error error = loadPlugin(request, allDialects()))
      return reportFailure(std::move(error));
    setActivity("");
  }
  return std::nullopt;
}

void declarePlugins(Options &options) {
  auto requests = std::make_shared<std::vector<PluginRequest>>();
  declareBoth(options, *requests);
  options.afterParsing([requests] {
    if (!requests->empty())
      registerAllPasses(); // a plugin has none of these names
    return loadAll(*requests);
  });
}

void declarePluginRequests(Options &options, std::vector<PluginRequest> &requests) {
  declareBoth(options, requests);
  declare(options, "load-plugin", "the same for all that the file has, passes and dialects; may be repeated",
          PluginPart::All, requests);
}

static llvm::Error writeTrace(const std::string &path) {
  traceActivity("");
  return writeOutputFile(path, [](llvm::raw_ostream &os) { traceLog()->write(os); });
}

void declareTrace(Options &options) {
  auto path = std::make_shared<std::string>();
  options.custom("trace", "OUT.json",
                 "write how long everything took, as a trace for Perfetto, speedscope and 'fuselage trace'",
                 [path](llvm::StringRef value) -> std::string {
                   *path = value.str();
                   return value.empty() || value == "-" ? "takes a file" : "";
                 });
  options.afterParsing([path]() -> std::optional<int> {
    if (path->empty())
      return std::nullopt;
    if (llvm::Error error = checkOutputFile(*path))
      return reportFailure(std::move(error));
    startTrace();
    callAtEnd([path] { return writeTrace(*path); });
    return std::nullopt;
  });
}

} // namespace fuselage::cli
