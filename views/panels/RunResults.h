// What came out of a run: the results, the worst element, the first values, and a slice as a picture.
#pragma once
#include "views/models/OutputModel.h"
#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;

namespace fuselage {

class HeatMap;

class RunResults : public QWidget {
  Q_OBJECT
public:
  explicit RunResults(QWidget *parent = nullptr);

  void setOutputs(const QList<protocol::Output> &outputs);
  /// They are of a program that has changed since.
  void setStale(bool stale);
  void clear() { setOutputs({}); }

  OutputModel &model() { return model_; }
  QTableView *table() const { return table_; }
  HeatMap *heatMap() const { return heat_; }
  /// What is said of the selected result.
  QString details() const;

private:
  void show(int row);

  OutputModel model_;
  QTableView *table_;
  QLabel *details_;
  QComboBox *shows_;
  HeatMap *heat_;
};

} // namespace fuselage
