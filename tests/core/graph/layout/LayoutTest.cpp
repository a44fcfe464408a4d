// Properties that every layout has, on random graphs with random cluster trees.
#include "core/graph/layout/Layout.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;

namespace {

constexpr double slack = 0.5;

struct Shape {
  int nodes = 20, clusters = 0;
  double edgesPerNode = 1.5;
  bool cycles = false, clusterEnds = false;
};

/// Nodes in program order; a cluster holds nodes from anywhere, so boxes may depend on each other
/// both ways.
LayoutGraph makeGraph(unsigned seed, const Shape &shape) {
  std::mt19937 random(seed);
  auto below = [&](int limit) { return static_cast<int>(random() % std::max(limit, 1)); };
  LayoutGraph graph;
  for (int c = 0; c < shape.clusters; ++c)
    graph.clusters.push_back({.parent = below(c + 1) - 1, .titleWidth = 20.0 + below(120)});
  for (int n = 0; n < shape.nodes; ++n)
    graph.nodes.push_back({.w = 30.0 + below(150),
                           .h = below(2) ? 26.0 : 40.0,
                           .cluster = below(shape.clusters + 1) - 1,
                           .pullToConsumer = below(6) == 0,
                           .hint = {}});
  int edges = static_cast<int>(shape.nodes * shape.edgesPerNode);
  for (int e = 0; e < edges && shape.nodes > 1; ++e) {
    int a = below(shape.nodes), b = below(shape.nodes);
    if (!shape.cycles && a >= b) {
      if (a == b)
        continue;
      std::swap(a, b);
    }
    LayoutGraph::Edge edge{a, b};
    if (shape.clusterEnds && shape.clusters && below(5) == 0)
      (below(2) ? edge.from : edge.to) = graph.clusterEnd(below(shape.clusters));
    graph.edges.push_back(edge);
  }
  return graph;
}

bool overlap(const LayoutRect &a, const LayoutRect &b) {
  return a.x + slack < b.x + b.w && b.x + slack < a.x + a.w && a.y + slack < b.y + b.h && b.y + slack < a.y + a.h;
}

bool inside(const LayoutRect &inner, const LayoutRect &outer) {
  return inner.x >= outer.x - slack && inner.y >= outer.y - slack && inner.x + inner.w <= outer.x + outer.w + slack &&
         inner.y + inner.h <= outer.y + outer.h + slack;
}

/// Whether the line between two points runs through the inside of a box (Liang-Barsky).
bool crosses(LayoutPoint a, LayoutPoint b, LayoutRect box) {
  box = {box.x + slack, box.y + slack, box.w - 2 * slack, box.h - 2 * slack};
  double t0 = 0, t1 = 1, dx = b.x - a.x, dy = b.y - a.y;
  for (auto [p, q] : {std::pair{-dx, a.x - box.x}, std::pair{dx, box.x + box.w - a.x}, std::pair{-dy, a.y - box.y},
                      std::pair{dy, box.y + box.h - a.y}}) {
    if (p == 0) {
      if (q < 0)
        return false;
      continue;
    }
    double t = q / p;
    if (p < 0)
      t0 = std::max(t0, t);
    else
      t1 = std::min(t1, t);
  }
  return t0 < t1;
}

bool isAncestor(const LayoutGraph &graph, int cluster, int end) {
  int nodes = graph.nodes.size();
  int at = end < nodes ? graph.nodes[end].cluster : graph.clusters[end - nodes].parent;
  for (; at >= 0; at = graph.clusters[at].parent)
    if (graph.clusterEnd(at) == graph.clusterEnd(cluster))
      return true;
  return false;
}

bool onBorder(const LayoutPoint &point, const LayoutRect &box) {
  bool atEdge = std::abs(point.y - box.y) < slack || std::abs(point.y - box.y - box.h) < slack;
  return atEdge && point.x >= box.x - slack && point.x <= box.x + box.w + slack;
}

void checkInvariants(const LayoutGraph &graph, const LayoutResult &result) {
  ASSERT_EQ(result.nodes.size(), graph.nodes.size());
  ASSERT_EQ(result.clusters.size(), graph.clusters.size());
  ASSERT_EQ(result.edges.size(), graph.edges.size());
  int nodes = graph.nodes.size(), all = nodes + graph.clusters.size();
  auto rect = [&](int end) { return end < nodes ? result.nodes[end] : result.clusters[end - nodes]; };
  auto parent = [&](int end) { return end < nodes ? graph.nodes[end].cluster : graph.clusters[end - nodes].parent; };
  for (int a = 0; a < all; ++a) {
    ASSERT_TRUE(inside(rect(a), result.bounds)) << a;
    if (parent(a) >= 0) {
      LayoutRect outer = result.clusters[parent(a)];
      outer.y += graph.clusters[parent(a)].titleHeight;
      outer.h -= graph.clusters[parent(a)].titleHeight;
      ASSERT_TRUE(inside(rect(a), outer)) << a << " in cluster " << parent(a);
    }
    for (int b = a + 1; b < all; ++b)
      if (parent(a) == parent(b)) {
        ASSERT_FALSE(overlap(rect(a), rect(b))) << a << " and " << b;
      }
  }
  for (size_t e = 0; e < graph.edges.size(); ++e) {
    auto [from, to] = graph.edges[e];
    const auto &points = result.edges[e];
    bool nested =
        (from >= nodes && isAncestor(graph, from - nodes, to)) || (to >= nodes && isAncestor(graph, to - nodes, from));
    if (nested) {
      ASSERT_TRUE(points.empty()) << "edge " << e;
      continue;
    }
    ASSERT_GE(points.size(), 2u) << "edge " << e;
    ASSERT_TRUE(onBorder(points.front(), rect(from))) << "edge " << e;
    ASSERT_TRUE(onBorder(points.back(), rect(to))) << "edge " << e;
    for (size_t i = 1; i < points.size(); ++i)
      for (int n = 0; n < nodes; ++n)
        ASSERT_FALSE(crosses(points[i - 1], points[i], result.nodes[n]))
            << "edge " << e << " (" << from << " to " << to << ") runs through node " << n;
  }
}

LayoutResult mustLayOut(const LayoutGraph &graph) {
  llvm::Expected<LayoutResult> result = layout(graph, LayoutEngine::Layered);
  if (!result) {
    ADD_FAILURE() << takeFailure(result.takeError()).message;
    return {};
  }
  return *result;
}

bool same(const LayoutResult &a, const LayoutResult &b) {
  auto equal = [](const LayoutRect &r, const LayoutRect &s) {
    return r.x == s.x && r.y == s.y && r.w == s.w && r.h == s.h;
  };
  auto equalPoints = [](const std::vector<LayoutPoint> &p, const std::vector<LayoutPoint> &q) {
    return std::equal(p.begin(), p.end(), q.begin(), q.end(),
                      [](auto &x, auto &y) { return x.x == y.x && x.y == y.y; });
  };
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), equal) &&
         std::equal(a.clusters.begin(), a.clusters.end(), b.clusters.begin(), b.clusters.end(), equal) &&
         std::equal(a.edges.begin(), a.edges.end(), b.edges.begin(), b.edges.end(), equalPoints);
}

