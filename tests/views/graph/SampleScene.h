// Synthetic scenes of any size for tests and measurements of the graph view.
#pragma once
#include "views/common/SceneData.h"
#include <cmath>

namespace fuselage {

/// `rows` rows of `columns` nodes, each fed by the one above and that one's right neighbour. Ids count
/// from 1, row by row. Two rows make a dispatch cluster (ids from 1,000,000), all is in one function
/// (id 0).
inline SceneData gridScene(int rows, int columns) {
  constexpr double width = 160, height = 40, dx = 200, dy = 90;
  SceneData scene;
  scene.snapshot = 1;
  ClusterData function;
  function.label = QStringLiteral("@forward");
  function.kind = ClusterData::Kind::Function;
  function.rect = QRectF(-40, -60, columns * dx + 40, rows * dy + 60);
  scene.clusters.append(function);
  scene.bounds = function.rect;
  for (int row = 0; row < rows; ++row) {
    if (row % 2 == 0) {
      ClusterData cluster;
      cluster.id = 1000000 + row / 2;
      cluster.label = QStringLiteral("matmul_%1").arg(row / 2);
      cluster.kind = ClusterData::Kind::Dispatch;
      cluster.dispatch = row / 2;
      cluster.depth = 1;
      cluster.rect = QRectF(-20, row * dy - 30, columns * dx, 2 * dy - 10);
      scene.clusters.append(cluster);
    }
    for (int column = 0; column < columns; ++column) {
      NodeData node;
      node.id = NodeId(row) * columns + column + 1;
      node.title = QStringLiteral("matmul 128x%1").arg(node.id);
      node.subtitle = QStringLiteral("128x768xf32");
      node.kind = column % 5 == 4 ? NodeData::Kind::Constant : NodeData::Kind::Compute;
      node.dispatch = row / 2;
      node.rect = QRectF(column * dx, row * dy, width, height);
      scene.nodes.append(node);
      if (row == 0)
        continue;
      for (int shift = 0; shift < (columns > 1 ? 2 : 1); ++shift) {
        const NodeData &from = scene.nodes[(row - 1) * columns + (column + shift) % columns];
        EdgeData edge;
        edge.from = from.id;
        edge.to = node.id;
        edge.bytes = qint64(4096) << (column % 12);
        edge.label = QStringLiteral("128x768xf32");
        QPointF begin(from.rect.center().x(), from.rect.bottom()),
            end(node.rect.center().x() + 10 * shift, node.rect.top());
        edge.points << begin << end;
        scene.edges.append(edge);
      }
    }
  }
  return scene;
}

/// About `count` nodes in a shape that is roughly square on screen.
inline SceneData squareScene(int count) {
  int columns = std::max(1, int(std::sqrt(count * 90.0 / 200.0)));
  return gridScene((count + columns - 1) / columns, columns);
}

} // namespace fuselage
