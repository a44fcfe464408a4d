// A row of a comparison as cards: the dispatches of A on the left, those of B on the right, with the ops in each.
#pragma once
#include "views/models/CompareModel.h"
#include <QAbstractScrollArea>

namespace fuselage {

/// Where each side cuts: ops that the other side does not have in these dispatches are marked. Click, Enter or Space
/// activates a card; the arrows go from card to card.
class DispatchCards : public QAbstractScrollArea {
  Q_OBJECT
public:
  /// `model` outlives this.
  explicit DispatchCards(const CompareModel *model, QWidget *parent = nullptr);
  /// A row of the model; -1: none.
  void setRow(int row);
  int row() const { return row_; }
  int cardCount() const { return int(cards_.size()); }
  QSize sizeHint() const override { return {420, 220}; }

signals:
  /// A dispatch of a side, by its index there.
  void activated(bool ofB, int dispatch);

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool viewportEvent(QEvent *event) override;

private:
  struct Line {
    QString text;
    bool isShared = true; ///< the other side has it, too
  };
  struct Card {
    bool ofB = false;
    int dispatch = 0;
    QString title, costs;
    QList<Line> ops;
    QRect place; ///< unscrolled
  };
  QString reasonText(const protocol::ComparedReason &reason) const;
  void addCards(bool ofB);
  void markShared();
  void placeCards();
  void setCurrent(int card);
  int cardAt(QPoint position) const;
  void paintCard(QPainter &painter, const Card &card, const QRect &place, bool isCurrent) const;
  void paintHead(QPainter &painter, bool ofB, const QRect &place) const;

  const CompareModel *model_;
  int row_ = -1;
  int current_ = -1;
  QList<Card> cards_;
};

} // namespace fuselage
