#include "app/gui/fusion/FusionLines.h"

namespace fuselage {

void FusionLines::clear() {
  edges_ = nullptr;
  starts_ = {0};
  rows_.clear();
  lines_.clear();
}

void FusionLines::look(const SceneData &scene, const FusionModel &model) {
  if (edges_ == scene.edges.constData() && qsizetype(starts_.size()) == scene.edges.size() + 1)
    return;
  clear();
  edges_ = scene.edges.constData();
  starts_.reserve(size_t(scene.edges.size()) + 1);
  rows_.reserve(size_t(scene.edges.size()));
  lines_.assign(size_t(model.rowCount()), -1);
  for (int line = 0; line < scene.edges.size(); ++line) {
    for (const EdgeUse &use : scene.edges[line].uses)
      if (const int row = model.rowOf(use); row >= 0) {
        rows_.push_back(row);
        if (lines_[size_t(row)] < 0)
          lines_[size_t(row)] = line;
      }
    starts_.push_back(int(rows_.size()));
  }
}

std::span<const int> FusionLines::rowsOf(int line) const {
  if (line < 0 || size_t(line) + 1 >= starts_.size())
    return {};
  return std::span(rows_).subspan(size_t(starts_[size_t(line)]),
                                  size_t(starts_[size_t(line) + 1] - starts_[size_t(line)]));
}

} // namespace fuselage
