#include "views/panels/RunPanel.h"
#include "core/pictures/RunCsv.h"
#include "views/charts/BarChart.h"
#include "views/charts/RooflineView.h"
#include "views/charts/RunTimeline.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/models/RunWords.h"
#include "views/panels/RunResults.h"
#include "views/panels/RunSentences.h"
#include "views/widgets/ElidingBox.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/MenuButton.h"
#include "views/widgets/Tables.h"
#include "views/widgets/VerdictDelegate.h"
#include "views/widgets/WrapRow.h"
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// Sources to pick from, and room to type a number or a file.
class SourceDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &) const override {
    auto *box = new QComboBox(parent);
    box->setEditable(true);
    box->addItems(InputModel::sources());
    return box;
  }
  void setEditorData(QWidget *editor, const QModelIndex &index) const override {
    static_cast<QComboBox *>(editor)->setCurrentText(index.data(Qt::EditRole).toString());
  }
  void setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const override {
    model->setData(index, static_cast<QComboBox *>(editor)->currentText());
  }
};
} // namespace

static QLabel *fieldLabel(const QString &text, QWidget *buddy) {
  auto *label = new QLabel(text);
  label->setBuddy(buddy);
  return label;
}

RunPanel::RunPanel(KernelModel *model, QWidget *parent) : QWidget(parent), model_(model) {
  device_ = new ElidingBox(this);
  device_->setAccessibleName(tr("Device"));
  device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  device_->setMinimumContentsLength(13);
  device_->addItem(tr("host"), u"host"_s);
  auto *refresh = new QToolButton(this);
  refresh->setIcon(lineIcon(u"reload"_s));
  refresh->setAutoRaise(true);
  refresh->setToolTip(tr("Look for devices again"));
  refresh->setAccessibleName(tr("Refresh devices"));
  function_ = new QComboBox(this);
  function_->setAccessibleName(tr("Function"));
  function_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  function_->setMinimumContentsLength(12);
  functionLabel_ = fieldLabel(tr("Functio&n"), function_);
  repeat_ = new QSpinBox(this);
  repeat_->setRange(1, 100000);
  repeat_->setValue(20);
  repeat_->setAccessibleName(tr("Repeats"));
  seed_ = new QSpinBox(this);
  seed_->setRange(0, 1'000'000'000);
  seed_->setValue(1);
  seed_->setAccessibleName(tr("Seed of the random inputs"));
  run_ = new QPushButton(lineIcon(u"run"_s), tr("Run"), this);
  cancel_ = new QPushButton(lineIcon(u"stop"_s), tr("Cancel"), this);
  cancel_->setEnabled(false);
  heat_ = new QToolButton(this);
  heat_->setIcon(lineIcon(u"heat"_s));
  heat_->setText(tr("Heat"));
  heat_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  heat_->setCheckable(true);
  heat_->setChecked(true);
  heat_->setAutoRaise(true);
  heat_->setToolTip(tr("Show each dispatch's share of the time on the graph"));
  baselines_ = new QToolButton(this);
  baselines_->setText(tr("Baselines"));
  baselines_->setCheckable(true);
  baselines_->setChecked(true);
  baselines_->setAutoRaise(true);
  baselines_->setToolTip(
      tr("With 5 repeats or more, also measure the peaks of the device, a copy of each dispatch's bytes, and a library "
         "where one is installed: OpenBLAS or BLIS on the host, cuBLAS and cuDNN on NVIDIA"));
  caches_ = new QComboBox(this);
  caches_->addItem(tr("cold"));
  caches_->addItem(tr("warm"));
  caches_->setToolTip(tr("Whether timed launches start with cold caches, or with what the launch before left there"));
  caches_->setAccessibleName(tr("Caches"));
  csv_ = new QToolButton(this);
  csv_->setIcon(lineIcon(u"export"_s));
  csv_->setText(tr("CSV"));
  csv_->setAutoRaise(true);
  csv_->setEnabled(false);
  csv_->setToolTip(tr("Export the rows of this run, and of the one before, as CSV"));
  csv_->setAccessibleName(tr("Export as CSV"));
  each_ = new QCheckBox(tr("Each place"), this);
  each_->setToolTip(tr("One row per dispatch, even where several are identical"));
  each_->setVisible(false);
  comparisonLabel_ = new QLabel(this);
  comparisonLabel_->setWordWrap(true);
  comparisonLabel_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  comparisonLabel_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  comparisonLabel_->setVisible(false);
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(120);
  progress_->setMaximumHeight(10);
  progress_->setVisible(false);
  progress_->setAccessibleName(tr("Run progress"));
  message_ = new QLabel(this);
  message_->setVisible(false);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  message_->setWordWrap(true);
  message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

  sizesRow_ = new QWidget(this);
  sizesLayout_ = new QHBoxLayout(sizesRow_);
  sizesLayout_->setContentsMargins(0, 0, 0, 0);
  sizesRow_->setVisible(false);

  sorted_ = new QSortFilterProxyModel(this);
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(KernelModel::SortRole);
  table_ = makeTable(sorted_, tr("Kernels"));
  table_->setItemDelegate(new VerdictDelegate(KernelModel::VerdictRole, KernelModel::StaleRole, table_));
  sorted_->sort(-1);
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  QList<int> widths(KernelModel::ColumnCount, 0);
  widths[KernelModel::Where] = 6; // names of many places may be long
  fitColumns(table_, widths);
  table_->setColumnHidden(KernelModel::Before, true);
  table_->setColumnHidden(KernelModel::Ratio, true);
  showBaselines(report_);
  hint_ = new EmptyHint(table_, {}, {});
  setHint(false);
  timeline_ = new RunTimeline(this);
  timeline_->setVisible(false);
  // Rows may come by the thousand.
  rowsTimer_.setSingleShot(true);
  rowsTimer_.setInterval(100);
  connect(&rowsTimer_, &QTimer::timeout, this, &RunPanel::showRows);
  connect(timeline_, &RunTimeline::ticked, this, &RunPanel::showLeft);
  chart_ = new BarChart(this);
  roofline_ = new RooflineView(this);
  results_ = new RunResults(this);
  auto *inputs = makeTable(&inputs_, tr("Inputs"));
  inputs->setSortingEnabled(false);
  inputs->setItemDelegateForColumn(InputModel::Source, new SourceDelegate(inputs));
  inputs->setEditTriggers(QAbstractItemView::AllEditTriggers);
  fitColumns(inputs, {0, 2, 2, 3});
  new EmptyHint(inputs, tr("No arguments yet"),
                tr("The arguments of the function that runs are listed here, with where their values come from."));
  tabs_ = new QTabWidget(this);
  tabs_->setDocumentMode(true);
  tabs_->addTab(chart_, tr("Times"));
  tabs_->addTab(roofline_, tr("Roofline"));
  tabs_->addTab(results_, tr("Results"));
  tabs_->addTab(inputs, tr("Inputs"));
  weights_ = new QToolButton(this);
  weights_->setObjectName(u"weights"_s);
  weights_->setAutoRaise(true);
  weights_->setAccessibleName(tr("Weights from files"));
  auto *choices = addMenu(weights_);
  choices->addAction(tr("Choose Files\u2026"), this, &RunPanel::parametersRequested);
  randomWeights_ = choices->addAction(tr("Random Weights"), this, [this] { setParameters({}); });
  tabs_->setCornerWidget(weights_);
  setParameters({});

  auto *options = new WrapRow;
  options->setContentsMargins(8, 6, 8, 2);
  options->setSpacing(6);
  options->addGroup({fieldLabel(tr("&Device"), device_), device_, refresh});
  options->addGroup({functionLabel_, function_});
  options->addGroup({fieldLabel(tr("Repe&ats"), repeat_), repeat_});
  options->addGroup({fieldLabel(tr("S&eed"), seed_), seed_});
  options->addGroup({fieldLabel(tr("&Caches"), caches_), caches_});
  for (QWidget *widget : std::initializer_list<QWidget *>{run_, cancel_, heat_, baselines_, each_, csv_, progress_})
    options->addWidget(widget);
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(table_);
  splitter->addWidget(tabs_);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setSizes({660, 560});
  auto *lines = new QVBoxLayout;
  lines->setContentsMargins(9, 0, 9, 2);
  lines->addWidget(sizesRow_);
  lines->addWidget(message_);
  lines->addWidget(blame_ = makeBlameButton(), 0, Qt::AlignLeft);
  lines->addWidget(timeline_);
  lines->addWidget(comparisonLabel_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addLayout(options);
  layout->addLayout(lines);
  layout->addWidget(splitter, 1);
  setFocusProxy(device_);
  setFunctions({});
  setRunning(false, false);
  showGroups();

  connect(device_, qOverload<int>(&QComboBox::activated), this, [this] { isChosen_ = true; });
  connect(function_, qOverload<int>(&QComboBox::activated), this, &RunPanel::functionChanged);
  connect(run_, &QPushButton::clicked, this, &RunPanel::runRequested);
  connect(cancel_, &QPushButton::clicked, this, &RunPanel::cancelRequested);
  connect(refresh, &QToolButton::clicked, this, &RunPanel::refreshRequested);
  connect(heat_, &QToolButton::toggled, this, &RunPanel::heatToggled);
  connect(csv_, &QToolButton::clicked, this, &RunPanel::csvRequested);
  connect(each_, &QCheckBox::toggled, this, [this](bool each) {
    model_->setGrouped(!each);
    showGroups();
  });
  connect(chart_, &BarChart::rowActivated, this, &RunPanel::selectRow);
  connect(roofline_, &RooflineView::rowActivated, this, [this](int kernel) { selectRow(model_->rowOf(kernel)); });
  connect(roofline_, &RooflineView::exportRequested, this, &RunPanel::rooflineRequested);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
    const int row = sorted_->mapToSource(current).row();
    chart_->setCurrent(row);
    roofline_->setCurrent(isOnRoofline(row) ? int(model_->groupAt(row).kernels.first()) : -1);
    if (row >= 0)
      emit kernelSelected(model_->kernels()[row]);
  });
}

