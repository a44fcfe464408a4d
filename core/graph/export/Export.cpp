#include "core/graph/export/RasterExport.h"
#include "core/graph/scene/Scene.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

/// "svg", by `format` or the ending of `path`.
static std::string kindOf(llvm::StringRef path, llvm::StringRef format) {
  if (format.empty())
    format = llvm::sys::path::extension(path).drop_while([](char c) { return c == '.'; });
  return format.lower();
}

static llvm::Error exportJSON(const Graph &graph, const SceneOptions &options, llvm::StringRef path) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Graph selected;
  for (const FunctionGraph &function : graph.functions)
    if (options.function.empty() || function.name == options.function)
      selected.functions.push_back(function);
  if (selected.functions.empty() && !options.function.empty())
    return buildScene(graph, options).takeError(); // names the functions there are
  writeJSON(selected, os);
  return writeOutputFile(path, text);
}

bool isPicture(llvm::StringRef path, llvm::StringRef format) {
  std::string kind = kindOf(path, format);
  return kind == "svg" || kind == "dot" || kind == "gv" || kind == "png" || kind == "pdf";
}

llvm::Error exportScene(const Scene &scene, llvm::StringRef path, llvm::StringRef format) {
  std::string kind = kindOf(path, format);
  if (!isPicture(path, format))
    return fail(llvm::formatv("'{0}' is no picture format; there are dot, svg, png, pdf and json",
                              kind.empty() ? path.str() : kind));
  if (kind == "dot" || kind == "gv")
    return writeOutputFile(path, toDOT(scene));
  std::string svg = toSVG(scene), note;
  if (kind == "svg")
    return writeOutputFile(path, svg);
  llvm::Expected<std::string> rendered = kind == "png" ? renderPNG(svg, 2, note) : renderPDF(svg);
  if (!rendered)
    return rendered.takeError();
  if (!note.empty())
    llvm::errs() << "note: " << note << '\n';
  return writeOutputFile(path, *rendered);
}

llvm::Error exportGraph(const Graph &graph, const SceneOptions &options, llvm::StringRef path, llvm::StringRef format,
                        const EdgeVerdicts *verdicts) {
  if (kindOf(path, format) == "json")
    return exportJSON(graph, options, path);
  if (!isPicture(path, format))
    return exportScene({}, path, format); // says what there is
  llvm::Expected<Scene> scene = buildScene(graph, options);
  if (!scene)
    return scene.takeError();
  if (verdicts)
    applyVerdicts(*scene, *verdicts);
  return exportScene(*scene, path, format);
}

} // namespace fuselage
