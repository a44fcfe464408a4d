#include "views/dialogs/PluginsPage.h"
#include "views/common/Theme.h"
#include "views/widgets/EmptyHint.h"
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

enum Column { NameColumn, StateColumn, FileColumn };

PluginsPage::PluginsPage(QWidget *parent)
    : QWidget(parent), list_(new QTreeWidget(this)), details_(new QLabel(this)),
      add_(new QPushButton(tr("A&dd Plugin\u2026"), this)), remove_(new QPushButton(tr("Re&move"), this)) {
  auto *about =
      new QLabel(tr("Plugins of MLIR add passes and dialects. They are code that runs in the engine's process "
                    "with your rights: add only files that you trust. A change restarts the engine."),
                 this);
  about->setWordWrap(true);
  list_->setAccessibleName(tr("Plugins"));
  list_->setHeaderLabels({tr("Plugin"), tr("State"), tr("File")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->header()->setSectionResizeMode(NameColumn, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(StateColumn, QHeaderView::ResizeToContents);
  new EmptyHint(list_, tr("No plugins"), tr("Add a shared object that mlir-opt loads with --load-pass-plugin."));
  details_->setWordWrap(true);
  details_->setTextFormat(Qt::PlainText);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  details_->setAccessibleName(tr("About the selected plugin"));
  auto *scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(details_);
  add_->setAutoDefault(false);
  remove_->setAutoDefault(false);
  auto *buttons = new QHBoxLayout;
  buttons->addWidget(add_);
  buttons->addWidget(remove_);
  buttons->addStretch(1);
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(about);
  layout->addWidget(list_, 3);
  layout->addWidget(scroll, 2);
  layout->addLayout(buttons);
  connect(add_, &QPushButton::clicked, this, &PluginsPage::addRequested);
  connect(remove_, &QPushButton::clicked, this, [this] {
    if (const int row = list_->indexOfTopLevelItem(list_->currentItem()); row >= 0)
      emit removeRequested(rows_[row].file);
  });
  connect(list_, &QTreeWidget::currentItemChanged, this, &PluginsPage::showDetails);
  connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem *item) {
    if (const int row = list_->indexOfTopLevelItem(item); row >= 0)
      emit enabledChanged(rows_[row].file, item->checkState(NameColumn) == Qt::Checked);
  });
  showDetails();
}

static QString stateOf(const PluginRow &row) {
  if (!row.isEnabled)
    return PluginsPage::tr("off");
  if (!row.problem.isEmpty())
    return PluginsPage::tr("refused");
  return row.isLoaded ? PluginsPage::tr("loaded") : PluginsPage::tr("not loaded yet");
}

static QString nameOf(const PluginRow &row) {
  return row.name.isEmpty() ? QFileInfo(row.file).fileName() : row.name + u' ' + row.version;
}

void PluginsPage::setRows(const QList<PluginRow> &rows) {
  const QSignalBlocker blocker(list_);
  const QString selected = list_->currentItem() ? list_->currentItem()->text(FileColumn) : QString();
  rows_ = rows;
  list_->clear();
  for (const PluginRow &row : rows) {
    auto *item = new QTreeWidgetItem({nameOf(row).trimmed(), stateOf(row), row.file});
    item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren);
    if (!row.isFixed) {
      item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
      item->setCheckState(NameColumn, row.isEnabled ? Qt::Checked : Qt::Unchecked);
    }
    if (row.isEnabled && !row.problem.isEmpty())
      item->setForeground(StateColumn, Theme::of(palette()).error);
    item->setToolTip(FileColumn, row.file);
    list_->addTopLevelItem(item);
    if (row.file == selected)
      list_->setCurrentItem(item);
  }
  if (!list_->currentItem() && !rows.isEmpty())
    list_->setCurrentItem(list_->topLevelItem(0));
  showDetails();
}

QString PluginsPage::details() const { return details_->text(); }

static QString listOf(const QString &what, const QStringList &names) {
  return names.isEmpty() ? QString() : u"\n%1: %2"_s.arg(what, names.join(u", "_s));
}

void PluginsPage::showDetails() {
  const int row = list_->indexOfTopLevelItem(list_->currentItem());
  remove_->setEnabled(row >= 0 && !rows_[row].isFixed);
  if (row < 0) {
    details_->setText({});
    return;
  }
  const PluginRow &plugin = rows_[row];
  QString text = plugin.problem.isEmpty() ? plugin.file : plugin.problem; // which names the file
  text += listOf(tr("Passes"), plugin.passes) + listOf(tr("Dialects"), plugin.dialects);
  if (plugin.isLoaded && plugin.passes.isEmpty() && plugin.dialects.isEmpty())
    text += u"\n"_s + tr("It has registered neither passes nor dialects.");
  if (plugin.isFixed)
    text += u"\n"_s + tr("The command line of this start loads it.");
  details_->setText(text);
}

} // namespace fuselage
