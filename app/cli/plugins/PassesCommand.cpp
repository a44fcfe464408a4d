// fuselage passes: what a pipeline may be made of.
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "core/ir/module/PassCatalog.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

static std::string tableOf(const std::vector<CatalogEntry> &entries) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const CatalogEntry &entry : entries) {
    const Plugin *plugin = pluginOfPass(entry.argument);
    os << llvm::formatv("{0,-48} {1}", entry.argument, entry.description)
       << (plugin ? " [" + describePlugin(*plugin) + "]" : "") << '\n';
  }
  return text;
}

static std::string jsonOf(const std::vector<CatalogEntry> &entries) {
  llvm::json::Array passes, loaded;
  for (const CatalogEntry &entry : entries) {
    const Plugin *plugin = pluginOfPass(entry.argument);
    passes.push_back(llvm::json::Object{{"argument", entry.argument},
                                        {"description", entry.description},
                                        {"options", entry.options},
                                        {"plugin", plugin ? llvm::json::Value(plugin->path) : nullptr}});
  }
  for (const Plugin &plugin : plugins())
    loaded.push_back(llvm::json::Object{{"file", plugin.path},
                                        {"name", plugin.name},
                                        {"version", plugin.version},
                                        {"passes", plugin.passes},
                                        {"dialects", plugin.dialects}});
  return jsonText(llvm::json::Object{{"version", 1}, {"passes", std::move(passes)}, {"plugins", std::move(loaded)}});
}

int passesCommand(Arguments arguments) {
  std::string format = "text";
  Options options("passes", "[TEXT]",
                  "Lists the passes and pipelines that a pipeline may name, with those of plugins; with TEXT, those "
                  "whose name or description has it.");
  options.choice("format", {"text", "json"}, "a table or JSON (default: text)", format);
  declarePlugins(options);
  options.example("fuselage passes fuse");
  options.example("fuselage passes --load-pass-plugin=build/lib/libmine.so mine");
  if (auto code = options.parse(arguments))
    return *code;
  std::vector<CatalogEntry> entries = listRegisteredPasses();
  llvm::StringRef text = options.positional();
  llvm::erase_if(entries, [&](const CatalogEntry &entry) {
    return !llvm::StringRef(entry.argument).contains_insensitive(text) &&
           !llvm::StringRef(entry.description).contains_insensitive(text);
  });
  if (entries.empty())
    return reportFailure(fail("no pass has '" + text.str() + "' in its name or description"));
  if (llvm::Error error = writeOutputFile("-", format == "json" ? jsonOf(entries) : tableOf(entries)))
    return reportFailure(std::move(error));
  return ExitOk;
}

} // namespace fuselage::cli
