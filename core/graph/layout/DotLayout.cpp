#include "core/graph/layout/DotLayout.h"
#include "core/graph/layout/ClusterTree.h"
#include "core/graph/layout/LayeredLayout.h"
#include "core/support/process/HelperProcess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

static constexpr double pointsPerInch = 72, pageMargin = 16;
/// dot's time grows with the square of the picture and worse: 600 nodes 0.2 s, 3,000 4 to 8 s,
/// 10,000 over a minute.
static constexpr size_t mostNodes = 3000, comfortableNodes = 600;

namespace {
/// Writes the graph for dot. A cluster that is the end of an edge gets an invisible node inside.
class DotWriter {
public:
  explicit DotWriter(const LayoutGraph &graph) : graph_(graph), tree_(graph), os_(text_) {}

  std::string write() {
    os_ << "digraph g {\nnode [shape=box fixedsize=true label=\"\"]\n"
           "graph [ranksep=0.5 nodesep=0.35 compound=true]\nedge [arrowhead=none]\n";
    writeMembers(-1);
    tree_.walk([&](int cluster) { openCluster(cluster); }, [&](int) { os_ << "}\n"; });
    for (size_t e = 0; e < graph_.edges.size(); ++e)
      writeEdge(e);
    os_ << "}\n";
    return std::move(text_);
  }

private:
  void openCluster(int c) {
    const LayoutGraph::Cluster &box = graph_.clusters[c];
    os_ << llvm::formatv("subgraph cluster_{0} {{ margin=12 label=<<table border=\"0\" "
                         "fixedsize=\"true\" width=\"{1}\" height=\"{2}\"><tr><td></td></tr>"
                         "</table>>\n",
                         c, static_cast<int>(box.titleWidth) + 1, static_cast<int>(box.titleHeight) + 1);
    writeMembers(c);
  }
  void writeMembers(int cluster) {
    for (int node : tree_.nodesIn(cluster))
      os_ << llvm::formatv("n{0} [width={1:f4} height={2:f4}]\n", node, graph_.nodes[node].w / pointsPerInch,
                           graph_.nodes[node].h / pointsPerInch);
    if (cluster >= 0)
      os_ << llvm::formatv("c{0} [style=invis width=0.01 height=0.01]\n", cluster);
  }
  void writeEdge(size_t e) {
    int nodes = graph_.nodes.size();
    const LayoutGraph::Edge &edge = graph_.edges[e];
    auto name = [&](int end) { return end < nodes ? "n" + std::to_string(end) : "c" + std::to_string(end - nodes); };
    os_ << name(edge.from) << " -> " << name(edge.to) << " [id=\"e" << e << "\"";
    if (edge.from >= nodes)
      os_ << " ltail=cluster_" << edge.from - nodes;
    if (edge.to >= nodes)
      os_ << " lhead=cluster_" << edge.to - nodes;
    os_ << "]\n";
  }

  const LayoutGraph &graph_;
  ClusterTree tree_;
  std::string text_;
  llvm::raw_string_ostream os_;
};

/// Reads dot's -Tjson0: points, y upwards, B-splines.
class DotReader {
public:
  DotReader(const LayoutGraph &graph, LayoutResult &result) : graph_(graph), result_(result) {
    result.nodes.resize(graph.nodes.size());
    result.clusters.resize(graph.clusters.size());
    result.edges.resize(graph.edges.size());
  }

