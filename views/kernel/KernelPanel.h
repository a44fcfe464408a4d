// A dispatch's kernels as code, at a stage that is chosen, with what is known of each beside it.
#pragma once
#include "views/common/TextSource.h"
#include "views/messages/KernelTypes.h"
#include <QWidget>

class QComboBox;
class QLabel;
class QProgressBar;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace fuselage {

class TargetBox;
class TextView;

class KernelPanel : public QWidget {
  Q_OBJECT
public:
  explicit KernelPanel(QWidget *parent = nullptr);

  TargetBox *target() const { return target_; }
  QString chip() const;
  void setChip(const QString &chip);
  /// In place of code: what is going on, or why there is none.
  void setMessage(const QString &title, const QString &hint);
  /// Stays at the stage that was chosen, where the code has it.
  void setCode(const protocol::KernelCode &code);
  const protocol::KernelCode &code() const { return code_; }
  bool hasCode() const { return !code_.listings.isEmpty(); }
  /// What a check of the shown code found; it goes with the code.
  void setCheck(const protocol::KernelCheck &check);
  /// Why there is none.
  void setCheckFailed(const QString &why);
  void setChecking(bool isChecking);
  bool isChecking() const { return isChecking_; }
  /// Workgroups of the launch that it is at; total 0: it has not come to one yet.
  void setCheckProgress(int done, int total);
  QProgressBar *checkProgress() const { return progress_; }
  QToolButton *checkButton() const { return check_; }
  /// Marks what comes from a line of the source, and shows its beginning; line 0: nothing.
  void markPlace(const QString &file, qint64 line);

  /// The listing on screen; null: none.
  const protocol::KernelListing *listing() const;
  /// Shows the first listing of a stage. False: there is none.
  bool showStage(const QString &stage);
  TextView *text() const { return text_; }
  QTreeWidget *facts() const { return facts_; }
  QLabel *origin() const { return origin_; }

signals:
  /// The shown kernels are to be checked for races, or not any more.
  void checkWanted();
  void checkUnwanted();
  /// Another target or chip is wanted.
  void targetChanged();
  /// The user went to a line that comes from there.
  void placeActivated(const QString &file, qint64 line);

private:
  QWidget *buildBar();
  void showListing();
  void showFacts();
  void showOrigin(int line);
  /// The line that a finding's item is about.
  void goTo(QTreeWidgetItem *item);
  QTreeWidgetItem *newCheckItem(const QString &title);
  void mark();
  const protocol::ListingPlace *placeOf(int line) const;

  protocol::KernelCode code_;
  QString stage_; ///< that the user chose last
  QString markedFile_;
  qint64 markedLine_ = 0;
  StringTextSource source_;
  TargetBox *target_;
  QComboBox *chips_, *listings_;
  QToolButton *check_;
  QProgressBar *progress_;
  bool isChecking_ = false;
  QLabel *summary_, *origin_, *missing_;
  TextView *text_;
  QTreeWidget *facts_;
};

} // namespace fuselage
