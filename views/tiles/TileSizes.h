// Tile sizes by loop: a slider and a number each.
#pragma once
#include "views/messages/TileTypes.h"
#include <QWidget>

class QGridLayout;
class QLabel;
class QSlider;
class QSpinBox;

namespace fuselage {

class TileSizes : public QWidget {
  Q_OBJECT
public:
  explicit TileSizes(QWidget *parent = nullptr);

  /// Rows for these loops; sizes start at `suggested`.
  void setLoops(const QList<protocol::TileDomainLoop> &loops);
  QList<qint64> sizes() const;
  void setSizes(const QList<qint64> &sizes);
  /// Whether sliders stop at divisors of the range only; numbers may always be typed.
  void setSnapping(bool snapping);
  bool isSnapping() const { return snapping_; }

  QSlider *slider(int loop) const { return rows_[loop].slider; }
  QSpinBox *number(int loop) const { return rows_[loop].number; }

signals:
  void sizesChanged();

private:
  struct Row {
    QLabel *name;
    QSlider *slider;
    QSpinBox *number;
    QLabel *trips;
  };
  void setSize(int loop, qint64 size);
  /// The slider's positions are divisors or sizes.
  qint64 sizeAt(int loop, int position) const;
  int positionOf(int loop, qint64 size) const;
  void showRow(int loop);

  QGridLayout *grid_;
  QList<protocol::TileDomainLoop> loops_;
  QList<Row> rows_;
  QList<qint64> sizes_;
  bool snapping_ = true;
};

} // namespace fuselage
