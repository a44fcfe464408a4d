// Runs side by side, and baselines: runs that are kept with their document under a name.
#pragma once
#include "app/gui/baselines/KeptRun.h"
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"

namespace fuselage {

class DifferencesPanel;
class RunController;
class StepsController;

class BaselinesController : public Controller {
  Q_OBJECT
public:
  BaselinesController(Shell &shell, StepsController &steps, RunController &run);

  DifferencesPanel &panel();
  /// Baselines first, then the runs of this session, the last one first.
  const QList<KeptRun> &runs() const { return runs_; }
  /// The last run of this session of a program on a device, and of any device if that is empty; null: there is none.
  const KeptRun *findRun(const QString &program, const QString &device = {}) const;
  /// Keeps the run as a baseline; one of that name is replaced. Returns its index in runs().
  int keep(const KeptRun &run, const QString &name);
  void rename(int baseline, const QString &name);
  void remove(int baseline);
  /// Opens the tab with these two.
  void compare(const KeptRun &before, const KeptRun &after);
  QAction *keepAction() const { return keep_; }
  QAction *renameAction() const { return rename_; }
  QAction *removeAction() const { return remove_; }
  QAction *compareAction() const { return compare_; }

  void opened(const protocol::Document &document) override;

signals:
  /// A run of a whole function is there.
  void ran();

private:
  void addCommands();
  void raise();
  void take(const protocol::RunReport &report, int snapshot, const QString &dispatch);
  void askAndKeep();
  void askAndRename();
  void askAndRemove();
  void exportCsv();
  void updateActions();
  qsizetype baselineCount() const;
  /// The chosen one, else -1.
  int chosenBaseline() const;
  int indexOf(const QString &name) const;
  void save();
  void load();
  void show(int before, int after);
  /// The chosen runs; -1: none.
  int before() const;
  int after() const;

  LazyPanel<DifferencesPanel> panel_;
  StepsController &steps_;
  RunController &run_;
  QAction *keep_, *rename_, *remove_, *compare_;
  QList<KeptRun> runs_;
};

} // namespace fuselage
