// A knob, with a slider over the values that lead to a point.
#pragma once
#include "views/messages/TuneTypes.h"
#include <QSlider>
#include <QWidget>

class QLabel;
class QToolButton;

namespace fuselage {

/// One place a value. A mark stands under each: strong where the value goes with all other knobs as
/// they are, faint where some of them would follow.
class ValueSlider : public QSlider {
  Q_OBJECT
public:
  explicit ValueSlider(QWidget *parent = nullptr);
  /// Of how many values, and which of them go with the others.
  void setValues(int many, const QSet<int> &fits);
  bool fits(int place) const { return fits_.contains(place); }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  QSet<int> fits_;
};

class KnobRow : public QWidget {
  Q_OBJECT
public:
  explicit KnobRow(QWidget *parent = nullptr);

  /// Says nothing of it.
  void setKnob(const protocol::TuneKnob &knob);
  const protocol::TuneKnob &knob() const { return knob_; }
  /// Whether it can be kept where it is.
  void setFixable(bool can);
  bool isFixed() const;
  ValueSlider *slider() const { return slider_; }
  QToolButton *fixButton() const { return fix_; }

signals:
  void valueChosen(const QString &name, const QString &value);
  void fixToggled(const QString &name, bool isFixed);

private:
  void showValue(int place);

  protocol::TuneKnob knob_;
  QLabel *name_, *value_, *domain_;
  ValueSlider *slider_;
  QToolButton *fix_;
};

} // namespace fuselage
