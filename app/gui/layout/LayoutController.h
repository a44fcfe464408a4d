// How panels stand for each task, and the panel that fills the window.
#pragma once
#include "app/gui/shell/Controller.h"

namespace fuselage {

/// A layout is what the user made of it; until then, and after a reset, what its plan says.
class LayoutController : public Controller {
  Q_OBJECT
public:
  /// What one does: each has its panels and the view in the middle.
  enum class Task { Inspect, Step, Tiles, Run };

  explicit LayoutController(Shell &shell);

  Task current() const { return current_; }
  void choose(Task task);
  /// As its plan says.
  void reset();
  QAction *maximizeAction() const { return maximize_; }

  void saveState(Settings &settings) const override;
  void restoreState(const Settings &settings) override;
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;

private:
  void addCommands();
  void maximize();
  void setCurrent(Task task);
  void recall(const QString &name);
  void updateKeys(const QWidget *focus);
  void apply(Task task, const QByteArray &state);

  Task current_ = Task::Inspect;
  QList<QAction *> tasks_;
  QAction *maximize_, *reset_;
};

} // namespace fuselage
