#include "tests/bench/Inputs.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::bench {

namespace {

/// Appends the nodes and edges of transformer layers to a LayoutGraph.
class LayerBuilder {
public:
  LayoutGraph graph;

  int node(int cluster, bool constant = false) {
    LayoutGraph::Node &node = graph.nodes.emplace_back();
    node.w = constant ? 90 : 170;
    node.h = 40;
    node.cluster = cluster;
    node.pullToConsumer = constant;
    return static_cast<int>(graph.nodes.size()) - 1;
  }
  int op(int cluster, std::initializer_list<int> inputs) {
    int id = node(cluster);
    for (int input : inputs)
      graph.edges.push_back({input, id});
    return id;
  }
  /// x W + b.
  int linear(int cluster, int x) {
    int product = op(cluster, {x, node(cluster, true)});
    return op(cluster, {product, node(cluster, true)});
  }
  int norm(int cluster, int x) {
    int mean = op(cluster, {x});
    int centred = op(cluster, {x, mean});
    int variance = op(cluster, {centred});
    return op(cluster, {centred, variance, node(cluster, true)});
  }
  int layer(int x) {
    graph.clusters.push_back({.parent = -1, .titleWidth = 60, .titleHeight = 18});
    int cluster = static_cast<int>(graph.clusters.size()) - 1;
    int normed = norm(cluster, x);
    int q = linear(cluster, normed), k = linear(cluster, normed), v = linear(cluster, normed);
    int scores = op(cluster, {q, k});
    int max = op(cluster, {scores});
    int exp = op(cluster, {scores, max});
    int sum = op(cluster, {exp});
    int probabilities = op(cluster, {exp, sum});
    int context = op(cluster, {probabilities, v});
    int attended = op(cluster, {linear(cluster, context), x});
    int up = linear(cluster, norm(cluster, attended));
    int down = linear(cluster, op(cluster, {up}));
    return op(cluster, {down, attended});
  }
};

/// One op line; `%number` is the value it defines, `%previous` the one it uses.
void printOp(llvm::raw_ostream &os, unsigned number, unsigned previous, bool changed) {
  os << "    %" << number << " = " << (changed ? "arith.mulf" : "arith.addf") << " %" << previous << ", %arg0 : f32\n";
}

std::string printFunctions(unsigned lines, unsigned percent) {
  constexpr unsigned opsPerFunction = 97;
  std::string text;
  llvm::raw_string_ostream os(text);
  unsigned written = 0, random = 12345;
  for (unsigned function = 0; written < lines; ++function, written += opsPerFunction + 3) {
    os << "func.func @f" << function << "(%arg0: f32) -> f32 {\n    %0 = arith.negf %arg0 : f32\n";
    unsigned number = 1;
    for (unsigned op = 1; op < opsPerFunction; ++op) {
      random = random * 1664525u + 1013904223u;
      bool edit = (random >> 8) % 100 < percent;
      if (edit && (random >> 20) % 2) {
        printOp(os, number, number - 1, true);
        ++number;
      }
      printOp(os, number, number - 1, edit && !((random >> 20) % 2));
      ++number;
    }
    os << "    return %" << number - 1 << " : f32\n}\n";
  }
  return text;
}

} // namespace

LayoutGraph transformerGraph(unsigned nodes) {
  LayerBuilder builder;
  int x = builder.node(-1);
  while (builder.graph.nodes.size() < nodes)
    x = builder.layer(x);
  return std::move(builder.graph);
}

std::string irText(unsigned lines) { return printFunctions(lines, 0); }
std::string editedIrText(unsigned lines, unsigned percent) { return printFunctions(lines, percent); }

} // namespace fuselage::bench
