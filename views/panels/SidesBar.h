// Which two steps the diff compares.
#pragma once
#include <QList>
#include <QPair>
#include <QWidget>

class QComboBox;
class QToolButton;

namespace fuselage {

class SidesBar : public QWidget {
  Q_OBJECT
public:
  /// `closable`: with a button that ends comparing.
  explicit SidesBar(bool closable = false, QWidget *parent = nullptr);

  /// What to call a step, and its snapshot.
  void setSteps(const QList<QPair<QString, int>> &steps);
  /// Snapshots; -1: none. `isOwn`: what a step led from and to, not what the user chose.
  void setSides(int left, int right, bool isOwn);
  int left() const;
  int right() const;
  QComboBox *leftBox() const { return left_; }
  QComboBox *rightBox() const { return right_; }
  QToolButton *ownButton() const { return own_; }

signals:
  void leftChosen(int snapshot);
  void rightChosen(int snapshot);
  /// Back to what the step changed.
  void ownChosen();
  void closed();

private:
  QComboBox *makeBox(const QString &name);
  QComboBox *left_, *right_;
  QToolButton *own_;
};

} // namespace fuselage
