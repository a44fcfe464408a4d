#include "views/tiles/TileExplorerPanel.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include "views/tiles/TileCanvas.h"
#include "views/tiles/TileNumbers.h"
#include "views/tiles/TileSizes.h"
#include "views/tiles/TileTraceView.h"
#include "views/widgets/Icons.h"
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <climits>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int leastControls = 250, controlsMargin = 10;

static QLabel *mutedLabel(const QString &text = {}) {
  auto *label = new QLabel(text);
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

TileExplorerPanel::TileExplorerPanel(QWidget *parent) : QWidget(parent) {
  side_ = new TileSide(tr("Order of the loops"), this);
  other_ = new TileSide(tr("Other order of the loops"), this);
  other_->hide();
  trace_ = new TileTraceView(this);
  controls_ = buildControls();
  auto *middle = new QWidget(this);
  auto *column = new QVBoxLayout(middle);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildPlayer());
  auto *sides = new QSplitter(Qt::Horizontal);
  sides->setChildrenCollapsible(false);
  sides->addWidget(side_);
  sides->addWidget(other_);
  column->addWidget(sides, 1);
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(controls_);
  splitter->addWidget(middle);
  splitter->addWidget(trace_);
  splitter->setStretchFactor(0, 0);
  splitter->setStretchFactor(1, 1);
  splitter->setStretchFactor(2, 0);
  splitter->setSizes({290, 760, 330});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);

  setFocusProxy(side_);
  connect(sizes_, &TileSizes::sizesChanged, this, &TileExplorerPanel::sizesChanged);
  connect(snap_, &QCheckBox::toggled, sizes_, &TileSizes::setSnapping);
  connect(fuse_, &QCheckBox::toggled, this, &TileExplorerPanel::fusionChanged);
  connect(producers_, &QListWidget::itemChanged, this, &TileExplorerPanel::fusionChanged);
  connect(device_, &QComboBox::currentIndexChanged, this, &TileExplorerPanel::questionChanged);
  connect(cache_, &QSpinBox::valueChanged, this, &TileExplorerPanel::questionChanged);
  for (TileSide *side : {side_, other_}) {
    const TileCanvas *canvas = &side->canvas();
    connect(canvas, &TileCanvas::tilePicked, this,
            [this, side](const QList<qint64> &tile) { setNumber(side->walk().numberOf(tile)); });
    connect(canvas, &TileCanvas::stepRequested, this, &TileExplorerPanel::step);
    connect(canvas, &TileCanvas::playRequested, this, [this] { setPlaying(!isPlaying()); });
    connect(canvas, &TileCanvas::valueActivated, this, &TileExplorerPanel::valueActivated);
    connect(trace_, &TileTraceView::eventSelected, canvas, &TileCanvas::setHighlighted);
    connect(side, &TileSide::orderChanged, this, &TileExplorerPanel::orderChanged);
  }
  connect(twoOrders_, &QToolButton::toggled, this, [this](bool both) {
    other_->setVisible(both);
    trace_->setVisible(!both); // there is no room for all
    setNumber(walk().number());
    showWalk();
    emit questionChanged();
  });
  connect(trace_, &TileTraceView::traceRequested, this, &TileExplorerPanel::traceRequested);
  connect(&timer_, &QTimer::timeout, this, [this] {
    if (walk().isAtEnd())
      setPlaying(false);
    else
      step(1);
  });
  setEmpty(tr("No op is selected"), tr("Select an op of the graph to see what a tile of it touches."));
}