class RandomLayout : public testing::TestWithParam<unsigned> {};

TEST_P(RandomLayout, FlatGraphs) {
  for (int nodes : {1, 2, 7, 40, 120}) {
    LayoutGraph graph = makeGraph(GetParam() * 31 + nodes, {.nodes = nodes});
    checkInvariants(graph, mustLayOut(graph));
  }
}

TEST_P(RandomLayout, ClusterTrees) {
  for (int clusters : {1, 4, 15}) {
    LayoutGraph graph = makeGraph(GetParam() * 37 + clusters, {.nodes = 60, .clusters = clusters});
    checkInvariants(graph, mustLayOut(graph));
  }
}

TEST_P(RandomLayout, CyclesAndClusterEnds) {
  LayoutGraph graph = makeGraph(GetParam() * 41, {.nodes = 40, .clusters = 6, .cycles = true, .clusterEnds = true});
  checkInvariants(graph, mustLayOut(graph));
}

TEST_P(RandomLayout, IsDeterministic) {
  LayoutGraph graph = makeGraph(GetParam() * 43, {.nodes = 150, .clusters = 9});
  EXPECT_TRUE(same(mustLayOut(graph), mustLayOut(graph)));
}

TEST_P(RandomLayout, EdgesRunDownwardsWithoutCycles) {
  LayoutGraph graph = makeGraph(GetParam() * 47, {.nodes = 60});
  LayoutResult result = mustLayOut(graph);
  for (size_t e = 0; e < graph.edges.size(); ++e) {
    const auto &points = result.edges[e];
    ASSERT_LT(result.nodes[graph.edges[e].from].y, result.nodes[graph.edges[e].to].y);
    for (size_t i = 1; i < points.size(); ++i)
      ASSERT_GE(points[i].y, points[i - 1].y - slack) << "edge " << e;
  }
}

