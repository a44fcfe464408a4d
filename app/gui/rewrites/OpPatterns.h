// The patterns that would apply to the selected op, each with what it would do, and as a step.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/steps/ShownPlace.h"
#include "views/messages/RewriteTypes.h"
#include "views/models/TableModel.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace fuselage {

class EmptyHint;
class RewritesController;
class RewritesPanel;
class StepsController;
class TextController;

/// A row is a pattern; those that apply come first.
class OpPatternModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Name, Pass, Outcome, ColumnCount };

  explicit OpPatternModel(QObject *parent = nullptr);
  void setPatterns(const QList<protocol::PatternOffer> &patterns);
  const QList<protocol::PatternOffer> &patterns() const { return patterns_; }

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QList<protocol::PatternOffer> patterns_;
};

class OpPatternsPage : public QWidget {
  Q_OBJECT
public:
  explicit OpPatternsPage(OpPatternModel *model, QWidget *parent = nullptr);

  QTableView *table() const { return table_; }
  QLineEdit *passesEdit() const { return passes_; }
  QPushButton *applyButton() const { return apply_; }
  /// The row that is selected; -1: none.
  int current() const;
  void setAbout(const QString &about);
  void setHint(const QString &title, const QString &hint);

private:
  QLineEdit *passes_;
  QLabel *about_;
  QTableView *table_;
  QPushButton *apply_;
  EmptyHint *hint_;
};

class OpPatternsController : public Controller {
  Q_OBJECT
public:
  OpPatternsController(Shell &shell, RewritesController &rewrites, StepsController &steps, TextController &text);

  /// Made with the panel of the rewrites.
  OpPatternsPage &page();
  void show();
  OpPatternModel &model() { return model_; }
  void documentReset() override;
  void stepShown(const ShownStep &step) override;
  void engineDied(const CrashReport &report) override;
  bool isSettled() const override { return !isAsking_; }

private:
  void selectionMoved();
  void request();
  void preview();
  void addPage(RewritesPanel &panel);
  void clearPage();
  void apply();
  void suggestPasses(int row);

  RewritesController &rewrites_;
  StepsController &steps_;
  TextController &text_;
  OpPatternModel model_;
  OpPatternsPage *page_ = nullptr; ///< null: the panel is not made
  int tab_ = -1;                   ///< of the panel
  ShownPlace place_;
  int snapshot_ = -1; ///< that the patterns are of
  qint64 op_ = -1;
  bool isAsking_ = false;
};

} // namespace fuselage
