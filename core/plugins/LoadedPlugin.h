// A plugin's shared object in this process, and its entry points.
#pragma once
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

/// Runs code of the plugin: whoever uses it for the first time does so in a copy of the process (checkPlugin()).
class LoadedPlugin {
public:
  /// Loads the file with all its symbols, and never unloads it. Failure: the loader's words, or another version of
  /// the plugin API.
  static llvm::Expected<LoadedPlugin> load(const std::string &path);

  std::string name() const;
  std::string version() const;

  /// Does nothing if it has none.
  void registerPasses() const;
  void registerDialects(mlir::DialectRegistry &registry) const;

  /// The namespaces that it registers and that are not in `known`.
  std::vector<std::string> newDialects(const mlir::DialectRegistry &known) const;
  /// Loads its dialects beside the known ones, which runs their constructors. Returns what is wrong: a dialect of its
  /// own with the name of a known one. Empty: nothing is.
  std::string tryDialects(const mlir::DialectRegistry &known) const;

private:
  std::optional<mlir::PassPluginLibraryInfo> passes_;
  std::optional<mlir::DialectPluginLibraryInfo> dialects_;
};

} // namespace fuselage
