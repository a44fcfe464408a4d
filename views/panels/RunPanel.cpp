#include "views/panels/RunPanel.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/panels/BarChart.h"
#include "views/panels/EmptyHint.h"
#include "views/panels/Icons.h"
#include "views/panels/Tables.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// Kernels that disagree with the host are red.
class KernelDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const SignalColours colours = signalColours(option->palette);
    const bool ok = index.data(KernelModel::OkRole).toBool();
    if (index.column() == KernelModel::Dispatch) {
      option->features |= QStyleOptionViewItem::HasDecoration;
      option->decorationSize = QSize(16, 16);
      option->icon = ok ? lineIcon(u"check"_s, colours.good) : lineIcon(u"error"_s, colours.error);
    }
    if (!ok)
      option->palette.setColor(QPalette::Text, colours.error);
  }
};
} // namespace

static QLabel *fieldLabel(const QString &text, QWidget *buddy) {
  auto *label = new QLabel(text);
  label->setBuddy(buddy);
  return label;
}

RunPanel::RunPanel(KernelModel *model, QWidget *parent) : QWidget(parent), model_(model) {
  device_ = new QComboBox(this);
  device_->setAccessibleName(tr("Device"));
  device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  device_->setMinimumContentsLength(26);
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
  seed_->setMaximumWidth(90);
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
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(120);
  progress_->setMaximumHeight(10);
  progress_->setVisible(false);
  progress_->setAccessibleName(tr("Run progress"));
  message_ = new QLabel(this);
  message_->setVisible(false);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

  sizesRow_ = new QWidget(this);
  sizesLayout_ = new QHBoxLayout(sizesRow_);
  sizesLayout_->setContentsMargins(0, 0, 0, 0);
  sizesRow_->setVisible(false);

  sorted_ = new QSortFilterProxyModel(this);
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(KernelModel::SortRole);
  table_ = makeTable(sorted_, tr("Kernels"));
  table_->setItemDelegate(new KernelDelegate(table_));
  sorted_->sort(-1);
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  fitColumns(table_, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  new EmptyHint(table_, tr("Nothing has run yet"),
                tr("Run compiles every dispatch, launches it on the device, and compares the results with the host."));
  chart_ = new BarChart(this);

  auto *options = new QHBoxLayout;
  options->setContentsMargins(8, 6, 8, 2);
  options->setSpacing(6);
  options->addWidget(fieldLabel(tr("&Device"), device_));
  options->addWidget(device_);
  options->addWidget(refresh);
  options->addWidget(functionLabel_);
  options->addWidget(function_);
  options->addWidget(fieldLabel(tr("Repe&ats"), repeat_));
  options->addWidget(repeat_);
  options->addWidget(fieldLabel(tr("S&eed"), seed_));
  options->addWidget(seed_);
  options->addSpacing(6);
  options->addWidget(run_);
  options->addWidget(cancel_);
  options->addWidget(heat_);
  options->addWidget(progress_);
  options->addStretch(1);
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(table_);
  splitter->addWidget(chart_);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setSizes({720, 420});
  auto *lines = new QVBoxLayout;
  lines->setContentsMargins(9, 0, 9, 2);
  lines->addWidget(sizesRow_);
  lines->addWidget(message_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addLayout(options);
  layout->addLayout(lines);
  layout->addWidget(splitter, 1);
  setFocusProxy(device_);
  setFunctions({});
  setRunning(false, false);

  connect(device_, qOverload<int>(&QComboBox::activated), this, [this] { isChosen_ = true; });
  connect(run_, &QPushButton::clicked, this, &RunPanel::runRequested);
  connect(cancel_, &QPushButton::clicked, this, &RunPanel::cancelRequested);
  connect(refresh, &QToolButton::clicked, this, &RunPanel::refreshRequested);
  connect(heat_, &QToolButton::toggled, this, &RunPanel::heatToggled);
  connect(chart_, &BarChart::rowActivated, this, &RunPanel::selectKernel);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
    const int row = sorted_->mapToSource(current).row();
    chart_->setCurrent(row);
    if (row >= 0)
      emit kernelSelected(model_->kernels()[row]);
  });
}

