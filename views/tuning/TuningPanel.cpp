#include "views/tuning/TuningPanel.h"
#include "views/charts/RooflineView.h"
#include "views/common/Numbers.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include "views/models/RunWords.h"
#include "views/tiles/TileCanvas.h"
#include "views/tuning/KnobList.h"
#include "views/tuning/TrialViews.h"
#include "views/tuning/TuneItemModel.h"
#include "views/tuning/TuneRoofline.h"
#include "views/widgets/ElidingBox.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/MenuButton.h"
#include "views/widgets/Tables.h"
#include "views/widgets/WrapRow.h"
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static QComboBox *choice(QWidget *parent, const QString &name, const QList<QPair<QString, QString>> &items,
                         Qt::TextElideMode where = Qt::ElideRight) {
  auto *box = new ElidingBox(parent, where);
  box->setAccessibleName(name);
  for (const auto &[text, data] : items)
    box->addItem(text, data);
  return box;
}

static QToolButton *toolButton(QWidget *parent, const QString &icon, const QString &text, const QString &toolTip) {
  auto *button = new QToolButton(parent);
  button->setIcon(lineIcon(icon));
  button->setText(text);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAutoRaise(true);
  button->setToolTip(toolTip);
  return button;
}

TuningPanel::TuningPanel(TrialModel *model, QWidget *parent) : QWidget(parent), model_(model) {
  subject_ = choice(this, tr("What to tune"), {{tr("Schedule"), {}}, {tr("Dispatch"), {}}, {tr("All dispatches"), {}}},
                    Qt::ElideMiddle);
  subject_->setItemData(int(Subject::All), tr("One after the other, slowest first, equal ones once"), Qt::ToolTipRole);
  subject_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  subject_->setMinimumContentsLength(24);
  device_ = choice(this, tr("Device to tune on"), {{tr("host"), u"host"_s}});
  device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  device_->setMinimumContentsLength(14);
  budget_ = new QSpinBox(this);
  budget_->setRange(1, 1'000'000);
  budget_->setValue(200);
  budget_->setAccessibleName(tr("Budget"));
  budgetKind_ = choice(this, tr("Unit of the budget"), {{tr("trials"), u"trials"_s}, {tr("seconds"), u"seconds"_s}});
  budgetOf_ = choice(this, tr("Scope of the budget"), {{tr("in all"), {}}, {tr("each"), {}}});
  budgetOf_->setToolTip(
      tr("in all: what one dispatch does not use is left to those after it\neach: every dispatch has the budget"));
  strategy_ = choice(this, tr("Strategy"),
                     {{tr("model"), u"model"_s},
                      {tr("local"), u"local"_s},
                      {tr("random"), u"random"_s},
                      {tr("exhaustive"), u"exhaustive"_s}});
  strategy_->setToolTip(tr("model: what a model of the times so far expects most of, in turns with neighbours of the "
                           "best\nlocal: downhill from neighbour to "
                           "neighbour, with restarts\nrandom: at random\nexhaustive: all points in order"));
  objective_ = choice(this, tr("Objective"), {{tr("median"), u"median"_s}, {tr("minimum"), u"min"_s}});
  objective_->setToolTip(tr("Which of a point's launches count"));
  tune_ = new QPushButton(lineIcon(u"run"_s), tr("Tune"), this);
  pause_ = new QPushButton(lineIcon(u"pause"_s), tr("Pause"), this);
  pause_->setToolTip(tr("After the running trial; paused time does not count"));
  cancel_ = new QPushButton(lineIcon(u"stop"_s), tr("Cancel"), this);
  cancel_->setAccessibleName(tr("Cancel tuning"));
  best_ = new QPushButton(lineIcon(u"check"_s), tr("Use the Best"), this);
  best_->setToolTip(tr("Sets the knobs to the best trial"));
  follow_ = toolButton(this, u"graph"_s, tr("Follow"),
                       tr("Run the schedule with the knobs as they are, so that steps, graph and "
                          "text show what they do"));
  follow_->setCheckable(true);
  follow_->setChecked(true);
  journal_ = toolButton(this, u"open"_s, tr("Journal"), tr("Show trials that a journal has, without running anything"));
  journal_->setText(withMenuSign(journal_->text()));
  journal_->setAccessibleName(tr("Journal"));
  auto *journals = addMenu(journal_);
  journals->addAction(tr("Trials of This Window"), this, &TuningPanel::ownJournalRequested);
  journals->addAction(tr("Open a Journal\u2026"), this, &TuningPanel::journalRequested);
  csv_ = toolButton(this, u"export"_s, tr("CSV"), tr("Write the trials as a table"));
  csv_->setAccessibleName(tr("Export the trials as CSV"));
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(120);
  progress_->setMaximumHeight(10);
  progress_->setAccessibleName(tr("Tuning progress"));
  progressText_ = new QLabel(this);
  progressText_->setForegroundRole(QPalette::PlaceholderText);
  message_ = new QLabel(this);
  message_->setVisible(false);
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  knobs_ = new KnobList(this);
  trials_ = new TrialViews(model_, this);

  auto *what = new WrapRow;
  what->setContentsMargins(8, 6, 8, 0);
  what->setSpacing(6);
  what->addWidget(subject_);
  what->addGroup({new QLabel(tr("on"), this), device_});
  what->addGroup({new QLabel(tr("Budget"), this), budget_, budgetKind_, budgetOf_});
  what->addGroup({new QLabel(tr("Strategy"), this), strategy_});
  what->addGroup({new QLabel(tr("Objective"), this), objective_});
  auto *how = new WrapRow;
  how->setContentsMargins(8, 0, 8, 2);
  how->setSpacing(6);
  for (QWidget *widget : std::initializer_list<QWidget *>{tune_, pause_, cancel_, best_, follow_, journal_, csv_})
    how->addWidget(widget);
  how->addGroup({progress_, progressText_});
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(knobs_);
  splitter->addWidget(trials_);
  splitter->setStretchFactor(0, 0);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({460, 700});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addLayout(what);
  layout->addLayout(how);
  layout->addWidget(message_);
  message_->setContentsMargins(8, 0, 8, 2);
  layout->addWidget(splitter, 1);
  setFocusProxy(subject_); // what is tuned decides whether it can be

  connect(subject_, &QComboBox::currentIndexChanged, this, &TuningPanel::subjectChanged);
  connect(subject_, &QComboBox::currentIndexChanged, this, &TuningPanel::updateButtons);
  connect(device_, &QComboBox::currentIndexChanged, this, &TuningPanel::subjectChanged);
  connect(tune_, &QPushButton::clicked, this, &TuningPanel::tuneRequested);
  connect(pause_, &QPushButton::clicked, this, [this] { emit pauseRequested(state_ == State::Running); });
  connect(cancel_, &QPushButton::clicked, this, &TuningPanel::cancelRequested);
  connect(best_, &QPushButton::clicked, this, &TuningPanel::bestRequested);
  connect(follow_, &QToolButton::toggled, this, &TuningPanel::followChanged);
  connect(csv_, &QToolButton::clicked, this, &TuningPanel::csvRequested);
  addPictures();
  connect(model_, &QAbstractItemModel::modelReset, this, &TuningPanel::updateButtons);
  connect(model_, &QAbstractItemModel::rowsInserted, this, &TuningPanel::updateButtons);
  setProgress({}, 0, -1);
  updateButtons();
}

