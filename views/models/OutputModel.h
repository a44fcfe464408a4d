// The results of the last run as a table: how far each is from what was expected, and what is in it.
#pragma once
#include "views/messages/RunTypes.h"
#include "views/models/TableModel.h"

namespace fuselage {

class OutputModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Result, Type, AbsError, RelError, Nonfinite, Min, Max, Mean, ColumnCount };
  enum Role { VerdictRole = Qt::UserRole, StaleRole };

  explicit OutputModel(QObject *parent = nullptr);
  void setOutputs(const QList<protocol::Output> &outputs);
  const QList<protocol::Output> &outputs() const { return outputs_; }
  /// They are of a program that has changed since.
  void setStale(bool stale);

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QList<protocol::Output> outputs_;
  bool stale_ = false;
};

/// "agrees", "differs", "not comparable": a sentence with the tolerance or the reason.
QString verdictText(const protocol::Comparison &result);
/// An error as text; an em dash where too little was finite to be compared.
QString comparedError(const protocol::Comparison &result, double error);
/// "[3, 17] is 0.25, expected 0.5"
QString worstText(const protocol::WorstElement &worst);
/// "the first 64 of 4096: 0.1, 0.2, ...": the values of a result.
QString valuesText(const protocol::Output &output);

} // namespace fuselage