void RunPanel::selectKernel(int row) {
  const QModelIndex index = sorted_->mapFromSource(model_->index(row, 0));
  table_->setCurrentIndex(index);
  table_->scrollTo(index);
}

void RunPanel::setDevices(const QList<protocol::Device> &devices) {
  const QString chosen = wantedDevice_.isEmpty() ? device() : wantedDevice_;
  device_->clear();
  for (const protocol::Device &device : devices) {
    const QString name = device.name.isEmpty() || device.name == device.id ? device.id : u"%1 \u00b7 %2"_s.arg(device.id, device.name);
    device_->addItem(name, device.id);
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
  if (wantedDevice_.isEmpty() && !isChosen_ && hasOthers)
    device_->setCurrentIndex(1);
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

QString RunPanel::device() const { return device_->currentData().toString(); }

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
  request.function = function_->currentData().toString();
  for (auto it = sizes_.begin(); it != sizes_.end(); ++it)
    request.sizes.insert(it.key(), it.value()->value());
  return request;
}

void RunPanel::askForSizes(const QStringList &names) {
  bool isNew = false;
  for (const QString &name : names) {
    if (sizes_.contains(name))
      continue;
    isNew = true;
    auto *field = new QSpinBox(sizesRow_);
    field->setRange(1, 1 << 20);
    field->setValue(128);
    field->setAccessibleName(tr("Size of %1").arg(name));
    if (sizes_.isEmpty())
      sizesLayout_->addWidget(new QLabel(tr("Dynamic sizes:"), sizesRow_));
    else
      delete sizesLayout_->takeAt(sizesLayout_->count() - 1);
    sizesLayout_->addWidget(new QLabel(name, sizesRow_));
    sizesLayout_->addWidget(field);
    sizesLayout_->addStretch(1);
    sizes_.insert(name, field);
  }
  sizesRow_->setVisible(!sizes_.isEmpty());
  if (isNew && !sizes_.isEmpty())
    sizes_.first()->setFocus();
}

void RunPanel::setRunning(bool running, bool canRun) {
  run_->setEnabled(canRun && !running);
  cancel_->setEnabled(running);
  progress_->setVisible(running);
  if (running)
    progress_->setRange(0, 0);
}

void RunPanel::setProgress(const protocol::RunProgress &progress) {
  progress_->setRange(0, progress.total);
  progress_->setValue(progress.done);
  setMessage(progress.what, false);
}

void RunPanel::setReport(const protocol::RunReport &report) {
  model_->setKernels(report.kernels);
  chart_->setKernels(report.kernels);
  double total = 0;
  qsizetype wrong = 0;
  for (const protocol::Kernel &kernel : report.kernels) {
    total += kernel.medianUs;
    wrong += kernel.ok ? 0 : 1;
  }
  double worst = 0;
  for (const protocol::Output &output : report.outputs)
    worst = std::max(worst, output.maxRelError);
  const QString verdict = report.ok ? tr("agrees with the host (max rel error %1)").arg(formatError(worst))
                          : wrong   ? tr("different from the host: %1").arg(counted(wrong, tr("kernel"), tr("kernels")))
                                    : tr("results differ from the host (max rel error %1)").arg(formatError(worst));
  setMessage(tr("%1: %2, %3 in total; %4")
                 .arg(report.device, counted(report.kernels.size(), tr("kernel"), tr("kernels")), formatMicroseconds(total), verdict),
             !report.ok);
}

void RunPanel::setMessage(const QString &message, bool isError) {
  message_->setText(message);
  message_->setVisible(!message.isEmpty());
  message_->setToolTip(message);
  QPalette colours = palette();
  if (isError)
    colours.setColor(QPalette::WindowText, signalColours(palette()).error);
  message_->setPalette(colours);
}

void RunPanel::clear() {
  model_->setKernels({});
  chart_->setKernels({});
  qDeleteAll(sizesRow_->findChildren<QWidget *>(Qt::FindDirectChildrenOnly));
  while (QLayoutItem *item = sizesLayout_->takeAt(0))
    delete item;
  sizes_.clear();
  sizesRow_->setVisible(false);
  setMessage({}, false);
}

void RunPanel::setHeat(bool heat) { heat_->setChecked(heat); }

bool RunPanel::heat() const { return heat_->isChecked(); }

} // namespace fuselage
