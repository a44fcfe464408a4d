#include "core/graph/layout/Layout.h"
#include "core/graph/layout/DotLayout.h"
#include "core/graph/layout/LayeredLayout.h"

namespace fuselage {

llvm::Expected<LayoutResult> layout(const LayoutGraph &graph, LayoutEngine engine, const std::atomic<bool> *cancelled,
                                    double timeoutSeconds) {
  if (std::string problem = checkLayoutGraph(graph); !problem.empty())
    return fail("cannot lay out the graph: " + problem);
  if (engine == LayoutEngine::Dot)
    return dotLayout(graph, cancelled, timeoutSeconds);
  LayoutResult result;
  if (!layeredLayout(graph, cancelled, result))
    return fail("the layout was cancelled");
  return result;
}

} // namespace fuselage