void RunPanel::selectRow(int row) {
  const QModelIndex index = sorted_->mapFromSource(model_->index(row, 0));
  table_->setCurrentIndex(index);
  table_->scrollTo(index);
}

void RunPanel::setDevices(const QList<protocol::Device> &devices) {
  hasDevices_ = true;
  const QString chosen = wantedDevice_.isEmpty() ? device() : wantedDevice_;
  device_->clear();
  for (const protocol::Device &device : devices) {
    device_->addItem(deviceText(device), device.id);
    QStringList facts{device.api};
    if (device.memoryBytes > 0)
      facts.append(tr("%1 memory").arg(formatBytes(device.memoryBytes)));
    if (device.maxSharedBytes > 0)
      facts.append(tr("%1 workgroup memory").arg(formatBytes(device.maxSharedBytes)));
    if (device.software)
      facts.append(tr("in software"));
    device_->setItemData(device_->count() - 1, facts.join(u", "_s), Qt::ToolTipRole);
  }
  if (device_->count() == 0)
    device_->addItem(tr("host"), u"host"_s);
  const bool hasOthers = device_->count() > 1 && device_->itemData(0).toString() == "host"_L1;
  const int preferred = preferredDevice_.isEmpty() ? -1 : device_->findData(preferredDevice_);
  if (wantedDevice_.isEmpty() && !isChosen_ && (preferred >= 0 || hasOthers))
    device_->setCurrentIndex(preferred >= 0 ? preferred : 1);
  else
    setDevice(chosen);
}

