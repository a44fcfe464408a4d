// The pictures of the tile explorer: cards that flow over the width and scroll.
#pragma once
#include "views/tiles/TileCards.h"
#include "views/tiles/TileWalk.h"
#include <QAbstractScrollArea>

namespace fuselage {

/// Painted by hand; shows what it is given and says what the user wants.
class TileCanvas : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit TileCanvas(QWidget *parent = nullptr);

  void setReport(const protocol::TileReport &report);
  /// Where the walk stands and how large tiles are now; the footprints of a report that is not there yet
  /// stay until it is.
  void setWalk(const TileWalk &walk);
  /// What of a tile is in registers at once, as tileCards() takes it.
  void setInner(const QList<qint64> &sizes);
  /// Nothing is there to paint, and why.
  void setEmpty(const QString &title, const QString &hint);
  /// Frames the cards of a value; empty: none.
  void setHighlighted(const QString &value);

  const QList<TileCard> &cards() const { return cards_; }
  QRectF cardRect(int card) const;
  /// The picture inside of a card, in the viewport.
  QRectF pictureRect(int card) const;
  QSize sizeHint() const override { return {640, 320}; }

signals:
  void tilePicked(const QList<qint64> &tile);
  void playRequested();
  /// By this many tiles; INT_MIN and INT_MAX: to the first and the last.
  void stepRequested(int by);
  /// An op of the graph was meant: that which makes the value of a card.
  void valueActivated(const QString &value);

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool viewportEvent(QEvent *event) override;

private:
  struct Placed {
    QRectF rect;    ///< in the document
    QRectF picture; ///< in the document
  };
  void arrange();
  void paintCard(QPainter &painter, int index, const QPointF &scroll) const;
  int cardAt(const QPointF &position) const;
  QPointF scrollOffset() const;
  bool pickTile(const QPointF &position);

  QList<TileCard> cards_;
  QList<Placed> placed_;
  struct Heading {
    QString text;
    QPointF at;
  };
  QList<Heading> headings_;
  protocol::TileReport report_;
  QList<protocol::TileLoop> loops_;
  TileWalk walk_;
  QList<qint64> inner_;
  QString emptyTitle_, emptyHint_, highlighted_;
};

} // namespace fuselage