QWidget *TileExplorerPanel::buildControls() {
  title_ = new QLabel;
  title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  sizes_ = new TileSizes;
  snap_ = new QCheckBox(tr("Snap &to divisors"));
  snap_->setChecked(true);
  snap_->setToolTip(tr("Sliders stop where all tiles have the same size; type any other size"));
  schedule_ = new QPushButton(tr("Add to the Schedule\u2026"));
  schedule_->setToolTip(tr("Tiles the op with these sizes, by a line of the schedule"));
  connect(schedule_, &QPushButton::clicked, this, &TileExplorerPanel::scheduleRequested);
  pipeline_ = new QPushButton(tr("Use These Sizes in the Pipeline"));
  pipeline_->setToolTip(tr("Writes these tile sizes into the tiling passes of the pipeline editor; they hold for every "
                           "op that these passes tile"));
  connect(pipeline_, &QPushButton::clicked, this, &TileExplorerPanel::pipelineRequested);
  fuse_ = new QCheckBox(tr("Fuse &producers"));
  fuse_->setChecked(true);
  producers_ = new QListWidget;
  producers_->setAccessibleName(tr("Producers that are computed in the tiles"));
  producers_->setFrameShape(QFrame::NoFrame);
  producers_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  producers_->setTextElideMode(Qt::ElideRight);
  producers_->setSelectionMode(QAbstractItemView::NoSelection);
  producers_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  device_ = new QComboBox;
  device_->setAccessibleName(tr("Device whose workgroup memory is the limit"));
  device_->addItem(tr("any GPU \u00b7 32 KiB"), qint64(-1));
  device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  cache_ = new QSpinBox;
  cache_->setAccessibleName(tr("Cache that the traffic is for, in KiB"));
  cache_->setToolTip(tr("With a cache size, what an iteration of a loop touches stays for the next one if it fits. "
                        "Without one, whole ops move each value once, and nothing stays from one tile to the next"));
  constexpr int mostKiB = 1 << 20;
  cache_->setRange(0, mostKiB);
  cache_->setPrefix(tr("cache: "));
  cache_->setSuffix(tr(" KiB"));
  cache_->setSpecialValueText(tr("cache: no size set"));
  cache_->setKeyboardTracking(false);
  numbers_ = new TileNumbers;
  assumptions_ = mutedLabel();
  assumptions_->setWordWrap(true);
  notes_ = mutedLabel();
  notes_->setWordWrap(true);

  auto *content = new QWidget;
  auto *layout = new QVBoxLayout(content);
  layout->setContentsMargins(controlsMargin, 8, controlsMargin, 8);
  layout->setSpacing(6);
  layout->addWidget(title_);
  layout->addWidget(sizes_);
  layout->addWidget(snap_);
  layout->addWidget(pipeline_);
  layout->addWidget(schedule_);
  layout->addWidget(fuse_);
  layout->addWidget(producers_);
  layout->addWidget(device_);
  layout->addWidget(cache_);
  layout->addWidget(numbers_);
  layout->addWidget(assumptions_);
  layout->addWidget(notes_);
  layout->addStretch(1);
  auto *scroll = new QScrollArea;
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setAccessibleName(tr("Sizes and costs"));
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setMinimumWidth(leastControls);
  return scroll;
}

/// The columns of the figures need what they need; nothing scrolls sideways.
void TileExplorerPanel::fitControls() {
  const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  controls_->setMinimumWidth(std::max(leastControls, numbers_->minimumSizeHint().width() + 2 * controlsMargin + bar));
}

QWidget *TileExplorerPanel::buildPlayer() {
  auto *bar = new QWidget;
  auto *layout = new QHBoxLayout(bar);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(2);
  auto button = [&](const QString &icon, const QString &name, const QString &key) {
    auto *tool = new QToolButton;
    tool->setIcon(lineIcon(icon));
    tool->setAutoRaise(true);
    tool->setAccessibleName(name);
    tool->setToolTip(u"%1 (%2)"_s.arg(name, key));
    layout->addWidget(tool);
    return tool;
  };
  auto *first = button(u"first"_s, tr("First tile"), tr("Home"));
  auto *back = button(u"back"_s, tr("Previous tile"), tr("Left"));
  play_ = button(u"run"_s, tr("Play the tiles in loop order"), tr("Space"));
  auto *forward = button(u"forward"_s, tr("Next tile"), tr("Right"));
  auto *last = button(u"last"_s, tr("Last tile"), tr("End"));
  stepButtons_ = {first, back, forward, last};
  speed_ = new QSlider(Qt::Horizontal);
  speed_->setRange(1, 60);
  speed_->setValue(6);
  speed_->setFixedWidth(80);
  speed_->setAccessibleName(tr("Tiles a second"));
  speed_->setToolTip(tr("Tiles a second"));
  place_ = mutedLabel();
  layout->addSpacing(8);
  layout->addWidget(speed_);
  layout->addSpacing(8);
  layout->addWidget(place_, 1);
  twoOrders_ = new QToolButton;
  twoOrders_->setText(tr("Two Orders"));
  twoOrders_->setCheckable(true);
  twoOrders_->setAutoRaise(true);
  twoOrders_->setToolTip(tr("Shows two orders of the loops side by side, and what each has loaded so far"));
  layout->addWidget(twoOrders_);
  connect(first, &QToolButton::clicked, this, [this] { step(INT_MIN); });
  connect(back, &QToolButton::clicked, this, [this] { step(-1); });
  connect(forward, &QToolButton::clicked, this, [this] { step(1); });
  connect(last, &QToolButton::clicked, this, [this] { step(INT_MAX); });
  connect(play_, &QToolButton::clicked, this, [this] { setPlaying(!isPlaying()); });
  connect(speed_, &QSlider::valueChanged, this, [this](int tiles) { timer_.setInterval(1000 / tiles); });
  timer_.setInterval(1000 / speed_->value());
  return bar;
}