/// Beside the trials': what a point makes, and where the best lies.
void TuningPanel::addPictures() {
  tile_ = new TileCanvas(this);
  tile_->setAccessibleName(tr("Tile at the knobs"));
  roofline_ = new RooflineView(this);
  roofline_->setAccessibleName(tr("Roofline of the best"));
  roofline_->setEmptyText(tr("No roofline yet"),
                          tr("Tune measures the peaks of the device once, and shows how far the best is below them."));
  plan_ = new TuneItemModel(this);
  sortedItems_ = new QSortFilterProxyModel(this);
  sortedItems_->setSourceModel(plan_);
  sortedItems_->setSortRole(TuneItemModel::SortRole);
  items_ = makeTable(sortedItems_, tr("Dispatches that are tuned"));
  sortedItems_->sort(-1);
  items_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  fitColumns(items_, {3, 0, 0, 0, 0, 0, 2});
  new EmptyHint(items_, tr("Nothing is tuned yet"),
                tr("Choose All dispatches, and Tune: each appears here with its times by default "
                   "and with the best sizes."));
  trials_->addTab(tile_, tr("Tile"));
  trials_->addTab(roofline_, tr("Roofline"));
  trials_->addTab(items_, tr("Dispatches"));
  connect(items_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &now) {
    if (now.isValid())
      emit itemChosen(sortedItems_->mapToSource(now).row());
  });
  connect(roofline_, &RooflineView::rowActivated, this, [this](int row) {
    if (row >= 0 && row < rooflineRows_.size())
      emit itemChosen(rooflineRows_[row]);
  });
}

