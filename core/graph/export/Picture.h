// What of a scene is written, on which ground, on how many pages.
#pragma once
#include "core/graph/scene/Palette.h"
#include "core/graph/scene/Scene.h"
#include <optional>

namespace fuselage {

/// Sheets of a PDF; None: one page as large as the picture.
enum class Sheet { None, A4, A3 };

struct PictureOptions {
  std::optional<LayoutRect> region; ///< of the scene; nothing: all of it
  Ground ground = Ground::Light;
  Sheet sheet = Sheet::None;
};

/// One sheet's part of a picture.
struct PageTile {
  LayoutRect part; ///< of the scene
  int row = 0, column = 0;
};

/// How a picture is cut into sheets. Sheets on which nothing would be are left out. Where it takes more than
/// `mostCells` with those, there are no tiles.
struct PagePlan {
  static constexpr size_t mostCells = 4'000'000;
  double width = 0, height = 0; ///< of a sheet, in points
  double margin = 0;            ///< around the picture on it, in points
  double scale = 0;             ///< points a px of the scene
  int rows = 0, columns = 0;
  std::vector<PageTile> tiles; ///< row by row
  size_t cells() const { return static_cast<size_t>(rows) * columns; }
};
/// The widest words of a graph are 7 pt high; upright or lying, whichever takes fewer sheets. None: no tiles.
PagePlan planPages(const Scene &scene, const PictureOptions &options);

/// Pages of the file that exportScene() writes by these options; 0 where its format has no pages, and where nothing is
/// in the part of the picture. Beyond PagePlan::mostCells, the empty ones count, too.
size_t countPages(const Scene &scene, llvm::StringRef path, llvm::StringRef format, const PictureOptions &options);
/// As those in Scene.h, of a part of the picture, on another ground, on sheets. Failure, too: sheets of what is no PDF,
/// or more of them than anybody prints.
llvm::Error exportScene(const Scene &scene, llvm::StringRef path, llvm::StringRef format,
                        const PictureOptions &options);
llvm::Error exportGraph(const Graph &graph, const SceneOptions &options, llvm::StringRef path, llvm::StringRef format,
                        const EdgeVerdicts *verdicts, const PictureOptions &picture);

/// Whether a file of the format shows verdicts: pictures, and graphs for Model Explorer.
bool showsVerdicts(llvm::StringRef path, llvm::StringRef format = "");

/// The functions that SceneOptions::function selects. Failure: there is none of the name.
llvm::Expected<std::vector<const FunctionGraph *>> selectFunctions(const Graph &graph, const SceneOptions &options);

std::string toSVG(const Scene &scene, const PictureOptions &options);
void writeSVG(const Scene &scene, const PictureOptions &options, llvm::raw_ostream &os);
/// One sheet, with its number, its neighbours and the legend below the picture.
std::string pageToSVG(const Scene &scene, const PictureOptions &options, const PagePlan &plan, size_t page);

} // namespace fuselage