void TileExplorerPanel::setControlsEnabled(bool enabled) {
  controls_->setEnabled(enabled);
  play_->setEnabled(enabled);
  speed_->setEnabled(enabled);
  twoOrders_->setEnabled(enabled);
  for (QToolButton *button : stepButtons_)
    button->setEnabled(enabled);
}

void TileExplorerPanel::setEmpty(const QString &title, const QString &hint) {
  setPlaying(false);
  domain_ = {};
  title_->clear();
  place_->clear();
  notes_->clear();
  assumptions_->clear();
  sizes_->setLoops({});
  producers_->clear();
  producers_->hide();
  numbers_->clear();
  trace_->clear();
  trace_->setCanTrace(false);
  side_->setEmpty(title, hint);
  other_->setEmpty({}, {});
  setControlsEnabled(false);
}

void TileExplorerPanel::setDomain(const protocol::TileDomain &domain) {
  QList<qint64> ranges, known;
  for (const protocol::TileDomainLoop &loop : domain.loops)
    ranges.append(loop.range);
  for (const protocol::TileDomainLoop &loop : domain_.loops)
    known.append(loop.range);
  const bool isSame = domain.op.id == domain_.op.id && ranges == known;
  const bool isOther = domain.op.id != domain_.op.id;
  domain_ = domain;
  title_->setText(domain.op.name.isEmpty() ? domain.op.op : u"%1 = %2"_s.arg(domain.op.name, domain.op.op));
  title_->setToolTip(title_->text());
  if (!isSame) {
    setPlaying(false);
    sizes_->setLoops(domain.loops);
    side_->setEmpty({}, {});
    other_->setEmpty({}, {});
  }
  if (isOther || producers_->count() == 0)
    fillProducers();
  trace_->clear();
  trace_->setCanTrace(domain.canTrace);
  setControlsEnabled(true);
  setLoops();
}

void TileExplorerPanel::fillProducers() {
  const QSignalBlocker blocker(producers_);
  producers_->clear();
  for (const protocol::TileOp &producer : domain_.producers) {
    auto *item = new QListWidgetItem(u"%1 = %2"_s.arg(producer.name, producer.op), producers_);
    item->setToolTip(item->text());
    item->setData(Qt::UserRole, producer.id);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
    item->setCheckState(Qt::Checked);
  }
  producers_->setVisible(producers_->count() > 0);
  constexpr int mostRows = 6;
  const int rows = std::min(mostRows, producers_->count());
  producers_->setFixedHeight(rows * (producers_->sizeHintForRow(0) + 1) + 4);
}

TileQuestion TileExplorerPanel::question(int side) const {
  const TileWalk &walk = this->side(side).walk();
  TileQuestion question{.sizes = sizes_->sizes(),
                        .tile = walk.tile(),
                        .order = walk.order(),
                        .fuse = fuse_->isChecked(),
                        .kept = {},
                        .device = {}};
  for (int row = 0; row < producers_->count(); ++row)
    if (producers_->item(row)->checkState() == Qt::Unchecked)
      question.kept.append(producers_->item(row)->data(Qt::UserRole).toLongLong());
  question.limit = device_->currentData().toLongLong();
  question.cache = qint64(cache_->value()) * 1024;
  question.device = device_->currentText().section(u" \u00b7 "_s, 0, 0);
  return question;
}

QString TileExplorerPanel::tileSizes() const {
  QStringList text;
  const QList<qint64> sizes = sizes_->sizes();
  for (qsizetype loop = 0; loop < std::min(sizes.size(), domain_.loops.size()); ++loop)
    text.append(QString::number(sizes[loop] >= domain_.loops[loop].range ? 0 : sizes[loop]));
  return text.join(u", "_s);
}

QString TileExplorerPanel::workgroupSizes() const {
  QStringList text = tileSizes().split(u", "_s);
  for (qsizetype loop = 0; loop < std::min(text.size(), domain_.loops.size()); ++loop)
    if (domain_.loops[loop].isReduction)
      text[loop] = u"0"_s;
  return text.join(u", "_s);
}

void TileExplorerPanel::setSequence(const protocol::TileSequence &sequence, int side) {
  this->side(side).setSequence(sequence);
}

void TileExplorerPanel::setReport(const protocol::TileReport &report, int side) {
  this->side(side).setReport(report);
  if (side > 0)
    return;
  numbers_->setReport(report);
  fitControls();
  assumptions_->setText(report.assumptions.join(u'\n'));
  notes_->setText(report.notes.join(u'\n'));
  notes_->setVisible(!report.notes.isEmpty());
}

