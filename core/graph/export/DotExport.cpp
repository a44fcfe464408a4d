#include "core/graph/layout/ClusterTree.h"
#include "core/graph/scene/Palette.h"
#include "core/graph/scene/Scene.h"
#include "core/graph/scene/TextMetrics.h"
#include "core/text/PrintableText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {
namespace {

/// A double-quoted DOT string.
std::string quoted(llvm::StringRef text) {
  std::string out = "\"";
  for (char c : printable(text)) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

/// Writes a scene for Graphviz, clusters as subgraphs.
class DotWriter {
public:
  explicit DotWriter(const Scene &scene) : scene_(scene), tree_(scene), os_(text_) {
    for (size_t c = 0; c < scene.clusters.size(); ++c)
      clusterAt_[scene.clusters[c].id] = c;
  }

  std::string write() {
    os_ << "digraph fuselage {\n  graph [fontname=\"" << graphFont
        << "\" fontsize=12 compound=true]\n  node [shape=box style=\"filled,rounded\" fontname=\"" << graphFont
        << "\" fontsize=12]\n  edge [fontname=\"" << graphFont << "\" fontsize=10 color=\"" << edgeColor << "\"]\n";
    writeNodes(-1);
    tree_.walk([&](int cluster) { openCluster(cluster); }, [&](int) { os_ << "  }\n"; });
    for (const SceneEdge &edge : scene_.edges)
      writeEdge(edge);
    if (scene_.legend)
      writeLegend();
    os_ << "}\n";
    return std::move(text_);
  }

private:
  void openCluster(int c) {
    const SceneCluster &cluster = scene_.clusters[c];
    Ink colors = clusterInk(scene_, cluster);
    os_ << "  subgraph " << quoted("cluster_" + std::to_string(cluster.id)) << " {\n    label=" << quoted(cluster.label)
        << " labeljust=l style=\"filled,rounded\" fillcolor=\"" << colors.fill << (cluster.dispatch >= 0 ? "80" : "")
        << "\" color=\"" << colors.line << "\"\n    " << anchor(cluster.id)
        << " [shape=point style=invis width=0.01 height=0.01 label=\"\"]\n";
    writeNodes(c);
  }
  void writeNodes(int cluster) {
    for (int n : tree_.nodesIn(cluster)) {
      const SceneNode &node = scene_.nodes[n];
      Ink colors = nodeInk(scene_, node);
      std::string label = node.title.str();
      if (!node.subtitle.empty())
        label += "\n" + node.subtitle.str();
      os_ << "    " << quoted("n" + std::to_string(node.id)) << " [label=" << quoted(label) << " fillcolor=\""
          << colors.fill << "\" color=\"" << colors.line << '"';
      if (node.collapsedCluster)
        os_ << " peripheries=2";
      if (node.kind == NodeKind::Gap)
        os_ << " style=\"filled,dashed\"";
      os_ << "]\n";
    }
  }
  std::string anchor(OpId cluster) const { return quoted("c" + std::to_string(cluster)); }
  void writeEdge(const SceneEdge &edge) {
    auto end = [&](OpId id) { return clusterAt_.contains(id) ? anchor(id) : quoted("n" + std::to_string(id)); };
    os_ << "  " << end(edge.from) << " -> " << end(edge.to) << " [label=" << quoted(beside(edge.label));
    if (clusterAt_.contains(edge.from))
      os_ << " ltail=" << quoted("cluster_" + std::to_string(edge.from));
    if (clusterAt_.contains(edge.to))
      os_ << " lhead=" << quoted("cluster_" + std::to_string(edge.to));
    os_ << style(edge.look) << "]\n";
  }
  /// Graphviz puts labels against the line.
  static std::string beside(llvm::StringRef label) { return label.empty() ? "" : "  " + label.str(); }
  static std::string style(EdgeLook look) {
    if (look == EdgeLook::Plain)
      return "";
    bool isSolid = look == EdgeLook::Fused || look == EdgeLook::NotTried, isDotted = look == EdgeLook::Impossible;
    std::string text = std::string(" style=") +
                       (isSolid    ? "solid"
                        : isDotted ? "dotted"
                                   : "dashed") +
                       " color=\"" + lookColor(look) + "\"";
    if (look == EdgeLook::Possible)
      text += " penwidth=1.5";
    // Graphviz has no lines of dashes and dots: heads tell these apart.
    if (look == EdgeLook::Tried)
      text += " arrowhead=onormal";
    if (look == EdgeLook::NotTried)
      text += " arrowhead=open";
    return text;
  }
  void writeLegend() {
    os_ << "  subgraph \"cluster_legend\" {\n    label=\"\" style=rounded color=\"" << edgeColor << "\"\n";
    for (const LegendRow &row : legendRows(*scene_.legend)) {
      std::string from = quoted("legend from " + std::to_string(int(row.look))),
                  to = quoted("legend to " + std::to_string(int(row.look)));
      os_ << "    " << from << " [shape=point width=0.02 style=invis label=\"\"]\n    " << to
          << " [shape=point width=0.02 style=invis label=\"\"]\n    " << from << " -> " << to
          << " [label=" << quoted(beside(row.text) + "  " + std::to_string(row.count)) << style(row.look) << "]\n";
    }
    os_ << "  }\n";
  }

  const Scene &scene_;
  ClusterTree tree_;
  std::string text_;
  llvm::raw_string_ostream os_;
  llvm::DenseMap<OpId, int> clusterAt_;
};

} // namespace

std::string toDOT(const Scene &scene) { return DotWriter(scene).write(); }

} // namespace fuselage
