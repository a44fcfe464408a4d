// The value of an edge: figures, where it comes from, and a slice as a picture.
#pragma once
#include "views/messages/ValueTypes.h"
#include <QWidget>

class QFormLayout;
class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace fuselage {

class ValueMap;

class ValueSection : public QWidget {
  Q_OBJECT
public:
  explicit ValueSection(QWidget *parent = nullptr);

  /// No value is known: a button offers to compute it. `what` says what that takes.
  void offer(const QString &what);
  void setBusy();
  /// There is none, and why.
  void refuse(const QString &why);
  /// `step`: whose IR it was computed from, such as "Step 3, Form dispatches".
  void setValue(const protocol::EdgeValue &value, const QString &step);
  /// Another slice of the same value.
  void setSlice(const protocol::EdgeValue &value) { showSlice(value); }

  QPushButton *computeButton() const { return compute_; }
  QPushButton *copyButton() const { return copy_; }
  QPushButton *saveButton() const { return save_; }
  ValueMap &map() { return *map_; }
  QList<QSpinBox *> indexBoxes() const { return boxes_; }
  /// What is said of it, in rich text.
  QString text() const;
  /// What is said of the element under the cursor.
  QString reading() const;
  /// What Copy puts on the clipboard: figures and source, a line each.
  QString plainText() const { return plain_; }

signals:
  void computeRequested();
  void cancelRequested();
  void saveRequested();
  /// Of the leading dimensions, and from which row and column on; -1: the whole slice.
  void sliceRequested(const QList<qint64> &index, qint64 row, qint64 column);

private:
  void showSlice(const protocol::EdgeValue &value);
  void setBoxes(const QList<qint64> &shape, const QList<qint64> &index);
  QList<qint64> index() const;
  void showOnly(bool hasValue);

  QLabel *text_, *indexLabel_, *part_, *reading_;
  QPushButton *compute_, *copy_, *save_;
  QWidget *indexRow_;
  QList<QSpinBox *> boxes_;
  QList<qint64> shape_; ///< that the boxes are of
  ValueMap *map_;
  QString plain_;
  bool isBusy_ = false;
};

/// "tensor<4x8xf32>, from -1.2 to 3, mean 0.1, 3 NaN" in rich text; NaN and infinities in the colour of warnings.
QString shortValueText(const protocol::EdgeValue &value, const QPalette &palette);

} // namespace fuselage
