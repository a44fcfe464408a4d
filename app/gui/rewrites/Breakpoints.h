// Breakpoints among the rewrites of all steps.
#pragma once
#include "app/gui/shell/Controller.h"
#include <QListWidget>

class QLineEdit;

namespace fuselage {

class EmptyHint;
class RewritesController;
class StepsController;

/// The list of them: each with a box that switches it off; Del removes one.
class BreakpointsPage : public QWidget {
  Q_OBJECT
public:
  explicit BreakpointsPage(QWidget *parent = nullptr);

  void add(const QString &breakpoint);
  void clear();
  /// In the order of the list. `onlyEnabled`: without those that are switched off.
  QStringList breakpoints(bool onlyEnabled) const;
  QListWidget *list() const { return list_; }
  QLineEdit *edit() const { return edit_; }

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  QLineEdit *edit_;
  QListWidget *list_;
  EmptyHint *hint_;
};

/// Continue to the next breakpoint, through all steps, and back.
class BreakpointsController : public Controller {
  Q_OBJECT
public:
  BreakpointsController(Shell &shell, RewritesController &rewrites, StepsController &steps);

  /// Made with the panel of the rewrites.
  BreakpointsPage &page();
  void documentReset() override;
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;
  void engineDied(const CrashReport &report) override;
  bool isSettled() const override { return !isSearching_; }

private:
  void add(const QString &breakpoint);
  void go(bool backwards);

  RewritesController &rewrites_;
  StepsController &steps_;
  BreakpointsPage *page_ = nullptr; ///< null: the panel is not made
  int tab_ = -1;
  bool isSearching_ = false;
};

} // namespace fuselage