void RunPanel::setDevice(const QString &id) {
  const int index = device_->findData(id);
  isChosen_ = true;
  wantedDevice_ = index < 0 ? id : QString();
  if (index >= 0)
    device_->setCurrentIndex(index);
}

QString RunPanel::function() const { return function_->currentData().toString(); }

QString RunPanel::device() const { return device_->currentData().toString(); }

void RunPanel::setParameters(const QStringList &files) {
  parameters_ = files;
  QStringList names;
  for (const QString &file : files)
    names.append(file.section(u'/', -1));
  weights_->setText(withMenuSign(tr("Weights: %1").arg(files.isEmpty() ? tr("random") : names.join(u", "_s))));
  weights_->setToolTip(files.isEmpty() ? tr("Random, or from .safetensors or .irpa files") : files.join(u'\n'));
  randomWeights_->setEnabled(!files.isEmpty());
}

int RunPanel::repeat() const { return repeat_->value(); }
int RunPanel::seed() const { return seed_->value(); }
void RunPanel::setSeed(int seed) { seed_->setValue(seed); }
void RunPanel::setRepeat(int repeat) { repeat_->setValue(repeat); }

void RunPanel::setFunctions(const QStringList &functions) {
  function_->clear();
  function_->addItem(tr("(first public)"), QString());
  for (const QString &name : functions)
    function_->addItem(name, name);
  function_->setVisible(functions.size() > 1);
  functionLabel_->setVisible(functions.size() > 1);
}

