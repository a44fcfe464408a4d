// Which judged edges the lines of a picture stand for.
#pragma once
#include "views/models/FusionModel.h"
#include <span>
#include <vector>

namespace fuselage {

struct SceneData;

/// Looked up once for a picture and a report: a large picture has 100,000 lines, and what is marked in it, counted for
/// the legend or selected asks for them again and again.
class FusionLines {
public:
  /// Of another picture or report.
  void clear();
  /// Makes the tables, unless they are those of this picture already.
  void look(const SceneData &scene, const FusionModel &model);
  /// The rows that a line stands for.
  std::span<const int> rowsOf(int line) const;
  /// The line that stands for a row; -1: none.
  int lineOf(int row) const { return row >= 0 && size_t(row) < lines_.size() ? lines_[size_t(row)] : -1; }

private:
  const void *edges_ = nullptr; ///< of the picture
  std::vector<int> starts_{0};  ///< by line, in rows_
  std::vector<int> rows_, lines_;
};

} // namespace fuselage
