#include "views/panels/RunResults.h"
#include "views/charts/HeatMap.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Tables.h"
#include "views/widgets/VerdictDelegate.h"
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

RunResults::RunResults(QWidget *parent) : QWidget(parent) {
  table_ = makeTable(&model_, tr("Results"));
  table_->setSortingEnabled(false);
  table_->setItemDelegate(new VerdictDelegate(OutputModel::VerdictRole, OutputModel::StaleRole, table_));
  fitColumns(table_, {0, 0, 0, 0, 0, 0, 0, 0});
  new EmptyHint(table_, tr("No results yet"),
                tr("Run shows what came out, and where it is furthest from what was expected."));
  details_ = new QLabel;
  details_->setWordWrap(true);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  details_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  details_->setMargin(6);
  details_->setAccessibleName(tr("The selected result"));
  auto *scroll = new QScrollArea;
  scroll->setWidget(details_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setAccessibleName(tr("Details of the selected result"));
  heat_ = new HeatMap;
  shows_ = new QComboBox;
  shows_->addItem(tr("Values"), int(HeatMap::Shows::Values));
  shows_->addItem(tr("Errors"), int(HeatMap::Shows::Errors));
  shows_->setAccessibleName(tr("What the picture shows"));

  auto *left = new QSplitter(Qt::Vertical);
  left->setChildrenCollapsible(false);
  left->addWidget(table_);
  left->addWidget(scroll);
  left->setStretchFactor(0, 1);
  left->setStretchFactor(1, 2);
  left->setSizes({100, 200});
  auto *picture = new QWidget;
  auto *column = new QVBoxLayout(picture);
  column->setContentsMargins(4, 2, 4, 2);
  column->setSpacing(0);
  column->addWidget(shows_, 0, Qt::AlignLeft);
  column->addWidget(heat_, 1);
  auto *splitter = new QSplitter(Qt::Horizontal);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(left);
  splitter->addWidget(picture);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);

  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex &current) { show(current.row()); });
  connect(shows_, &QComboBox::currentIndexChanged, this,
          [this] { heat_->setShows(HeatMap::Shows(shows_->currentData().toInt())); });
  show(-1);
}

void RunResults::setOutputs(const QList<protocol::Output> &outputs) {
  model_.setOutputs(outputs);
  // The first that is not as it should be, else the first.
  int row = outputs.isEmpty() ? -1 : 0;
  for (int i = int(outputs.size()) - 1; i >= 0; --i)
    if (!outputs[i].ok())
      row = i;
  table_->setCurrentIndex(model_.index(row, 0));
  show(row);
}

void RunResults::setStale(bool stale) {
  model_.setStale(stale);
  heat_->setEnabled(!stale);
  details_->setEnabled(!stale);
}

QString RunResults::details() const { return details_->text(); }

void RunResults::show(int row) {
  shows_->setEnabled(false);
  if (row < 0 || row >= model_.rowCount()) {
    details_->clear();
    heat_->clear();
    return;
  }
  const protocol::Output &output = model_.outputs()[row];
  QStringList lines{verdictText(output)};
  if (output.worst)
    lines.append(tr("Worst element: %1").arg(worstText(*output.worst)));
  if (const QString values = valuesText(output); !values.isEmpty())
    lines.append(tr("Values: %1").arg(values));
  details_->setText(lines.join(u'\n'));
  heat_->setOutput(output);
  shows_->setEnabled(output.heat.has_value());
}

} // namespace fuselage
