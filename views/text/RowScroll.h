// Where a list is scrolled to whose items are one row each, or, where lines wrap, as many as they need.
#pragma once
#include <QList>
#include <functional>

namespace fuselage {

/// Rows of items that are not in sight are never counted: where lines wrap, a scroll bar gives each item the same
/// share, whatever its rows. Without wrapping its values are pixels.
class RowScroll {
public:
  struct Item {
    int index = 0, y = 0, height = 0;
  };
  /// `rowsOf`: the rows of an item, at least 1.
  explicit RowScroll(std::function<int(int)> rowsOf) : rowsOf_(std::move(rowsOf)) {}

  void setWrapping(bool wraps) { wraps_ = wraps; }
  bool wraps() const { return wraps_; }
  void setItems(int count, double rowHeight) { count_ = count, rowHeight_ = rowHeight; }

  /// What is in sight from the top of `height` pixels on.
  QList<Item> shown(int value, int height) const;
  int first(int value) const;
  /// Shows the top of an item at `y`; not clamped.
  int valueFor(int item, double y) const;
  /// Further down by some pixels, which are whole rows where lines wrap.
  int moved(int value, double pixels) const;
  /// What the scroll bar ends at in a view of this height.
  int maximum(int height) const;
  /// What a scroll bar takes a page and a step for.
  int pageStep(int height) const;
  int singleStep() const;

private:
  int rowsOf(int item) const { return wraps_ ? std::max(1, rowsOf_(item)) : 1; }
  std::function<int(int)> rowsOf_;
  int count_ = 0;
  double rowHeight_ = 1;
  bool wraps_ = false;
};

} // namespace fuselage
