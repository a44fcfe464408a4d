// What to do to an op by a line of the schedule: the actions, what they leave open, and the lines that come of it.
#pragma once
#include "views/messages/ScheduleTypes.h"
#include <QDialog>
#include <QMap>

class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QListWidget;
class QPlainTextEdit;

namespace fuselage {

class ActionDialog : public QDialog {
  Q_OBJECT
public:
  explicit ActionDialog(QWidget *parent = nullptr);

  /// What can be done to an op; `name` is what people call it. Begins with the action `wanted`, if there is one that
  /// can be done, with these values.
  void setActions(const QString &name, const protocol::ScheduleActions &actions, const QString &wanted = {},
                  const QMap<QString, QString> &values = {});
  QString action() const;
  QMap<QString, QString> options() const;
  /// The lines that would be added, or why there are none; with lines, they can be added.
  void showLines(const QString &lines);
  void showProblem(const QString &problem);

  QListWidget *list() const { return list_; }
  QPlainTextEdit *preview() const { return preview_; }
  QDialogButtonBox *buttons() const { return buttons_; }
  /// The field of an option; null: the action has none of that name.
  QWidget *field(const QString &option) const { return fields_.value(option); }

signals:
  /// Another action, or another option: the lines are others.
  void changed();

private:
  void choose(int row);
  QWidget *makeField(const protocol::ScheduleActionOption &option, const QString &value);

  protocol::ScheduleActions actions_;
  QMap<QString, QString> values_; ///< to start from, given from outside
  QLabel *title_, *hint_;
  QListWidget *list_;
  QFormLayout *form_;
  QMap<QString, QWidget *> fields_;
  QPlainTextEdit *preview_;
  QDialogButtonBox *buttons_;
};

} // namespace fuselage
