#include "core/plugins/Plugins.h"
#include "core/ir/module/PassCatalog.h"
#include "core/plugins/LlvmLibraries.h"
#include "core/plugins/LoadedPlugin.h"
#include "core/plugins/SharedObject.h"
#include "core/support/Error.h"
#include "core/support/Paths.h"
#include "core/support/TrialRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

namespace fuselage {
namespace {

/// What this process has loaded.
struct Loaded {
  std::vector<Plugin> plugins;
  std::vector<LoadedPlugin> libraries; ///< whose dialects are added to registries
};
Loaded &loaded() {
  static Loaded all;
  return all;
}

std::string cannotLoad(const std::string &path, const std::string &why) {
  return "cannot load the plugin '" + shortPath(path) + "': " + why;
}

bool wants(PluginPart part, PluginPart which) { return part == PluginPart::All || part == which; }

/// A library of LLVM that the plugin needs, and that would be a second one in this process; empty: there is none.
std::string foreignLlvm(const SharedObject &object) {
  std::vector<std::string> ours = loadedLlvmLibraries();
  for (const std::string &library : object.needed)
    if (isLlvmLibrary(library) && !llvm::is_contained(ours, library))
      return library;
  return "";
}

/// The sentence about a plugin that is linked to `library`.
std::string mismatch(const std::string &library) {
  std::string version = llvmVersionIn(library);
  return "it is linked to " + library + (version.empty() ? "" : " (LLVM " + version + ")") + ", and Fuselage to " +
         llvm::join(loadedLlvmLibraries(), " and ") +
         "; build it with the LLVM of Fuselage: two of them do not work in one process";
}

/// What the file alone says. Empty: nothing speaks against it.
std::string findProblem(const PluginRequest &request) {
  auto object = readSharedObject(request.path);
  if (!object)
    return takeFailure(object.takeError()).message;
  if (request.part == PluginPart::Passes && !object->hasPasses)
    return "it has no mlirGetPassPluginInfo, with which a pass plugin begins" +
           std::string(object->hasDialects ? "; it is a dialect plugin: --load-dialect-plugin" : "");
  if (request.part == PluginPart::Dialects && !object->hasDialects)
    return "it has no mlirGetDialectPluginInfo, with which a dialect plugin begins" +
           std::string(object->hasPasses ? "; it is a pass plugin: --load-pass-plugin" : "");
  if (!object->hasPasses && !object->hasDialects)
    return "it has neither mlirGetPassPluginInfo nor mlirGetDialectPluginInfo, with which a plugin of MLIR begins";
  if (object->hasMlir)
    return "it contains a copy of MLIR; link it to " + llvm::join(loadedLlvmLibraries(), " and ") +
           " instead: two copies do not work in one process";
  if (std::string library = foreignLlvm(*object); !library.empty())
    return mismatch(library);
  return "";
}

/// The words of a fatal error of LLVM, for people.
std::string explained(llvm::StringRef reason) {
  auto [before, pass] = reason.split("previously registered for pass ");
  if (!pass.empty())
    return "it registers the pass '" + pass.str() + "', and there is one of that name already";
  return "LLVM refuses it: " + reason.str();
}

llvm::raw_ostream *trialOut = nullptr; // of the copy, which has one thread

/// LLVM's last words about a plugin that is tried: they go where the trial's result goes.
[[noreturn]] void reportFatal(void *, const char *reason, bool) {
  *trialOut << explained(reason);
  trialOut->flush();
  _exit(0);
}

/// In the copy: loads the plugin and writes what is wrong with it; nothing, if it is fine.
void tryPlugin(const PluginRequest &request, const mlir::DialectRegistry &known, llvm::raw_ostream &out) {
  trialOut = &out;
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(reportFatal);
  std::vector<std::string> before = loadedLlvmLibraries();
  auto plugin = LoadedPlugin::load(request.path);
  if (!plugin) {
    out << takeFailure(plugin.takeError()).message;
    return;
  }
  for (const std::string &library : loadedLlvmLibraries())
    if (!llvm::is_contained(before, library)) {
      out << "a library that it needs brings " << library << " into the process, and Fuselage uses "
          << llvm::join(before, " and ") << "; build all of it with the LLVM of Fuselage";
      return;
    }
  if (wants(request.part, PluginPart::Dialects))
    if (std::string problem = plugin->tryDialects(known); !problem.empty()) {
      out << problem;
      return;
    }
  if (wants(request.part, PluginPart::Passes))
    plugin->registerPasses();
}

/// The name that a file goes by, whatever way leads to it.
std::string keyOf(const std::string &path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? path : real.str().str();
}

std::vector<std::string> namesOfPasses() {
  std::vector<std::string> names;
  for (CatalogEntry &entry : listRegisteredPasses())
    names.push_back(std::move(entry.argument));
  return names;
}

/// Registers the passes in this process. Returns their names.
std::vector<std::string> registerPasses(const LoadedPlugin &library) {
  std::vector<std::string> before = namesOfPasses(), added;
  library.registerPasses();
  for (std::string &name : namesOfPasses())
    if (!std::binary_search(before.begin(), before.end(), name))
      added.push_back(std::move(name));
  return added;
}

/// The entry of the file among plugins() that are loaded; a new one, if it is the first of it.
Plugin &entryOf(const std::string &path) {
  for (Plugin &plugin : loaded().plugins)
    if (plugin.path == path && plugin.problem.empty())
      return plugin;
  return loaded().plugins.emplace_back(Plugin{.path = path});
}

} // namespace

llvm::Error checkPlugin(const PluginRequest &request, const mlir::DialectRegistry &known, bool *crashed) {
  if (std::string problem = findProblem(request); !problem.empty())
    return fail(cannotLoad(request.path, problem));
  const TrialLimits limits{.seconds = 10, .bytes = uint64_t(2) << 30};
  auto trial = runInCopy(limits, [&](llvm::raw_ostream &out) { tryPlugin(request, known, out); });
  if (!trial)
    return fail(cannotLoad(request.path, "there is no memory or process to try it in"));
  if (!trial->output.empty())
    return fail(cannotLoad(request.path, trial->output));
  if (!trial->death)
    return llvm::Error::success();
  if (crashed)
    *crashed = true;
  return fail(cannotLoad(request.path, "it " + *trial->death + " while it is loaded"));
}

llvm::Error loadPlugin(const PluginRequest &request, const mlir::DialectRegistry &known) {
  const std::string path = keyOf(request.path);
  bool crashed = false;
  auto refuse = [&](llvm::Error error) {
    Failure failure = takeFailure(std::move(error));
    loaded().plugins.push_back({.path = request.path, .problem = failure.message, .crashed = crashed});
    return fail(failure.message);
  };
  if (llvm::Error error = checkPlugin({path, request.part}, known, &crashed))
    return refuse(std::move(error));
  auto library = LoadedPlugin::load(path);
  if (!library)
    return refuse(library.takeError());
  Plugin &plugin = entryOf(path);
  plugin.name = library->name();
  plugin.version = library->version();
  if (wants(request.part, PluginPart::Dialects) && plugin.dialects.empty()) {
    plugin.dialects = library->newDialects(known);
    loaded().libraries.push_back(*library);
  }
  if (wants(request.part, PluginPart::Passes) && plugin.passes.empty())
    plugin.passes = registerPasses(*library);
  return llvm::Error::success();
}

const std::vector<Plugin> &plugins() { return loaded().plugins; }

const Plugin *pluginOfPass(llvm::StringRef argument) {
  for (const Plugin &plugin : plugins())
    if (llvm::is_contained(plugin.passes, argument))
      return &plugin;
  return nullptr;
}

std::string describePlugin(const Plugin &plugin) {
  std::string file = llvm::sys::path::filename(plugin.path).str();
  return plugin.name.empty() ? "the plugin " + file : "the plugin '" + plugin.name + "' (" + file + ")";
}

void registerPluginDialects(mlir::DialectRegistry &registry) {
  for (const LoadedPlugin &library : loaded().libraries)
    library.registerDialects(registry);
}

} // namespace fuselage
