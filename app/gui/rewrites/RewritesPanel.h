// What happened inside of a step.
#pragma once
#include "app/gui/rewrites/RewriteModels.h"
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace fuselage {

class EmptyHint;

class RewritesPanel : public QWidget {
  Q_OBJECT
public:
  enum Tab { Rewrites, Patterns, SelectedOp };

  explicit RewritesPanel(QWidget *parent = nullptr);

  /// A step's, in place of what was there.
  void setRewrites(const protocol::StepRewrites &rewrites);
  /// Nothing is listed, and why.
  void setMessage(const QString &title, const QString &hint);
  /// Of an op; `about` says which.
  void setAttempts(const QString &about, const QList<protocol::OpAttempt> &attempts, const QString &why);
  /// The index of the selected rewrite; -1: none.
  int current() const;
  /// Selects a rewrite, or none; one that the filter hides is shown by clearing the filter.
  void setCurrent(int rewrite);
  /// The rewrite that many visible rows further; -1: there is none.
  int neighbour(int rows) const;
  RewriteModel &model() { return rewrites_; }
  PatternModel &patterns() { return patterns_; }
  AttemptModel &attempts() { return attempts_; }
  QLineEdit *filterEdit() const { return filter_; }
  QTableView *table() const { return table_; }
  QTabWidget *tabs() const { return tabs_; }
  /// Adds a tab; returns its index.
  int addPage(QWidget *page, const QString &title) { return tabs_->addTab(page, title); }
  QString summary() const;

signals:
  /// By the user's hand.
  void rewriteSelected(int rewrite);
  void skipRequested(int rewrite, bool wholePattern);
  void breakRequested(const QString &breakpoint);
  void tabShown();

private:
  void showMenu(const QPoint &position);

  RewriteModel rewrites_;
  QSortFilterProxyModel filtered_;
  PatternModel patterns_;
  QSortFilterProxyModel sorted_;
  AttemptModel attempts_;
  QLabel *summary_, *about_;
  QLineEdit *filter_;
  QTabWidget *tabs_;
  QTableView *table_;
  EmptyHint *hint_, *attemptsHint_;
  bool isSelecting_ = false;
};

} // namespace fuselage