RunRequest RunPanel::request() const {
  RunRequest request;
  request.device = wantedDevice_.isEmpty() ? device() : wantedDevice_;
  request.repeat = repeat_->value();
  request.seed = seed_->value();
  request.function = function();
  request.inputs = inputs_.chosen();
  request.parameters = parameters_;
  constexpr int enoughRepeats = 5; // for a comparison to be worth its time
  request.baselines = hasBaselines() && request.repeat >= enoughRepeats;
  request.coldCaches = coldCaches();
  for (auto it = sizes_.begin(); it != sizes_.end(); ++it)
    if (chosenSizes_.value(it.key()) != it.value()->value())
      request.sizes.insert(it.key(), it.value()->value());
  return request;
}

void RunPanel::setReport(const protocol::RunReport &report, const QString &of) {
  report_ = report;
  rowsTimer_.stop();
  partial_ = {};
  if (report.shares.totalMs() > 0)
    timeline_->setShares(report.shares);
  csv_->setEnabled(!report.kernels.isEmpty());
  model_->setReport(report);
  each_->setVisible(model_->hasGroups());
  showBaselines(report);
  showGroups();
  compare();
  chart_->setStale(false);
  roofline_->setStale(false);
  roofline_->setRuns(report, before_, beforeName_);
  results_->setOutputs(report.outputs);
  results_->setStale(false);
  if (!report.inputs.isEmpty()) // else what run/arguments told stays
    inputs_.setInputs(report.inputs);
  outcome_ = of.isEmpty() ? outcomeOf(report) : tr("%1: %2").arg(of, outcomeOf(report));
  const bool isCancelled = report.cancelled && report.verdict == protocol::RunVerdict::Unchecked &&
                           (report.why.isEmpty() || report.why.startsWith("cancelled"_L1));
  isFailure_ = !report.ok() && !isCancelled;
  // What is wrong is looked at first.
  if (isFailure_ && !report.outputs.isEmpty())
    tabs_->setCurrentWidget(results_);
  setMessage(outcome_, isFailure_);
  blame_->setVisible(report.verdict == protocol::RunVerdict::Wrong);
}

void RunPanel::setBefore(const protocol::RunReport &report, const QString &name) {
  before_ = report;
  beforeName_ = name;
  model_->setBefore(report.kernels);
  for (const int column : {KernelModel::Before, KernelModel::Ratio})
    table_->setColumnHidden(column, report.kernels.isEmpty());
  roofline_->setRuns(report_, before_, beforeName_);
  compare();
}

/// Columns that have nothing to say are not there.
void RunPanel::showBaselines(const protocol::RunReport &report) {
  const auto has = [&](const char *kind) {
    return std::any_of(report.kernels.begin(), report.kernels.end(),
                       [&](const protocol::Kernel &kernel) { return findBaseline(kernel, kind); });
  };
  const bool isOneDevice =
      !report.kernels.isEmpty() &&
      std::all_of(report.kernels.begin(), report.kernels.end(),
                  [&](const protocol::Kernel &kernel) { return kernel.device == report.kernels.first().device; });
  table_->setColumnHidden(KernelModel::Device, isOneDevice); // the sentence above says which
  table_->setColumnHidden(KernelModel::Share, !report.peaks);
  table_->setColumnHidden(KernelModel::Copy, !has(protocol::Baseline::copyKind));
  table_->setColumnHidden(KernelModel::Library, !has(protocol::Baseline::libraryKind));
}