void TuningPanel::setPlan(const protocol::TunePlan &plan, int running,
                          const std::optional<protocol::DevicePeaks> &peaks) {
  plan_->setPlan(plan, running);
  const TuneRoofline chart = rooflineOf(plan, peaks);
  rooflineRows_ = chart.rows;
  roofline_->setRuns(chart.best, chart.byDefault,
                     subject() == Subject::Schedule ? tr("the baseline") : tr("by default"));
}

void TuningPanel::showSearch() {
  if (subject() == Subject::All)
    trials_->setCurrentWidget(items_);
  else
    trials_->setCurrentIndex(0);
}

const protocol::TunePlan &TuningPanel::plan() const { return plan_->plan(); }

TuningPanel::Subject TuningPanel::subject() const { return Subject(subject_->currentIndex()); }

void TuningPanel::setSubject(Subject subject) { subject_->setCurrentIndex(int(subject)); }

void TuningPanel::setSubjects(const QString &schedule, const QString &dispatch) {
  subject_->setItemText(int(Subject::Schedule), schedule.isEmpty() ? tr("Schedule") : tr("Schedule %1").arg(schedule));
  subject_->setItemText(int(Subject::Dispatch),
                        dispatch.isEmpty() ? tr("Selected dispatch") : tr("Dispatch at %1").arg(dispatch));
  subject_->setToolTip(subject_->currentText());
}

void TuningPanel::setDevices(const QList<protocol::Device> &devices) {
  const QString chosen = device();
  const QSignalBlocker quiet(device_);
  device_->clear();
  for (const protocol::Device &device : devices)
    device_->addItem(deviceText(device), device.id);
  if (devices.isEmpty())
    device_->addItem(tr("host"), u"host"_s);
  setDevice(chosen);
}

QString TuningPanel::device() const { return device_->currentData().toString(); }

void TuningPanel::setDevice(const QString &id) {
  int index = device_->findData(id);
  if (index < 0 && !id.isEmpty()) {
    device_->addItem(id, id);
    index = device_->count() - 1;
  }
  device_->setCurrentIndex(std::max(0, index));
}

int TuningPanel::budget() const { return budget_->value(); }

bool TuningPanel::isBudgetTime() const { return budgetKind_->currentData() == u"seconds"_s; }

void TuningPanel::setBudget(int budget, bool isTime) {
  budget_->setValue(budget);
  budgetKind_->setCurrentIndex(isTime ? 1 : 0);
}

bool TuningPanel::wantsBudgetOfEach() const { return budgetOf_->currentIndex() == 1; }

void TuningPanel::setBudgetOfEach(bool isOfEach) { budgetOf_->setCurrentIndex(isOfEach ? 1 : 0); }

