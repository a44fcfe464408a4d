#include "core/graph/export/ModelExplorer.h"
#include "core/graph/export/Picture.h"
#include "core/graph/export/RasterExport.h"
#include "core/support/OutputFile.h"
#include "core/text/PrintableText.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

/// "svg", by `format` or the ending of `path`.
static std::string kindOf(llvm::StringRef path, llvm::StringRef format) {
  if (format.empty() && path.ends_with(modelExplorerEnding))
    return "model-explorer";
  if (format.empty())
    format = llvm::sys::path::extension(path).drop_while([](char c) { return c == '.'; });
  return format.lower();
}

llvm::Expected<std::vector<const FunctionGraph *>> selectFunctions(const Graph &graph, const SceneOptions &options) {
  std::vector<const FunctionGraph *> selected;
  for (const FunctionGraph &function : graph.functions)
    if (options.function.empty() || function.name == options.function)
      selected.push_back(&function);
  if (selected.empty() && !options.function.empty())
    return buildScene(graph, options).takeError(); // names the functions there are
  return selected;
}

static llvm::Error exportJSON(const Graph &graph, const SceneOptions &options, llvm::StringRef path) {
  auto selected = selectFunctions(graph, options);
  if (!selected)
    return selected.takeError();
  return writeOutputFile(path, [&](llvm::raw_ostream &os) { writeJSON(*selected, os); });
}

static llvm::Error exportModelExplorer(const Graph &graph, const SceneOptions &options, llvm::StringRef path,
                                       const EdgeVerdicts *verdicts) {
  auto selected = selectFunctions(graph, options);
  if (!selected)
    return selected.takeError();
  llvm::StringRef label = path == "-" ? "fuselage" : llvm::sys::path::filename(path);
  if (!label.consume_back(modelExplorerEnding))
    label = llvm::sys::path::stem(label);
  return writeOutputFile(
      path, madePrintable(toModelExplorer(*selected, {.label = label.str(), .verdicts = verdicts}), Spelling::Json));
}

bool showsVerdicts(llvm::StringRef path, llvm::StringRef format) {
  return isPicture(path, format) || kindOf(path, format) == "model-explorer";
}

bool isPicture(llvm::StringRef path, llvm::StringRef format) {
  std::string kind = kindOf(path, format);
  return kind == "svg" || kind == "dot" || kind == "gv" || kind == "png" || kind == "pdf";
}

size_t countPages(const Scene &scene, llvm::StringRef path, llvm::StringRef format, const PictureOptions &options) {
  if (kindOf(path, format) != "pdf")
    return 0;
  if (options.sheet == Sheet::None)
    return 1;
  PagePlan plan = planPages(scene, options);
  return plan.cells() > PagePlan::mostCells ? plan.cells() : plan.tiles.size();
}

static llvm::Expected<std::string> renderSheets(const Scene &scene, const PictureOptions &options) {
  constexpr size_t mostPages = 400;
  PagePlan plan = planPages(scene, options);
  size_t pages = plan.cells() > PagePlan::mostCells ? plan.cells() : plan.tiles.size();
  if (pages == 0)
    return fail("there is nothing in that part of the picture");
  if (pages > mostPages)
    return fail(llvm::formatv("the picture takes {0} pages, and no more than {1} are written: collapse parts of it, "
                              "take a part of it, larger "
                              "sheets or one page of its own size",
                              pages, mostPages));
  return renderPages({plan.width, plan.height}, pages,
                     [&](size_t page) { return pageToSVG(scene, options, plan, page); });
}

llvm::Error exportScene(const Scene &scene, llvm::StringRef path, llvm::StringRef format,
                        const PictureOptions &options) {
  std::string kind = kindOf(path, format);
  if (!isPicture(path, format))
    return fail(llvm::formatv("'{0}' is no picture format; there are dot, svg, png, pdf, json and model-explorer",
                              kind.empty() ? path.str() : kind));
  if (options.sheet != Sheet::None && kind != "pdf")
    return fail(llvm::formatv("only a pdf has pages, and '{0}' is {1}", path, kind));
  if (kind == "dot" || kind == "gv")
    return writeOutputFile(path, toDOT(scene));
  if (options.sheet != Sheet::None) {
    auto sheets = renderSheets(scene, options);
    return sheets ? writeOutputFile(path, *sheets, Content::Bytes) : sheets.takeError();
  }
  if (kind == "svg") // of a large picture the text would be larger than the graph
    return writeOutputFile(path, [&](llvm::raw_ostream &os) { writeSVG(scene, options, os); });
  std::string svg = toSVG(scene, options), note;
  llvm::Expected<std::string> rendered = kind == "png" ? renderPNG(svg, 2, note) : renderPDF(svg);
  if (!rendered)
    return rendered.takeError();
  if (!note.empty())
    llvm::errs() << "note: " << note << '\n';
  return writeOutputFile(path, *rendered, Content::Bytes);
}

llvm::Error exportScene(const Scene &scene, llvm::StringRef path, llvm::StringRef format) {
  return exportScene(scene, path, format, {});
}

llvm::Error exportGraph(const Graph &graph, const SceneOptions &options, llvm::StringRef path, llvm::StringRef format,
                        const EdgeVerdicts *verdicts, const PictureOptions &picture) {
  if (kindOf(path, format) == "json")
    return exportJSON(graph, options, path);
  if (kindOf(path, format) == "model-explorer")
    return exportModelExplorer(graph, options, path, verdicts);
  if (!isPicture(path, format))
    return exportScene({}, path, format); // says what there is
  llvm::Expected<Scene> scene = buildScene(graph, options);
  if (!scene)
    return scene.takeError();
  if (verdicts)
    applyVerdicts(*scene, *verdicts);
  if (llvm::Error error = exportScene(*scene, path, format, picture))
    return error;
  if (picture.sheet != Sheet::None)
    llvm::errs() << "note: " << countPages(*scene, path, format, picture) << " pages\n";
  return llvm::Error::success();
}

llvm::Error exportGraph(const Graph &graph, const SceneOptions &options, llvm::StringRef path, llvm::StringRef format,
                        const EdgeVerdicts *verdicts) {
  return exportGraph(graph, options, path, format, verdicts, {});
}

} // namespace fuselage