QString TileExplorerPanel::assumptions() const { return assumptions_->text(); }

void TileExplorerPanel::setTrace(const protocol::TileTrace &trace) { trace_->setTrace(trace); }

void TileExplorerPanel::setTraceError(const QString &message) { trace_->setMessage(message); }

void TileExplorerPanel::setDevices(const QList<std::pair<QString, qint64>> &devices) {
  const QString current = device_->currentText();
  {
    const QSignalBlocker blocker(device_);
    while (device_->count() > 1)
      device_->removeItem(1);
    for (const auto &[name, bytes] : devices)
      if (bytes > 0)
        device_->addItem(u"%1 \u00b7 %2"_s.arg(name, formatBytes(bytes)), bytes);
    device_->setCurrentIndex(std::max(0, device_->findText(current)));
  }
  if (device_->currentText() != current)
    emit questionChanged();
}

void TileExplorerPanel::sizesChanged() {
  trace_->clear();
  setLoops();
  emit questionChanged();
}

void TileExplorerPanel::setLoops() {
  side_->setLoops(domain_.loops, sizes_->sizes(), false);
  other_->setLoops(domain_.loops, sizes_->sizes(), true);
  TileWalk walk = other_->walk();
  walk.setNumber(side_->walk().number());
  other_->setTile(walk.tile());
  showWalk();
}

void TileExplorerPanel::setSizes(const QList<qint64> &sizes) {
  QList<qint64> whole = sizes;
  for (qsizetype loop = 0; loop < std::min(sizes.size(), domain_.loops.size()); ++loop)
    if (whole[loop] == 0)
      whole[loop] = domain_.loops[loop].range;
  if (whole == sizes_->sizes())
    return;
  sizes_->setSizes(whole);
  sizesChanged();
}

void TileExplorerPanel::setOrder(const QList<int> &order) {
  const QList<int> before = walk().order();
  side_->setOrder(order);
  if (walk().order() != before)
    orderChanged();
}

void TileExplorerPanel::orderChanged() {
  setNumber(0);
  trace_->clear();
  showWalk();
  emit questionChanged();
}

void TileExplorerPanel::reset() {
  setPlaying(false);
  twoOrders_->setChecked(false);
  setCost(0, true);
  for (TileSide *side : {side_, other_})
    if (hasDomain()) // else none is chosen
      side->setOrder({});
}

void TileExplorerPanel::setCost(int cacheKiB, bool fuses) {
  cache_->setValue(cacheKiB);
  fuse_->setChecked(fuses);
}

void TileExplorerPanel::setInner(const QList<qint64> &sizes) {
  side_->canvas().setInner(sizes);
  other_->canvas().setInner(sizes);
}

/// On both sides, which have as many tiles.
void TileExplorerPanel::setNumber(qint64 number) {
  bool isOther = false;
  for (TileSide *side : {side_, other_}) {
    TileWalk walk = side->walk();
    walk.setNumber(number);
    isOther |= walk.tile() != side->walk().tile();
    side->setTile(walk.tile());
  }
  if (!isOther)
    return;
  showWalk();
  emit questionChanged();
}

void TileExplorerPanel::step(int by) {
  if (!hasDomain())
    return;
  setNumber(by == INT_MIN ? 0 : by == INT_MAX ? walk().total() - 1 : walk().number() + by);
}

void TileExplorerPanel::setPlaying(bool playing) {
  if (playing && walk().isAtEnd())
    step(INT_MIN);
  playing &= hasDomain() && !walk().isAtEnd();
  playing ? timer_.start() : timer_.stop();
  play_->setIcon(lineIcon(playing ? u"pause"_s : u"run"_s));
  play_->setAccessibleName(playing ? tr("Pause") : tr("Play the tiles in loop order"));
  play_->setToolTip(u"%1 (%2)"_s.arg(play_->accessibleName(), tr("Space")));
}

void TileExplorerPanel::showWalk() {
  const TileWalk &walk = this->walk();
  QStringList indices;
  for (int loop : walk.order())
    if (walk.trips(loop) > 1)
      indices.append(u"%1 %2/%3"_s.arg(domain_.loops[loop].name).arg(walk.tile()[loop] + 1).arg(walk.trips(loop)));
  QString text = tr("one tile: every loop is whole");
  if (walk.total() > 1)
    text = tr("tile %1 of %2").arg(groupedNumber(walk.number() + 1), groupedNumber(walk.total()));
  if (walk.total() > 1 && sideCount() == 1) // of two orders, each is at another place
    text += u" \u00b7 "_s + indices.join(u", "_s);
  place_->setText(text);
}

} // namespace fuselage
