// Bookmarks and notes on ops, edges and steps: made, shown in graph and text, kept beside the file, reported as bugs.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/Draft.h"
#include "app/gui/shell/LazyPanel.h"
#include "views/common/SceneData.h"
#include "views/models/NotesModel.h"
#include <QHash>
#include <QJsonArray>
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

  NotesPanel &panel();
  NotesModel &model() { return model_; }
  QAction *toggleAction() const { return toggle_; }
  QAction *editAction() const { return edit_; }
  QAction *reportAction() const { return report_; }
  void raise();

  void opened(const protocol::Document &document) override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void graphShown(int snapshot) override;
  void sessionChanged() override;
  void engineRecovered(int steps) override;
  void restoreDraft(const QString &tab) override;
  bool mayClose() override;
  bool isSettled() const override { return asked_ == 0 && saving_ == 0 && !later_->isActive() && isResolved(); }

signals:
  /// Lines of the IR of the step on screen, and what is noted there.
  void linesNoted(const QMap<int, QString> &lines);

private:
  /// What a note is put on: an edge, an op (without a producer), or the step (noNode).
  struct Target {
    NodeId op = noNode, producer = noNode;
    int operand = -1;
    bool isGroup = false; ///< of an edge: all that are the same but for where they are
  };
  /// A bookmark that a key asked for while it was not known yet whether there is one.
  struct Wish {
    Target target;
    int snapshot;
    bool edits;
  };
  void addCommands();
  void connectPanel();
  Target target() const;
  /// Of a target in a snapshot; -1: none.
  int rowOf(const Target &target, int snapshot) const;
  void toggle(const Target &target) { ask({target, snapshot_, false}); }
  void edit(const Target &target) { ask({target, snapshot_, true}); }
  void ask(const Wish &wish);
  void grant(const Wish &wish);
  void grantNext();
  void add(const Wish &wish);
  void remove(int row);
  void walk(int by);
  void goTo(int row);
  void addToMenu(QMenu *menu, NodeId op);
  QString reasonOf(const Target &target) const;
  bool isAbout(int row, const Target &target) const;
  QList<int> placesOf(int row) const;
  QStringList notesOn(int fusionRow) const;
  void copyReport(const Target &target);
  void load();
  void showPlace(const QString &place);
  void resolve();
  bool isResolved() const { return !isResolving_ && !soon_->isActive(); }
  void paintMarks();
  void save();
  void textEdited(int row);
  void keepDraft();
  void applyDraft();
  void failed(const QString &what, const protocol::Error &error);

  NotesModel model_;
  LazyPanel<NotesPanel> panel_;
  QDockWidget *dock_;
  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  NavigationController &navigation_;
  FusionController &fusion_;
  QAction *toggle_, *edit_, *next_, *previous_, *report_;
  QTimer *soon_;  ///< the step on screen stays for a moment: where are the notes on it?
  QTimer *later_; ///< words are saved when nobody has typed for a moment
  QString path_;  ///< of the document that the notes are of
  QString toldProblem_;
  Draft draft_;                    ///< words that the file beside the document does not have yet
  QHash<QString, QString> before_; ///< of the notes with such words, by id: what the file has
  QHash<QString, QString> known_;  ///< words of the notes, by id
  QJsonArray lost_;                ///< words of a program that was killed, until the notes are read
  QList<Wish> wishes_;
  int snapshot_ = 0;
  int placed_ = -1;                         ///< the snapshot that the model's places were looked for on
  int asked_ = 0, adding_ = 0, saving_ = 0; ///< answers that are to come; `adding_`: among those of `asked_`
  int changes_ = 0;                         ///< notes that came and went; an answer about others is void
  bool isResolving_ = false;
  bool isLoaded_ = false; ///< what the file has is in the model; before, saving would throw it away
  bool isDirty_ = false;
};

} // namespace fuselage