TEST_P(RandomLayout, HintsKeepTheInvariants) {
  LayoutGraph graph = makeGraph(GetParam() * 53, {.nodes = 60, .clusters = 5});
  LayoutResult before = mustLayOut(graph);
  for (size_t n = 0; n < graph.nodes.size(); n += 2)
    graph.nodes[n].hint = LayoutPoint{before.nodes[n].x + before.nodes[n].w / 2, before.nodes[n].y};
  checkInvariants(graph, mustLayOut(graph));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLayout, testing::Range(1u, 21u));

TEST(Layout, EmptyGraph) {
  LayoutResult result = mustLayOut({});
  EXPECT_TRUE(result.nodes.empty());
  EXPECT_GT(result.bounds.w, 0);
}

TEST(Layout, EmptyClustersAndSelfLoops) {
  LayoutGraph graph;
  graph.clusters = {{.parent = -1, .titleWidth = 90}, {.parent = 0, .titleWidth = 10}};
  graph.nodes = {{.w = 50, .h = 30, .cluster = -1, .pullToConsumer = false, .hint = {}}};
  graph.edges = {{0, 0}};
  checkInvariants(graph, mustLayOut(graph));
}

TEST(Layout, ChainIsStraight) {
  LayoutGraph graph;
  for (int n = 0; n < 30; ++n) {
    graph.nodes.push_back({.w = 60.0 + 7 * (n % 5), .h = 30, .cluster = -1, .pullToConsumer = false, .hint = {}});
    if (n)
      graph.edges.push_back({n - 1, n});
  }
  LayoutResult result = mustLayOut(graph);
  for (const LayoutRect &rect : result.nodes)
    EXPECT_NEAR(rect.x + rect.w / 2, result.nodes[0].x + result.nodes[0].w / 2, 0.01);
  for (const auto &points : result.edges)
    EXPECT_EQ(points.size(), 2u);
}

/// A mask that every layer of a deep model reads: the chain stays a chain.
TEST(Layout, ManyUsersDoNotTearThePictureApart) {
  LayoutGraph graph;
  constexpr int length = 3000;
  graph.nodes.push_back({.w = 80, .h = 30, .cluster = -1, .pullToConsumer = true, .hint = {}});
  for (int n = 1; n <= length; ++n) {
    graph.nodes.push_back({.w = 80, .h = 30, .cluster = -1, .pullToConsumer = false, .hint = {}});
    if (n > 1)
      graph.edges.push_back({n - 1, n});
    graph.edges.push_back({0, n});
  }
  LayoutResult result = mustLayOut(graph);
  EXPECT_LT(result.bounds.w, 1000);
}

TEST(Layout, ComponentsArePackedInRows) {
  LayoutGraph graph;
  for (int n = 0; n < 400; ++n)
    graph.nodes.push_back({.w = 80, .h = 30, .cluster = -1, .pullToConsumer = false, .hint = {}});
  LayoutResult result = mustLayOut(graph);
  EXPECT_LT(result.bounds.w / result.bounds.h, 4);
  EXPECT_GT(result.bounds.w / result.bounds.h, 0.5);
}

