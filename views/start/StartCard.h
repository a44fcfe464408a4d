// A thing to begin with: a picture, a name, and a line about it.
#pragma once
#include <QAbstractButton>
#include <QImage>

namespace fuselage {

class StartCard : public QAbstractButton {
  Q_OBJECT
public:
  /// With the top of a picture above the words, or beside them; or a whole picture, if there is one, beside words in
  /// several lines.
  enum class Shape { Upright, Flat, Wide };

  StartCard(Shape shape, const QString &title, const QString &line, QWidget *parent = nullptr);
  /// Null: none.
  void setPicture(const QImage &picture);
  /// Ticks it off.
  void setDone(bool isDone);
  bool isDone() const { return isDone_; }
  /// As it is painted: as light or dark as the theme.
  const QImage &shownPicture() const { return shown_; }

  QSize sizeHint() const override;

protected:
  void changeEvent(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;
  void enterEvent(QEnterEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void leaveEvent(QEvent *event) override;

private:
  QRect pictureRect() const;

  Shape shape_;
  QString line_;
  bool isDone_ = false;
  QImage picture_, shown_;
};

} // namespace fuselage
