// A schedule, stepped like a program: its steps, the handles at a place, and the payload there.
#pragma once
#include "views/common/TextSource.h"
#include "views/models/ScheduleModel.h"
#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;
class QToolButton;

namespace fuselage {

class Breadcrumb;
class EmptyHint;
class TextView;

class SchedulePanel : public QWidget {
  Q_OBJECT
public:
  SchedulePanel(ScheduleModel *steps, HandleModel *handles, QWidget *parent = nullptr);

  void setPath(const QString &path);
  QString path() const;
  bool normalizes() const;
  /// Whether places are to be seen in the other views, too.
  bool follows() const;
  void setFollows(bool follows);
  void setBusy(bool busy);
  /// `hasText`: there is a script, also where it has no path.
  void setRunnable(bool can, bool hasText);
  void setHint(const QString &title, const QString &hint);
  /// Above the steps; what the step at the position says stands below it.
  void setSummary(const QString &text);
  /// A button that runs the script again, normalized.
  void offerNormalizing(bool offers);
  /// What ran can be recorded.
  void offerRecording(bool offers);
  /// The row of the model that the debugger stands at; -1: none.
  int position() const;
  void setPosition(int row);
  /// The commands that step, for other widgets that have the keyboard.
  QList<QAction *> stepActions() const;
  /// What there is at the position.
  void showPosition(const protocol::SchedulePosition &position);

  QTableView *steps() const { return steps_; }
  QTableView *handles() const { return handles_; }
  TextView *text() const { return text_; }
  QLineEdit *pathEdit() const { return path_; }
  QPushButton *runButton() const { return run_; }
  QPushButton *retryButton() const { return retry_; }
  QPushButton *recordButton() const { return record_; }
  QCheckBox *normalizeBox() const { return normalize_; }
  QCheckBox *followBox() const { return follow_; }
  QPushButton *continueButton() const { return continue_; }
  Breadcrumb *frames() const { return frames_; }
  QLabel *summary() const { return summary_; }

signals:
  void fileRequested();
  void runRequested();
  void recordRequested();
  void cancelRequested();
  /// The debugger stands at another row.
  void positionChanged(int row);
  void followChanged(bool follows);
  /// A row of the handles, -1: none.
  void handleChosen(int row);
  /// On to the next breakpoint, or back to the last one.
  void continueRequested(bool back);
  /// The line of this step is to be seen.
  void stepActivated(int row);

protected:
  bool event(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  QToolButton *stepButton(const QString &text, const QString &icon, const QKeySequence &key,
                          int (ScheduleModel::*target)(int) const);
  void showHandle(int row);
  void showFrames();
  void updateButtons();
  void updateSummary();

  ScheduleModel *model_;
  HandleModel *handleModel_;
  StringTextSource source_;
  QLineEdit *path_;
  QPushButton *run_, *continue_, *retry_, *record_;
  QCheckBox *normalize_, *follow_;
  QLabel *summary_;
  QTableView *steps_, *handles_;
  TextView *text_;
  EmptyHint *hint_;
  Breadcrumb *frames_;
  QList<QToolButton *> stepButtons_;
  QString said_; ///< by setSummary()
  bool busy_ = false, canRun_ = false, hasText_ = false;
};

} // namespace fuselage