TEST(Layout, HintsKeepTheOrder) {
  LayoutGraph graph;
  for (int n = 0; n < 5; ++n)
    graph.nodes.push_back({.w = 60, .h = 30, .cluster = -1, .pullToConsumer = false, .hint = {}});
  graph.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}};
  // From left to right: 3, 1, 2.
  graph.nodes[3].hint = {10, 0};
  graph.nodes[1].hint = {100, 0};
  graph.nodes[2].hint = {200, 0};
  LayoutResult result = mustLayOut(graph);
  EXPECT_LT(result.nodes[3].x, result.nodes[1].x);
  EXPECT_LT(result.nodes[1].x, result.nodes[2].x);
}

TEST(Layout, DeepNestingIsFine) {
  LayoutGraph graph;
  constexpr int depth = 2000;
  for (int c = 0; c < depth; ++c)
    graph.clusters.push_back({.parent = c - 1, .titleWidth = 30});
  for (int cluster : {-1, depth - 1, depth / 2})
    graph.nodes.push_back({.w = 60, .h = 30, .cluster = cluster, .pullToConsumer = false, .hint = {}});
  graph.edges = {{0, 1}, {1, 2}};
  checkInvariants(graph, mustLayOut(graph));
}

TEST(Layout, Cancelled) {
  std::atomic<bool> cancelled = true;
  LayoutGraph graph = makeGraph(1, {.nodes = 50});
  for (LayoutEngine engine : {LayoutEngine::Layered, LayoutEngine::Dot}) {
    llvm::Expected<LayoutResult> result = layout(graph, engine, &cancelled);
    ASSERT_FALSE(static_cast<bool>(result));
    EXPECT_NE(takeFailure(result.takeError()).message.find("cancelled"), std::string::npos);
  }
}

TEST(Layout, MalformedGraphsAreRefused) {
  LayoutGraph graph;
  graph.edges = {{0, 1}};
  auto refused = [](const LayoutGraph &bad) {
    llvm::Expected<LayoutResult> result = layout(bad, LayoutEngine::Layered);
    bool failed = !result;
    llvm::consumeError(result.takeError());
    return failed;
  };
  EXPECT_TRUE(refused(graph));
  graph.edges.clear();
  graph.nodes = {{.w = NAN, .h = 1, .cluster = -1, .pullToConsumer = false, .hint = {}}};
  EXPECT_TRUE(refused(graph));
  graph.nodes = {{.w = 1, .h = 1, .cluster = 3, .pullToConsumer = false, .hint = {}}};
  EXPECT_TRUE(refused(graph));
  graph.nodes.clear();
  graph.clusters = {{.parent = 0}};
  EXPECT_TRUE(refused(graph));
}

TEST(DotLayout, PlacesEverything) {
  LayoutGraph graph = makeGraph(7, {.nodes = 30, .clusters = 4, .clusterEnds = true});
  llvm::Expected<LayoutResult> result = layout(graph, LayoutEngine::Dot);
  if (!result) {
    std::string message = takeFailure(result.takeError()).message;
    if (message.find("not found in PATH") != std::string::npos)
      GTEST_SKIP() << message;
    FAIL() << message;
  }
  for (size_t a = 0; a < graph.nodes.size(); ++a) {
    EXPECT_TRUE(inside(result->nodes[a], result->bounds));
    if (graph.nodes[a].cluster >= 0) {
      EXPECT_TRUE(inside(result->nodes[a], result->clusters[graph.nodes[a].cluster])) << a;
    }
    for (size_t b = a + 1; b < graph.nodes.size(); ++b)
      EXPECT_FALSE(overlap(result->nodes[a], result->nodes[b]));
  }
  for (const auto &points : result->edges)
    EXPECT_GE(points.size(), 2u);
}

TEST(DotLayout, RefusesWhatWouldTakeMinutes) {
  LayoutGraph graph = makeGraph(7, {.nodes = 4000});
  llvm::Expected<LayoutResult> result = layout(graph, LayoutEngine::Dot);
  ASSERT_FALSE(static_cast<bool>(result));
  EXPECT_NE(takeFailure(result.takeError()).message.find("layered"), std::string::npos);
}

} // namespace
