#include "core/plugins/LoadedPlugin.h"
#include "core/support/Error.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include <dlfcn.h>

namespace fuselage {

/// The sentence about a plugin of another API; empty: it is ours.
template <class Info> static std::string checkVersion(const std::optional<Info> &info) {
  if (!info || info->apiVersion == MLIR_PLUGIN_API_VERSION)
    return "";
  return "it uses version " + std::to_string(info->apiVersion) + " of MLIR's plugin API, and Fuselage version " +
         std::to_string(MLIR_PLUGIN_API_VERSION) + "; build it with MLIR " LLVM_VERSION_STRING;
}

llvm::Expected<LoadedPlugin> LoadedPlugin::load(const std::string &path) {
  // Now, so that a symbol that nobody has is a message, and not the end of the process when it is called. Global, as
  // mlir-opt does it: passes in one plugin may use the dialect of another one.
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    const char *why = dlerror();
    return fail(why ? why : "the loader does not say why");
  }
  LoadedPlugin plugin;
  if (void *entry = dlsym(library, "mlirGetPassPluginInfo"))
    plugin.passes_ = reinterpret_cast<decltype(mlirGetPassPluginInfo) *>(entry)();
  if (void *entry = dlsym(library, "mlirGetDialectPluginInfo"))
    plugin.dialects_ = reinterpret_cast<decltype(mlirGetDialectPluginInfo) *>(entry)();
  for (const std::string &problem : {checkVersion(plugin.passes_), checkVersion(plugin.dialects_)})
    if (!problem.empty())
      return fail(problem);
  return plugin;
}

static std::string text(const char *pointer) { return pointer ? pointer : ""; }

std::string LoadedPlugin::name() const {
  return text(passes_ ? passes_->pluginName : dialects_ ? dialects_->pluginName : nullptr);
}
std::string LoadedPlugin::version() const {
  return text(passes_ ? passes_->pluginVersion : dialects_ ? dialects_->pluginVersion : nullptr);
}

void LoadedPlugin::registerPasses() const {
  if (passes_ && passes_->registerPassRegistryCallbacks)
    passes_->registerPassRegistryCallbacks();
}

void LoadedPlugin::registerDialects(mlir::DialectRegistry &registry) const {
  if (dialects_ && dialects_->registerDialectRegistryCallbacks)
    dialects_->registerDialectRegistryCallbacks(&registry);
}

std::vector<std::string> LoadedPlugin::newDialects(const mlir::DialectRegistry &known) const {
  mlir::DialectRegistry own;
  registerDialects(own);
  std::vector<std::string> names;
  for (llvm::StringRef name : own.getDialectNames())
    if (!llvm::is_contained(known.getDialectNames(), name))
      names.push_back(name.str());
  return names;
}

/// Which class implements the dialect.
static mlir::TypeID classOf(mlir::MLIRContext &context, llvm::StringRef name) {
  const mlir::Dialect *dialect = context.getOrLoadDialect(name);
  return dialect ? dialect->getTypeID() : mlir::TypeID::get<void>();
}

std::string LoadedPlugin::tryDialects(const mlir::DialectRegistry &known) const {
  mlir::DialectRegistry own, all;
  registerDialects(own);
  mlir::MLIRContext alone(own, mlir::MLIRContext::Threading::DISABLED);
  mlir::MLIRContext before(known, mlir::MLIRContext::Threading::DISABLED);
  // It may well register what its own dialect builds on.
  for (llvm::StringRef name : own.getDialectNames())
    if (llvm::is_contained(known.getDialectNames(), name) && classOf(alone, name) != classOf(before, name))
      return "it registers the dialect '" + name.str() + "', and there is one of that name already";
  known.appendTo(all);
  registerDialects(all);
  mlir::MLIRContext context(all, mlir::MLIRContext::Threading::DISABLED);
  for (llvm::StringRef name : own.getDialectNames())
    (void)context.getOrLoadDialect(name);
  return "";
}

} // namespace fuselage
