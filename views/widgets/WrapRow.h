// A row of fields that goes on in a second line where it is too long.
#pragma once
#include <QLayout>

namespace fuselage {

/// Items have the width that they want, from the left, each line as tall as its tallest; hidden ones take no room.
class WrapRow : public QLayout {
public:
  WrapRow() = default;
  ~WrapRow() override;

  /// Fields that stay on one line, such as a label and what it names.
  void addGroup(const QList<QWidget *> &widgets);

  void addItem(QLayoutItem *item) override { items_.append(item); }
  int count() const override { return int(items_.size()); }
  QLayoutItem *itemAt(int index) const override { return items_.value(index); }
  QLayoutItem *takeAt(int index) override {
    return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
  }
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return place({0, 0, width, 0}, /*moves=*/false); }
  QSize sizeHint() const override;
  QSize minimumSize() const override;
  void setGeometry(const QRect &rect) override;

private:
  /// Returns the height that is needed.
  int place(const QRect &rect, bool moves) const;

  QList<QLayoutItem *> items_;
};

} // namespace fuselage
