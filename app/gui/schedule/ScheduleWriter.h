// Writing a schedule by pointing: from an op on screen to lines of the script.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/common/SceneData.h"
#include "views/dialogs/ActionDialog.h"
#include "views/messages/ScheduleTypes.h"
#include <QPointer>

class QTimer;

namespace fuselage {

class GraphController;
class ScheduleController;
class ScriptController;
class TextController;
class TileController;

/// Offers what a line of the schedule can do to an op, shows that line as the options change, and adds it: as one edit
/// that can be undone, which runs.
class ScheduleWriter : public Controller {
  Q_OBJECT
public:
  ScheduleWriter(Shell &shell, ScriptController &scripts, ScheduleController &schedule, GraphController &graph,
                 TextController &text, TileController &tiles);

  /// Opens the dialog for an op of the snapshot on screen, at the action `wanted` with these options.
  void offer(NodeId op, const QString &wanted = {}, const QMap<QString, QString> &options = {});
  ActionDialog *dialog() const { return dialog_; }

  void opened(const protocol::Document &document) override;
  void sessionChanged() override;
  bool isSettled() const override { return !asksActions_ && !asksLines_; }

private:
  void showActions(const protocol::ScheduleActions &actions, const QString &wanted,
                   const QMap<QString, QString> &options);
  void requestLines();
  void dropDialog();
  void dropQuestion();
  void add();
  void addToMenu(QMenu *menu, NodeId op);

  ScriptController &scripts_;
  ScheduleController &schedule_;
  GraphController &graph_;
  TextController &text_;
  QAction *action_;
  QPointer<ActionDialog> dialog_;
  QTimer *later_; ///< lines are asked for when nothing has changed for a moment
  NodeId op_ = noNode;
  int snapshot_ = 0;
  QString script_;         ///< to which lines are added
  QString written_;        ///< with them
  quint64 linesAsked_ = 0; ///< the request; 0: none
  bool asksActions_ = false, asksLines_ = false;
};

} // namespace fuselage
