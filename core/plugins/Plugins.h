// Plugins of MLIR: passes and dialects in shared objects, as mlir-opt loads them.
#pragma once
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace fuselage {

/// What is loaded of a file: what --load-pass-plugin and --load-dialect-plugin ask for, or all that it has.
enum class PluginPart { Passes, Dialects, All };

struct PluginRequest {
  std::string path;
  PluginPart part = PluginPart::All;
};

/// A plugin that is loaded, or that was refused.
struct Plugin {
  std::string path{};
  std::string name{}, version{};       ///< as it says itself
  std::vector<std::string> passes{};   ///< passes and pipelines that it has registered, by argument
  std::vector<std::string> dialects{}; ///< by namespace
  std::string problem{};               ///< why it was refused; empty: it is loaded
  bool crashed = false;                ///< it was refused because it ended the process while it was loaded
};

/// Whether the plugin can be loaded. First its file is read: it must be a shared object for this machine with the entry
/// points that are asked for, and be linked to the same LLVM as this process, because two of them in one process
/// damage each other. Then a forked copy of the process loads it, which catches crashes, another plugin API, passes
/// and dialects whose names exist already, and an LLVM that another library brings.
///
/// `known`: the dialects that there are. All passes must be registered before. Failure: the file, what is wrong, and
/// both versions where they differ; `crashed`, if given, says whether the copy died of it.
llvm::Error checkPlugin(const PluginRequest &request, const mlir::DialectRegistry &known, bool *crashed = nullptr);

/// checkPlugin(), then loads it into this process, for good. A file that is loaded already is not loaded twice; another
/// part of it is. Not from several threads at once, and before there are contexts that are to know its dialects.
/// Failure: as of checkPlugin().
llvm::Error loadPlugin(const PluginRequest &request, const mlir::DialectRegistry &known);

/// All that loadPlugin() was called for, in that order, the refused ones included.
const std::vector<Plugin> &plugins();

/// The plugin that has registered the pass or pipeline; null: none has.
const Plugin *pluginOfPass(llvm::StringRef argument);

/// "the plugin 'Toy' (libtoy.so)"
std::string describePlugin(const Plugin &plugin);

/// Adds the dialects of the plugins that are loaded.
void registerPluginDialects(mlir::DialectRegistry &registry);

} // namespace fuselage
