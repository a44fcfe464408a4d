// The knobs of a space, how many points it has, what is asked of it, and what the point is likely
// to cost.
#pragma once
#include "views/messages/TuneTypes.h"
#include "views/tuning/KnobRow.h"
#include <QMap>
#include <QScrollArea>

class QVBoxLayout;

namespace fuselage {

class KnobList : public QScrollArea {
  Q_OBJECT
public:
  explicit KnobList(QWidget *parent = nullptr);

  void setSpace(const protocol::TuneSpace &space, bool canFix);
  /// Without a space: why, and what to do.
  void setHint(const QString &title, const QString &hint);
  bool hasSpace() const { return hasSpace_; }
  const protocol::TuneSpace &space() const { return space_; }
  /// By knob, at the point; empty without one.
  QMap<QString, QString> values() const;
  /// Those that are kept.
  QMap<QString, QString> fixed() const;
  /// Null: there is no such knob.
  KnobRow *row(const QString &name) const;
  QLabel *count() const { return count_; }
  QLabel *problem() const { return problem_; }
  QLabel *prediction() const { return prediction_; }
  QLabel *conditions() const { return conditions_; }

signals:
  void valueChosen(const QString &name, const QString &value);
  void fixedChanged();

private:
  void showConditions();
  void showPrediction();

  protocol::TuneSpace space_;
  bool hasSpace_ = false;
  QVBoxLayout *rowsLayout_;
  QList<KnobRow *> rows_;
  QLabel *count_, *hint_, *problem_, *prediction_, *conditions_;
};

} // namespace fuselage
