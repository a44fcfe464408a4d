#include "views/kernel/KernelPanel.h"
#include "views/text/TextView.h"
#include "views/widgets/TargetBox.h"
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

// What items of a check know: that they are such, and which line of the mapped code they are about.
constexpr int checkRole = Qt::UserRole, lineRole = Qt::UserRole + 1;

static QLabel *mutedLabel() {
  auto *label = new QLabel;
  label->setForegroundRole(QPalette::PlaceholderText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

KernelPanel::KernelPanel(QWidget *parent) : QWidget(parent) {
  text_ = new TextView(this);
  text_->setSource(&source_);
  facts_ = new QTreeWidget(this);
  facts_->setAccessibleName(tr("What is known of the kernels"));
  facts_->setHeaderLabels({tr("Property"), tr("Value"), tr("Source")});
  facts_->header()->setStretchLastSection(true);
  facts_->setUniformRowHeights(true);
  missing_ = mutedLabel();
  missing_->setWordWrap(true);
  auto *side = new QWidget(this);
  auto *column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(facts_, 1);
  column->addWidget(missing_);
  auto *middle = new QSplitter(this);
  middle->addWidget(text_);
  middle->addWidget(side);
  middle->setStretchFactor(0, 3);
  middle->setStretchFactor(1, 2);
  middle->setSizes({600, 400});
  middle->setChildrenCollapsible(false);
  auto *all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addWidget(buildBar());
  all->addWidget(middle, 1);
  connect(facts_, &QTreeWidget::itemClicked, this, &KernelPanel::goTo);
  connect(facts_, &QTreeWidget::itemActivated, this, &KernelPanel::goTo);
  connect(text_, &TextView::currentLineChanged, this, &KernelPanel::showOrigin);
  connect(text_, &TextView::lineActivated, this, [this](int line) {
    if (const protocol::ListingPlace *place = placeOf(line))
      emit placeActivated(place->file, place->line);
  });
  setMessage(tr("No dispatch is selected"),
             tr("Select an op of a dispatch in the graph to see the code of its kernels."));
}

QWidget *KernelPanel::buildBar() {
  auto *bar = new QWidget(this);
  auto *row = new QHBoxLayout(bar);
  row->setContentsMargins(6, 4, 6, 4);
  target_ = new TargetBox(
      {{tr("Vulkan (SPIR-V)"), u"spirv"_s}, {tr("NVIDIA (PTX)"), u"ptx"_s}, {tr("Host"), u"host"_s}}, bar);
  target_->setToolTip(tr("The device that the code is for. Nothing runs, so it need not be present."));
  chips_ = new QComboBox(bar);
  chips_->setEditable(true);
  chips_->addItems({u"sm_80"_s, u"sm_86"_s, u"sm_89"_s, u"sm_90"_s, u"sm_100"_s, u"sm_120"_s});
  chips_->setCurrentText(u"sm_90"_s);
  chips_->setAccessibleName(tr("Chip"));
  chips_->hide();
  listings_ = new QComboBox(bar);
  listings_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  listings_->setAccessibleName(tr("Stage"));
  check_ = new QToolButton(bar);
  check_->setToolTip(tr("Runs the kernels thread by thread on an emulated GPU: do threads race, stay within memory, "
                        "reach every barrier, and is "
                        "the result right? No device is needed."));
  progress_ = new QProgressBar(bar);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(120);
  progress_->setMaximumHeight(8);
  progress_->setAccessibleName(tr("Progress of the check"));
  summary_ = mutedLabel();
  origin_ = mutedLabel();
  for (QWidget *widget :
       {static_cast<QWidget *>(target_), static_cast<QWidget *>(chips_), static_cast<QWidget *>(listings_)})
    row->addWidget(widget);
  row->addWidget(check_);
  row->addWidget(progress_);
  row->addWidget(summary_, 1);
  row->addWidget(origin_);
  connect(target_, &TargetBox::changed, this, [this] {
    chips_->setVisible(target_->language() == "ptx"_L1);
    emit targetChanged();
  });
  connect(chips_, &QComboBox::activated, this, &KernelPanel::targetChanged);
  connect(chips_->lineEdit(), &QLineEdit::editingFinished, this, [this] {
    if (hasCode() && chip() != code_.chip)
      emit targetChanged();
  });
  connect(check_, &QToolButton::clicked, this, [this] { isChecking_ ? emit checkUnwanted() : emit checkWanted(); });
  setChecking(false);
  connect(listings_, &QComboBox::activated, this, [this] {
    stage_ = listing() ? listing()->stage : QString();
    showListing();
  });
  return bar;
}

QString KernelPanel::chip() const { return chips_->currentText().trimmed(); }
void KernelPanel::setChip(const QString &chip) { chips_->setCurrentText(chip); }

void KernelPanel::setMessage(const QString &title, const QString &hint) {
  code_ = {};
  listings_->clear();
  listings_->setEnabled(false);
  facts_->clear();
  missing_->clear();
  missing_->hide();
  summary_->clear();
  origin_->clear();
  source_.setText({});
  text_->setSource(nullptr);
  text_->setEmptyText(title, hint);
  setChecking(isChecking_);
}

const protocol::KernelListing *KernelPanel::listing() const {
  const int index = listings_->currentIndex();
  return index >= 0 && index < code_.listings.size() ? &code_.listings[index] : nullptr;
}

bool KernelPanel::showStage(const QString &stage) {
  for (int i = 0; i < code_.listings.size(); ++i)
    if (code_.listings[i].stage == stage) {
      stage_ = stage;
      listings_->setCurrentIndex(i);
      showListing();
      return true;
    }
  return false;
}

void KernelPanel::setCode(const protocol::KernelCode &code) {
  code_ = code;
  listings_->clear();
  int chosen = -1, native = -1;
  for (int i = 0; i < code.listings.size(); ++i) {
    const protocol::KernelListing &each = code.listings[i];
    listings_->addItem(each.kernel.isEmpty() || code.kernels.size() < 2 ? each.title
                                                                        : each.title + u", "_s + each.kernel);
    listings_->setItemData(i, tr("by %1").arg(each.madeBy), Qt::ToolTipRole);
    if (chosen < 0 && each.stage == stage_)
      chosen = i;
    if (native < 0 && (each.stage == code.target || (code.target == "host"_L1 && each.stage == "asm"_L1)))
      native = i;
  }
  listings_->setEnabled(!code.listings.isEmpty());
  listings_->setCurrentIndex(chosen >= 0 ? chosen : std::max(native, 0));
  summary_->setText(code.dispatch);
  summary_->setToolTip(code.loc);
  showFacts();
  showListing();
  setChecking(isChecking_);
}

void KernelPanel::showFacts() {
  facts_->clear();
  auto shape = [](const QList<int> &sizes) {
    QStringList parts;
    for (int size : sizes)
      parts.append(QString::number(size));
    return parts.join(u'\u00d7');
  };
  for (const protocol::KernelUnit &kernel : code_.kernels) {
    auto *top =
        new QTreeWidgetItem(facts_, {tr("%1 workgroups of %2 threads").arg(shape(kernel.grid), shape(kernel.block))});
    top->setToolTip(0, kernel.entry);
    top->setFirstColumnSpanned(true);
    QTreeWidgetItem *whole = nullptr; // whose parts are indented behind it
    QString howWhole;
    for (const protocol::KernelFact &fact : kernel.facts) {
      const bool isPart = whole && fact.label.startsWith(u' ');
      const bool isTold = isPart && fact.how == howWhole;
      auto *item =
          new QTreeWidgetItem(isPart ? whole : top, {fact.label.trimmed(), fact.value, isTold ? QString() : fact.how});
      for (int i = 0; i < 3; ++i)
        item->setToolTip(i, fact.how);
      if (isPart) {
        whole->setExpanded(true);
      } else {
        whole = item;
        howWhole = fact.how;
      }
    }
    top->setExpanded(true);
  }
  const int digit = facts_->fontMetrics().averageCharWidth();
  const int widest[] = {48 * digit, 32 * digit};
  for (int i = 0; i < 2; ++i) {
    facts_->resizeColumnToContents(i);
    facts_->setColumnWidth(i, std::min(facts_->columnWidth(i), widest[i]));
  }
  missing_->setText(code_.missing.join(u'\n'));
  missing_->setVisible(!code_.missing.isEmpty());
}

void KernelPanel::setChecking(bool isChecking) {
  isChecking_ = isChecking;
  check_->setText(isChecking ? tr("Stop Checking") : tr("Check for Races"));
  check_->setAccessibleName(check_->text());
  check_->setEnabled(isChecking || (hasCode() && code_.target != "host"_L1));
  progress_->setVisible(isChecking);
  if (!isChecking)
    setCheckProgress(0, 0);
}

void KernelPanel::setCheckProgress(int done, int total) {
  progress_->setRange(0, total);
  progress_->setValue(done);
  progress_->setToolTip(total > 0 ? tr("%1 of %2 workgroups of this launch").arg(done).arg(total) : tr("Compiling"));
}

QTreeWidgetItem *KernelPanel::newCheckItem(const QString &title) {
  for (int i = facts_->topLevelItemCount(); i-- > 0;)
    if (facts_->topLevelItem(i)->data(0, checkRole).isValid())
      delete facts_->takeTopLevelItem(i);
  auto *item = new QTreeWidgetItem({title});
  item->setData(0, checkRole, true);
  facts_->insertTopLevelItem(0, item);
  item->setFirstColumnSpanned(true);
  item->setToolTip(0, title);
  facts_->scrollToItem(item);
  return item;
}

void KernelPanel::setCheckFailed(const QString &why) { newCheckItem(tr("The check was not possible: %1").arg(why)); }

void KernelPanel::setCheck(const protocol::KernelCheck &check) {
  QTreeWidgetItem *top = newCheckItem(tr("Check for races: %1").arg(check.summary));
  const auto add = [](QTreeWidgetItem *parent, const QStringList &texts, qint64 line) {
    auto *item = new QTreeWidgetItem(parent, texts);
    item->setData(0, lineRole, line);
    for (int i = 0; i < texts.size(); ++i)
      item->setToolTip(i, texts[i]);
    return item;
  };
  for (const protocol::KernelFinding &finding : check.findings) {
    const QString times = finding.count > 1 ? tr("%1 (%2 times)").arg(finding.kind).arg(finding.count) : finding.kind;
    auto *item = add(top, {times, finding.message}, finding.first.line);
    for (const protocol::KernelFindingPlace *place : {&finding.first, &finding.second})
      if (!place->op.isEmpty())
        add(item, {place->op, place->text, place->loc}, place->line);
    item->setExpanded(true);
  }
  for (const QString &note : check.notes)
    add(top, {tr("note"), note}, 0);
  top->setExpanded(true);
}

void KernelPanel::goTo(QTreeWidgetItem *item) {
  const qint64 line = item->data(0, lineRole).toLongLong();
  if (line <= 0 || !showStage(u"mapped"_s))
    return;
  text_->highlightLines(int(line) - 1, int(line) - 1);
  text_->scrollToLine(int(line) - 1);
  showOrigin(int(line) - 1);
}

void KernelPanel::showListing() {
  const protocol::KernelListing *shown = listing();
  source_.setText(shown ? shown->text.chopped(shown->text.endsWith(u'\n') ? 1 : 0) : QString());
  text_->setSource(&source_);
  mark();
  showOrigin(text_->currentLine());
}

const protocol::ListingPlace *KernelPanel::placeOf(int line) const {
  if (const protocol::KernelListing *shown = listing())
    for (const protocol::ListingPlace &place : shown->places)
      if (place.first <= line + 1 && line + 1 <= place.last)
        return &place;
  return nullptr;
}

void KernelPanel::showOrigin(int line) {
  const protocol::ListingPlace *place = placeOf(line);
  origin_->setText(place
                       ? tr("from %1:%2:%3").arg(QFileInfo(place->file).fileName()).arg(place->line).arg(place->column)
                       : QString());
  origin_->setToolTip(place ? place->file : QString());
}

void KernelPanel::markPlace(const QString &file, qint64 line) {
  markedFile_ = file;
  markedLine_ = line;
  mark();
}

/// The longest run of lines from there, and the next one beside it.
void KernelPanel::mark() {
  text_->highlightLines(-1, -1);
  const protocol::KernelListing *shown = listing();
  if (!shown || markedLine_ <= 0)
    return;
  const protocol::ListingPlace *most = nullptr, *second = nullptr;
  auto lines = [](const protocol::ListingPlace *place) { return place ? place->last - place->first : -1; };
  for (const protocol::ListingPlace &place : shown->places) {
    if (place.line != markedLine_ || place.file != markedFile_)
      continue;
    if (lines(&place) > lines(most))
      second = std::exchange(most, &place);
    else if (lines(&place) > lines(second))
      second = &place;
  }
  if (!most)
    return;
  text_->highlightLines(int(most->first) - 1, int(most->last) - 1);
  if (second)
    text_->highlightAlso(int(second->first) - 1, int(second->last) - 1);
  const protocol::ListingPlace *here = placeOf(text_->currentLine());
  const bool isThere = here && text_->hasFocus() && here->line == markedLine_ && here->file == markedFile_;
  if (!isThere) // the user went to the op from one of its lines
    text_->scrollToLine(int(most->first) - 1);
}

} // namespace fuselage
