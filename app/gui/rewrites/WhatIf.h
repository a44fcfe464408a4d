// Steps without a rewrite or a pattern, beside what they left.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/steps/ShownPlace.h"
#include <QListWidget>

class QPushButton;

namespace fuselage {

class EmptyHint;
class RewritesController;

/// What a step would have left.
struct WhatIf {
  QString name;
  int snapshot = -1; ///< with what it leaves
  int step = -1;
  int before = -1, after = -1; ///< snapshots of the step
  QString pipeline{};          ///< that makes it of `before`
};

class WhatIfPage : public QWidget {
  Q_OBJECT
public:
  explicit WhatIfPage(QWidget *parent = nullptr);

  void add(const QString &name);
  void clear();
  int current() const { return list_->currentRow(); }
  QListWidget *list() const { return list_; }
  QPushButton *keepButton() const { return keep_; }

private:
  QListWidget *list_;
  QPushButton *keep_;
  EmptyHint *hint_;
};

class WhatIfController : public Controller {
  Q_OBJECT
public:
  WhatIfController(Shell &shell, RewritesController &rewrites);

  /// Made with the panel of the rewrites.
  WhatIfPage &page();
  const QList<WhatIf> &whatIfs() const { return whatIfs_; }
  void documentReset() override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void engineDied(const CrashReport &report) override;
  bool isSettled() const override { return !isRunning_; }

signals:
  void changed();

private:
  void run(int rewrite, bool wholePattern);
  void show(int row);
  void keep();
  void forget();

  RewritesController &rewrites_;
  WhatIfPage *page_ = nullptr; ///< null: the panel is not made
  ShownPlace place_;
  QList<WhatIf> whatIfs_;
  bool isRunning_ = false;
};

} // namespace fuselage