  bool read(const llvm::json::Object &root) {
    LayoutRect page;
    if (!readBox(root.getString("bb").value_or(""), page))
      return false;
    pageTop_ = page.h;
    result_.bounds = {0, 0, page.w + 2 * pageMargin, page.h + 2 * pageMargin};
    if (const auto *objects = root.getArray("objects"))
      for (const llvm::json::Value &value : *objects)
        if (const auto *object = value.getAsObject())
          readObject(*object);
    if (const auto *edges = root.getArray("edges"))
      for (const llvm::json::Value &value : *edges)
        if (const auto *edge = value.getAsObject())
          readEdge(*edge);
    return true;
  }

private:
  LayoutPoint place(double x, double y) const { return {x + pageMargin, pageTop_ - y + pageMargin}; }
  static bool readNumbers(llvm::StringRef text, llvm::SmallVectorImpl<double> &numbers) {
    llvm::SmallVector<llvm::StringRef> parts;
    text.split(parts, ',');
    for (llvm::StringRef part : parts)
      if (part.trim().getAsDouble(numbers.emplace_back()))
        return false;
    return true;
  }
  bool readBox(llvm::StringRef text, LayoutRect &box) const {
    llvm::SmallVector<double, 4> n;
    if (!readNumbers(text, n) || n.size() != 4)
      return false;
    LayoutPoint corner = place(n[0], n[3]);
    box = {corner.x, corner.y, n[2] - n[0], n[3] - n[1]};
    return true;
  }
  void readObject(const llvm::json::Object &object) {
    llvm::StringRef name = object.getString("name").value_or("");
    size_t index;
    llvm::SmallVector<double, 2> at;
    if (name.consume_front("cluster_")) {
      if (!name.getAsInteger(10, index) && index < result_.clusters.size())
        readBox(object.getString("bb").value_or(""), result_.clusters[index]);
    } else if (name.consume_front("n") && !name.getAsInteger(10, index) && index < result_.nodes.size() &&
               readNumbers(object.getString("pos").value_or(""), at) && at.size() == 2) {
      const LayoutGraph::Node &node = graph_.nodes[index];
      LayoutPoint middle = place(at[0], at[1]);
      result_.nodes[index] = {middle.x - node.w / 2, middle.y - node.h / 2, node.w, node.h};
    }
  }
  void readEdge(const llvm::json::Object &edge) {
    llvm::StringRef id = edge.getString("id").value_or("");
    size_t index;
    if (!id.consume_front("e") || id.getAsInteger(10, index) || index >= result_.edges.size())
      return;
    std::vector<LayoutPoint> control;
    llvm::SmallVector<llvm::StringRef> words;
    edge.getString("pos").value_or("").split(words, ' ', -1, false);
    for (llvm::StringRef word : words) {
      llvm::SmallVector<double, 2> at;
      if (readNumbers(word, at) && at.size() == 2)
        control.push_back(place(at[0], at[1]));
    }
    flatten(control, result_.edges[index]);
  }
  /// Cubic pieces to short straight lines.
  static void flatten(const std::vector<LayoutPoint> &control, std::vector<LayoutPoint> &points) {
    if (control.empty())
      return;
    constexpr int steps = 8;
    points.push_back(control[0]);
    for (size_t i = 0; i + 3 < control.size(); i += 3)
      for (int k = 1; k <= steps; ++k) {
        double t = static_cast<double>(k) / steps, s = 1 - t;
        double b[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
        LayoutPoint point;
        for (int j = 0; j < 4; ++j) {
          point.x += b[j] * control[i + j].x;
          point.y += b[j] * control[i + j].y;
        }
        points.push_back(point);
      }
    simplifyPolyline(points);
  }

  const LayoutGraph &graph_;
  LayoutResult &result_;
  double pageTop_ = 0;
};
} // namespace

llvm::Expected<LayoutResult> dotLayout(const LayoutGraph &graph, const std::atomic<bool> *cancelled,
                                       double timeoutSeconds) {
  const char *instead = "use the layered layout, which is made for this size, or collapse some "
                        "dispatches first";
  if (graph.nodes.size() > mostNodes)
    return fail(llvm::formatv("{0} nodes are too many for dot (it takes minutes beyond {1}): {2}", graph.nodes.size(),
                              mostNodes, instead));
  llvm::Expected<std::string> output =
      runFilter("dot", {"-Tjson0"}, DotWriter(graph).write(), cancelled, timeoutSeconds,
                "install Graphviz (apt install graphviz), or use the layered layout");
  if (!output) {
    Failure failure = takeFailure(output.takeError());
    if (graph.nodes.size() > comfortableNodes && !(cancelled && cancelled->load()))
      failure.message += llvm::formatv("; {0} nodes are many for it: {1}", graph.nodes.size(), instead).str();
    return fail(std::move(failure.message));
  }
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(*output);
  if (!json)
    return fail("dot's answer is no JSON: " + llvm::toString(json.takeError()));
  LayoutResult result;
  const llvm::json::Object *root = json->getAsObject();
  if (!root || !DotReader(graph, result).read(*root))
    return fail("dot's answer has no bounding box: Graphviz 2.40 or newer is needed");
  return result;
}

} // namespace fuselage
