// Bookmarks and notes on ops, edges and steps: made, shown in graph and text, kept beside the file, reported as bugs.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/common/SceneData.h"
#include "views/models/NotesModel.h"
#include <QTimer>

class QDockWidget;
class QMenu;

namespace fuselage {

class FusionController;
class GraphController;
class NavigationController;
class NotesPanel;
class StepsController;
class TextController;

class NotesController : public Controller {
  Q_OBJECT
public:
  NotesController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                  NavigationController &navigation, FusionController &fusion);

  NotesPanel &panel() { return *panel_; }
  NotesModel &model() { return model_; }
  QAction *toggleAction() const { return toggle_; }
  QAction *editAction() const { return edit_; }
  QAction *reportAction() const { return report_; }
  void raise();
  /// A scene is in the view.
  void graphShown();

  void opened(const protocol::Document &document) override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineRecovered(int steps) override;
  void saveDocument(QJsonObject &state) const override;
  bool mayClose() override;
  bool isSettled() const override { return asked_ == 0 && saving_ == 0 && !later_->isActive(); }

private:
  /// What a note is put on: an edge, an op (without a producer), or the step (noNode).
  struct Target {
    NodeId op = noNode, producer = noNode;
    int operand = -1;
  };
  void addCommands();
  void connectPanel();
  Target target() const;
  /// Of a target in the snapshot on screen; -1: none.
  int rowOf(const Target &target) const;
  void toggle(const Target &target);
  void edit(const Target &target);
  void add(const Target &target, bool edits);
  void remove(int row);
  void walk(int by);
  void goTo(int row);
  void addToMenu(QMenu *menu, NodeId op);
  QString reasonOf(const Target &target) const;
  void copyReport(const Target &target);
  void load();
  void resolve();
  void paintMarks();
  void save();
  void failed(const QString &what, const protocol::Error &error);
  QJsonArray json() const;

  NotesModel model_;
  NotesPanel *panel_;
  QDockWidget *dock_;
  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  NavigationController &navigation_;
  FusionController &fusion_;
  QAction *toggle_, *edit_, *next_, *previous_, *report_;
  QTimer *later_; ///< words are saved when nobody has typed for a moment
  QString path_;  ///< of the document that the notes are of
  QString toldProblem_;
  int snapshot_ = 0;
  int asked_ = 0, saving_ = 0; ///< answers that are to come
  bool isDirty_ = false;
};

} // namespace fuselage