QString TuningPanel::strategy() const { return strategy_->currentData().toString(); }
void TuningPanel::setStrategy(const QString &strategy) {
  strategy_->setCurrentIndex(std::max(0, strategy_->findData(strategy)));
}
QString TuningPanel::objective() const { return objective_->currentData().toString(); }
void TuningPanel::setObjective(const QString &objective) {
  objective_->setCurrentIndex(std::max(0, objective_->findData(objective)));
}
bool TuningPanel::follows() const { return follow_->isChecked(); }
void TuningPanel::setFollows(bool follows) { follow_->setChecked(follows); }

void TuningPanel::setState(State state) {
  state_ = state;
  updateButtons();
}

void TuningPanel::setRunnable(bool can) {
  canRun_ = can;
  updateButtons();
}

void TuningPanel::updateButtons() {
  const bool isIdle = state_ == State::Idle;
  tune_->setEnabled(isIdle && canRun_);
  pause_->setEnabled(state_ == State::Running || state_ == State::Paused);
  pause_->setText(state_ == State::Paused ? tr("Resume") : tr("Pause"));
  pause_->setIcon(lineIcon(state_ == State::Paused ? u"run"_s : u"pause"_s));
  cancel_->setEnabled(!isIdle);
  best_->setEnabled(model_->best() >= 0 && subject() != Subject::All); // each dispatch has knobs of its own
  csv_->setEnabled(model_->rowCount() > 0);
  progress_->setVisible(!isIdle);
  budgetOf_->setVisible(subject() == Subject::All);
  for (QWidget *widget : std::initializer_list<QWidget *>{subject_, device_, budget_, budgetKind_, budgetOf_, strategy_,
                                                          objective_, journal_})
    widget->setEnabled(isIdle);
}

/// "40 s", "3 min 20 s".
static QString duration(double seconds) {
  const int whole = int(std::ceil(seconds));
  return whole < 90 ? TuningPanel::tr("%1 s").arg(whole)
                    : TuningPanel::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
}

void TuningPanel::setProgress(const std::optional<protocol::TuneBegin> &begin, double elapsed, double remaining) {
  // Of many, the budget and what was made of it are of all together.
  const protocol::TunePlan &all = plan();
  const bool isMany = all.items.size() > 1;
  int made = isMany ? 0 : model_->rowCount();
  for (const protocol::TuneItem &item : all.items)
    made += isMany ? item.trials : 0;
  QStringList words;
  if (state_ != State::Idle && !begin) {
    words.append(state_ == State::Starting ? tr("Looking at the device\u2026") : tr("Compiling the first point\u2026"));
    progress_->setRange(0, 0);
  } else if (begin) {
    const qint64 trials = isMany ? all.trials : begin->trials;
    const double seconds = isMany ? all.seconds : begin->seconds;
    if (isMany)
      words.append(tr("dispatch %1 of %2").arg(begin->item + 1).arg(all.items.size()));
    words.append(trials < 0 ? counted(made, tr("trial"), tr("trials")) : tr("%1 of %2 trials").arg(made).arg(trials));
    if (state_ == State::Paused)
      words.append(tr("paused"));
    else if (state_ == State::Idle)
      words.append(tr("in %1").arg(duration(elapsed)));
    else if (remaining >= 0)
      words.append(tr("about %1 left").arg(duration(remaining)));
    progress_->setRange(0, 1000);
    const double done =
        trials < 0 ? elapsed / std::max(1e-9, seconds) : double(made) / double(std::max<qint64>(1, trials));
    progress_->setValue(int(1000 * std::clamp(done, 0.0, 1.0)));
  }
  progressText_->setText(words.join(u", "_s));
}

void TuningPanel::setMessage(const QString &text, bool isError) {
  message_->setText(text);
  QPalette colours = palette();
  if (isError)
    colours.setColor(QPalette::WindowText, Theme::of(palette()).error);
  message_->setPalette(colours);
  message_->setVisible(!text.isEmpty());
}

QString TuningPanel::message() const { return message_->text(); }

} // namespace fuselage
