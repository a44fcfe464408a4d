// The Edit menu: each command does what it means where the keyboard is.
#pragma once
#include "app/gui/shell/Controller.h"
#include <QPointer>

namespace fuselage {

class ExportController;
class FusionController;
class GraphController;

/// Fields and editors undo typing; anywhere else, what is undone is a fusion. Views, lists and fields copy what is
/// selected in them, the graph a picture of itself.
class EditController : public Controller {
  Q_OBJECT
public:
  EditController(Shell &shell, GraphController &graph, FusionController &fusion, ExportController &exports);

  QAction *undoAction() const { return undo_; }
  QAction *redoAction() const { return redo_; }
  QAction *copyAction() const { return copy_; }
  QAction *selectAllAction() const { return selectAll_; }

  void sessionChanged() override;

private:
  /// What has the keyboard, or had it before the menu.
  QWidget *target() const;
  void follow(QWidget *focus);
  void undo(bool again);
  void copy();
  void perform(const char *slot);
  void updateUndo();
  void updateMenu();
  /// While the menu is closed, keys go by what has the keyboard and what is selected then.
  void enableAll();

  GraphController &graph_;
  FusionController &fusion_;
  ExportController &exports_;
  QAction *undo_, *redo_, *cut_, *copy_, *paste_, *selectAll_;
  QPointer<QWidget> focus_;
};

} // namespace fuselage
