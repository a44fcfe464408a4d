// Figures of a tile: workgroup memory against the limit, work, traffic and intensity.
#pragma once
#include "views/messages/TileTypes.h"
#include <QWidget>

namespace fuselage {

class TileNumbers : public QWidget {
  Q_OBJECT
public:
  explicit TileNumbers(QWidget *parent = nullptr);
  void setReport(const protocol::TileReport &report);
  void clear();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  struct Line {
    QString name;
    protocol::TileCost cost;
  };
  QList<Line> lines() const;
  QList<QStringList> rows() const;
  QFont fontOf(int row) const;
  QList<double> columnWidths() const;
  void paintTable(QPainter &painter, double &y) const;
  void paintBar(QPainter &painter, const QRectF &rect) const;
  protocol::TileReport report_;
};

} // namespace fuselage