/// What is of several rows, where there are any.
void RunPanel::showGroups() {
  const bool isGrouped = model_->hasGroups() && !each_->isChecked();
  for (const int column : {KernelModel::Places, KernelModel::Total, KernelModel::Bytes, KernelModel::TotalBytes})
    table_->setColumnHidden(column, !isGrouped);
  table_->setColumnHidden(KernelModel::Where, !model_->hasGroups());
  QList<qint64> counts;
  for (int row = 0; row < model_->rowCount(); ++row)
    counts.append(model_->groupAt(row).kernels.size());
  chart_->setKernels(model_->kernels(), counts);
}

bool RunPanel::hasBaselines() const { return baselines_->isChecked(); }
void RunPanel::setBaselines(bool measures) { baselines_->setChecked(measures); }
bool RunPanel::coldCaches() const { return caches_->currentIndex() == 0; }
void RunPanel::setColdCaches(bool cold) { caches_->setCurrentIndex(cold ? 0 : 1); }

void RunPanel::compare() {
  comparison_ = comparisonOf(before_, beforeName_, report_, model_->goneCount());
  comparisonLabel_->setText(comparison_);
  comparisonLabel_->setVisible(!comparison_.isEmpty());
}

QByteArray RunPanel::csv() const {
  if (report_.kernels.isEmpty())
    return {};
  std::vector<std::pair<std::string, const protocol::RunReport *>> runs;
  if (!before_.kernels.isEmpty())
    runs.push_back({"before: " + beforeName_.toStdString(), &before_});
  runs.push_back({"now", &report_});
  return QByteArray::fromStdString(
      message::runCsv<protocol::QtTypes>(runs, [](const QString &text) { return text.toStdString(); }));
}

void RunPanel::setStale(bool stale) {
  if (stale == model_->isStale() || outcome_.isEmpty())
    return;
  model_->setStale(stale);
  results_->setStale(stale);
  chart_->setStale(stale);
  roofline_->setStale(stale);
  if (stale)
    setMessage(tr("Out of date: the program has changed since this ran. %1").arg(outcome_), false);
  else
    setMessage(outcome_, isFailure_);
}

void RunPanel::showResults() { tabs_->setCurrentWidget(results_); }

void RunPanel::addTab(QWidget *tab, const QString &title) { tabs_->addTab(tab, title); }
void RunPanel::showTab(QWidget *tab) { tabs_->setCurrentWidget(tab); }

/// Host code is not, nor is what has no known operations.
bool RunPanel::isOnRoofline(int row) const {
  if (row < 0 || model_->kernels()[row].onHost)
    return false;
  const std::string dispatch = model_->kernels()[row].dispatch.toStdString();
  const std::vector<message::RooflinePoint> &points = roofline_->chart().now;
  return std::any_of(points.begin(), points.end(),
                     [&](const message::RooflinePoint &point) { return point.name == dispatch; });
}

void RunPanel::showRoofline() { tabs_->setCurrentWidget(roofline_); }

QString RunPanel::message() const { return message_->text(); }

void RunPanel::setMessage(const QString &message, bool isError) {
  message_->setText(message);
  blame_->hide();
  message_->setVisible(!message.isEmpty());
  message_->setToolTip(message);
  QPalette colours = palette();
  if (isError)
    colours.setColor(QPalette::WindowText, signalColours(palette()).error);
  message_->setPalette(colours);
}

void RunPanel::clear() {
  report_ = partial_ = {};
  rowsTimer_.stop();
  timeline_->clear();
  csv_->setEnabled(false);
  setBefore({}, {});
  model_->setReport({});
  each_->setVisible(false);
  showGroups();
  chart_->setStale(false);
  roofline_->setStale(false);
  results_->clear();
  inputs_.clear();
  setParameters({});
  outcome_.clear();
  qDeleteAll(sizesRow_->findChildren<QWidget *>(Qt::FindDirectChildrenOnly));
  while (QLayoutItem *item = sizesLayout_->takeAt(0))
    delete item;
  sizes_.clear();
  chosenSizes_.clear();
  sizesRow_->setVisible(false);
  setMessage({}, false);
}

void RunPanel::setHeat(bool heat) { heat_->setChecked(heat); }

bool RunPanel::heat() const { return heat_->isChecked(); }

} // namespace fuselage
