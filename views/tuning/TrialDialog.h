// A trial's schedule beside the baseline's.
#pragma once
#include "views/common/DiffData.h"
#include "views/common/TextSource.h"
#include "views/messages/TuneTypes.h"
#include <QDialog>

class QLabel;

namespace fuselage {

class DiffView;

class TrialDialog : public QDialog {
  Q_OBJECT
public:
  explicit TrialDialog(QWidget *parent = nullptr);
  void setTrial(const protocol::TuneTrial &trial, const QString &baseline, const QString &text, const DiffData &diff);
  DiffView *diff() const { return diff_; }
  QLabel *summary() const { return summary_; }
  QString text() const { return text_; }

signals:
  /// The schedule is to be edited.
  void editRequested(const QString &text);
  /// The knobs are to stand where the trial has them.
  void applyRequested(const QMap<QString, QString> &parameters);

private:
  protocol::TuneTrial trial_;
  QString text_;
  StringTextSource before_, after_;
  QLabel *summary_;
  DiffView *diff_;
};

} // namespace fuselage
