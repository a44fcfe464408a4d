#include "core/graph/Palette.h"
#include "core/graph/Scene.h"
#include "core/graph/TextMetrics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {
namespace {

/// A double-quoted DOT string.
std::string quoted(llvm::StringRef text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c == '\0' ? '?' : c;
  }
  return out + "\"";
}

/// Writes a scene for Graphviz, clusters as subgraphs.
class DotWriter {
public:
  explicit DotWriter(const Scene &scene) : scene_(scene), os_(text_) {
    for (size_t c = 0; c < scene.clusters.size(); ++c)
      clusterAt_[scene.clusters[c].id] = c;
    nest();
  }

  std::string write() {
    os_ << "digraph fuselage {\n  graph [fontname=\"" << graphFont
        << "\" fontsize=12 compound=true]\n  node [shape=box style=\"filled,rounded\" fontname=\""
        << graphFont << "\" fontsize=12]\n  edge [fontname=\"" << graphFont
        << "\" fontsize=10 color=\"" << edgeColor << "\"]\n";
    writeNodes(-1);
    std::vector<std::pair<int, size_t>> open{{-1, 0}};
    while (!open.empty()) {
      auto &[cluster, next] = open.back();
      if (next == children_[cluster + 1].size()) {
        if (cluster >= 0)
          os_ << "  }\n";
        open.pop_back();
        continue;
      }
      int child = children_[cluster + 1][next++];
      openCluster(child);
      open.push_back({child, 0});
    }
    for (const SceneEdge &edge : scene_.edges)
      writeEdge(edge);
    os_ << "}\n";
    return std::move(text_);
  }

private:
  void nest() {
    children_.resize(scene_.clusters.size() + 1);
    members_.resize(scene_.clusters.size() + 1);
    for (size_t c = 0; c < scene_.clusters.size(); ++c)
      children_[scene_.clusters[c].parent + 1].push_back(c);
    for (size_t n = 0; n < scene_.nodes.size(); ++n)
      members_[scene_.nodes[n].cluster + 1].push_back(n);
  }
  void openCluster(int c) {
    const SceneCluster &cluster = scene_.clusters[c];
    Ink colors = cluster.dispatch >= 0 ? dispatchInk(cluster.dispatch) : clusterInk(cluster.depth);
    os_ << "  subgraph " << quoted("cluster_" + std::to_string(cluster.id)) << " {\n    label="
        << quoted(cluster.label) << " labeljust=l style=\"filled,rounded\" fillcolor=\""
        << colors.fill << (cluster.dispatch >= 0 ? "80" : "") << "\" color=\"" << colors.line
        << "\"\n    " << anchor(cluster.id)
        << " [shape=point style=invis width=0.01 height=0.01 label=\"\"]\n";
    writeNodes(c);
  }
  void writeNodes(int cluster) {
    for (int n : members_[cluster + 1]) {
      const SceneNode &node = scene_.nodes[n];
      Ink colors = nodeInk(node.dispatch, node.kind);
      std::string label = node.title;
      if (!node.subtitle.empty())
        label += "\n" + node.subtitle;
      os_ << "    " << quoted("n" + std::to_string(node.id)) << " [label=" << quoted(label)
          << " fillcolor=\"" << colors.fill << "\" color=\"" << colors.line << '"';
      if (node.collapsedCluster)
        os_ << " peripheries=2";
      if (node.kind == NodeKind::Gap)
        os_ << " style=\"filled,dashed\"";
      os_ << "]\n";
    }
  }
  std::string anchor(OpId cluster) const { return quoted("c" + std::to_string(cluster)); }
  void writeEdge(const SceneEdge &edge) {
    auto end = [&](OpId id) {
      return clusterAt_.contains(id) ? anchor(id) : quoted("n" + std::to_string(id));
    };
    os_ << "  " << end(edge.from) << " -> " << end(edge.to) << " [label=" << quoted(edge.label);
    if (clusterAt_.contains(edge.from))
      os_ << " ltail=" << quoted("cluster_" + std::to_string(edge.from));
    if (clusterAt_.contains(edge.to))
      os_ << " lhead=" << quoted("cluster_" + std::to_string(edge.to));
    os_ << "]\n";
  }

  const Scene &scene_;
  std::string text_;
  llvm::raw_string_ostream os_;
  llvm::DenseMap<OpId, int> clusterAt_;
  std::vector<std::vector<int>> children_, members_;
};

} // namespace

std::string toDOT(const Scene &scene) { return DotWriter(scene).write(); }

} // namespace fuselage
