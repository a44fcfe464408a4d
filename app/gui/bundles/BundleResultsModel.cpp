#include "app/gui/bundles/BundleResultsModel.h"
#include "views/models/Format.h"
#include "views/models/OutputModel.h"
#include "views/models/RunWords.h"
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fuselage {

using Figure = BundleResultsModel::Figure;

/// A library that does the same work, else a copy of as many bytes; null: nothing was measured beside.
static const protocol::Baseline *baselineOf(const protocol::Kernel &kernel) {
  const protocol::Baseline *library = findBaseline(kernel, protocol::Baseline::libraryKind);
  return library ? library : findBaseline(kernel, protocol::Baseline::copyKind);
}

static QString checkText(protocol::RunVerdict verdict) {
  switch (verdict) {
  case protocol::RunVerdict::Ok:
    return BundleResultsModel::tr("agrees");
  case protocol::RunVerdict::Unchecked:
    return BundleResultsModel::tr("not verified");
  case protocol::RunVerdict::NothingToRun:
    return BundleResultsModel::tr("did not run");
  case protocol::RunVerdict::NotComparable:
    return BundleResultsModel::tr("not comparable");
  case protocol::RunVerdict::Wrong:
    return BundleResultsModel::tr("differs");
  }
  return {};
}

/// What a column of a file is called, and what its tooltip says; a row for each Figure, in their order.
static constexpr struct {
  const char *title, *explanation;
} kFigures[] = {
    {QT_TRANSLATE_NOOP("BundleResultsModel", "Median"),
     QT_TRANSLATE_NOOP("BundleResultsModel",
                       "Median of the launches; of a dispatch with several kernels, the sum of their medians")},
    {QT_TRANSLATE_NOOP("BundleResultsModel", "Ratio"),
     QT_TRANSLATE_NOOP("BundleResultsModel", "The median divided by the median in the first file")},
    {QT_TRANSLATE_NOOP("BundleResultsModel", "Min"),
     QT_TRANSLATE_NOOP("BundleResultsModel",
                       "The fastest launch; of several kernels, the sum, which is a lower bound")},
    {QT_TRANSLATE_NOOP("BundleResultsModel", "Baseline"),
     QT_TRANSLATE_NOOP("BundleResultsModel", "A library that does the same work, or a copy of as many bytes")},
    {QT_TRANSLATE_NOOP("BundleResultsModel", "Check"),
     QT_TRANSLATE_NOOP("BundleResultsModel", "The comparison with the expected results")},
    {QT_TRANSLATE_NOOP("BundleResultsModel", "Max error"),
     QT_TRANSLATE_NOOP("BundleResultsModel", "The largest absolute error of an element")},
};
static_assert(std::size(kFigures) == size_t(Figure::Error) + 1);

static QString titleOf(Figure figure) { return BundleResultsModel::tr(kFigures[size_t(figure)].title); }
static QString explanationOf(Figure figure) { return BundleResultsModel::tr(kFigures[size_t(figure)].explanation); }

BundleResultsModel::BundleResultsModel(QObject *parent) : QAbstractTableModel(parent) {}

void BundleResultsModel::setFiles(const QList<ResultsFile> &files) {
  beginResetModel();
  files_ = files;
  rows_.clear();
  rowByOp_.clear();
  for (int file = 0; file < files_.size(); ++file)
    addRows(file);
  addColumns();
  // Ops that dispatches share, such as what both have a copy of, are of the one whose root they are, else of the first.
  for (int row = int(rows_.size()) - 1; row >= 0; --row)
    for (const qint64 op : opsOf(row))
      rowByOp_.insert(op, row);
  for (int row = 0; row < rows_.size(); ++row)
    if (const QList<qint64> ops = opsOf(row); !ops.isEmpty())
      rowByOp_.insert(ops.first(), row);
  endResetModel();
}

/// Dispatches are the same in several files if they have the same name.
void BundleResultsModel::addRows(int file) {
  const ResultsFile &from = files_[file];
  for (Row &row : rows_)
    row.cells.append(Cell());
  if (!from.problem.isEmpty())
    return;
  QHash<QString, int> known;
  const auto key = [](const QString &dispatch, bool isOnHost) { return (isOnHost ? u"host "_s : u"@"_s) + dispatch; };
  for (int row = 0; row < rows_.size(); ++row)
    known.insert(key(rows_[row].dispatch, rows_[row].isOnHost), row);
  const QList<protocol::Kernel> &kernels = from.content.results.kernels;
  for (int i = 0; i < kernels.size(); ++i) {
    const protocol::Kernel &kernel = kernels[i];
    const QString name = key(kernel.dispatch, kernel.onHost);
    const int row = known.value(name, int(rows_.size()));
    known.insert(name, row);
    if (row == rows_.size())
      rows_.append({.dispatch = kernel.dispatch, .isOnHost = kernel.onHost, .cells = QList<Cell>(file + 1)});
    Cell &cell = rows_[row].cells[file];
    if (cell.kernels++ == 0)
      cell.first = i;
    cell.medianUs = cell.medianUs < 0 || kernel.medianUs < 0 ? -1 : cell.medianUs + kernel.medianUs;
    cell.minUs = cell.minUs < 0 || kernel.minUs < 0 ? -1 : cell.minUs + kernel.minUs;
  }
}

/// A figure that no row of a file has, has no column.
void BundleResultsModel::addColumns() {
  columns_.clear();
  const auto has = [this](Figure figure, int file) {
    const auto hasBaseline = [this, file](const Row &row) {
      return row.cells[file].kernels > 0 && baselineOf(kernelOf(file, row.cells[file]));
    };
    return figure == Figure::Ratio      ? file > 0
           : figure == Figure::Baseline ? std::any_of(rows_.begin(), rows_.end(), hasBaseline)
                                        : true;
  };
  for (const Figure figure :
       {Figure::Median, Figure::Ratio, Figure::Min, Figure::Baseline, Figure::Check, Figure::Error})
    for (int file = 0; file < files_.size(); ++file)
      if (has(figure, file))
        columns_.append({file, figure});
}

QString BundleResultsModel::nameOf(int file) const {
  const auto deviceOf = [this](int of) {
    const auto &results = files_[of].content.results;
    const QString name = results.bundle ? results.bundle->deviceName : QString();
    return name.isEmpty() ? results.device : name;
  };
  const QString device = deviceOf(file);
  bool isOne = true;
  for (int other = 0; other < files_.size(); ++other)
    isOne &= other == file || deviceOf(other) != device;
  return isOne ? device : tr("%1 (%2)").arg(device, QFileInfo(files_[file].path).completeBaseName());
}

const protocol::ResultPlace *BundleResultsModel::placeOf(const Row &row) const {
  for (int file = 0; file < files_.size(); ++file)
    if (const Cell &cell = row.cells[file]; cell.kernels > 0 && !row.isOnHost)
      if (const protocol::ResultPlace &place = files_[file].content.places[cell.first]; place.whyNot.isEmpty())
        return &place;
  return nullptr;
}

QString BundleResultsModel::whyNot(const Row &row) const {
  for (int file = 0; file < files_.size(); ++file)
    if (const Cell &cell = row.cells[file]; cell.kernels > 0)
      if (const QString &why = files_[file].content.places[cell.first].whyNot; !why.isEmpty())
        return why;
  return {};
}

QList<qint64> BundleResultsModel::opsOf(int row) const {
  const protocol::ResultPlace *place = placeOf(rows_[row]);
  return place ? place->ops : QList<qint64>();
}

int BundleResultsModel::rowOf(qint64 op) const { return rowByOp_.value(op, -1); }

protocol::RunReport BundleResultsModel::placedReport(int file) const {
  protocol::RunReport report = files_[file].content.results;
  report.kernels.clear();
  if (!files_[file].problem.isEmpty())
    return report;
  const QList<protocol::Kernel> &kernels = files_[file].content.results.kernels;
  for (int i = 0; i < kernels.size(); ++i) {
    const protocol::ResultPlace &place = files_[file].content.places[i];
    if (kernels[i].onHost || !place.whyNot.isEmpty())
      continue;
    protocol::Kernel kernel = kernels[i];
    kernel.loc = place.loc;
    kernel.dispatchIndex = place.dispatch;
    report.kernels.append(kernel);
  }
  return report;
}

BundleResultsModel::Totals BundleResultsModel::totalsOf(int file) const {
  Totals totals;
  for (const Row &row : rows_) {
    const Cell &cell = row.cells[file];
    if (cell.kernels == 0)
      continue;
    const protocol::Kernel &kernel = kernelOf(file, cell);
    if (cell.medianUs < 0)
      totals.isLowerBound = true;
    else
      (kernel.once ? totals.onceUs : totals.medianUs) += cell.medianUs * double(kernel.calls);
    if (row.isOnHost)
      continue;
    ++totals.dispatches;
    totals.placed += files_[file].content.places[cell.first].whyNot.isEmpty();
    totals.agree += kernel.ok();
  }
  return totals;
}

QString BundleResultsModel::whyNotPlaced(int file) const {
  for (const protocol::ResultPlace &place : files_[file].content.places)
    if (!place.whyNot.isEmpty())
      return place.whyNot;
  return {};
}

int BundleResultsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(rows_.size()); }

int BundleResultsModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : FirstOfFile + int(columns_.size());
}

/// Names and reasons are somebody else's: they are shown as they are, and never as rich text.
static QString plainToolTip(const QString &text) {
  return text.isEmpty() ? text : u"<p>%1</p>"_s.arg(text.toHtmlEscaped().replace(u'\n', u"<br>"_s));
}

static bool isNumber(Figure figure) { return figure != Figure::Check; }

QVariant BundleResultsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
    return {};
  if (section < FirstOfFile) {
    if (role == Qt::DisplayRole)
      return section == Dispatch ? tr("Dispatch") : tr("Place");
    return role == Qt::TextAlignmentRole ? QVariant(int(Qt::AlignLeft | Qt::AlignVCenter)) : QVariant();
  }
  const auto [file, figure] = columns_[section - FirstOfFile];
  switch (role) {
  case Qt::DisplayRole:
    return files_.size() == 1 ? titleOf(figure) : titleOf(figure) + u' ' + QString::number(file + 1);
  case Qt::ToolTipRole:
    return plainToolTip(tr("%1: %2").arg(nameOf(file), explanationOf(figure)));
  case Qt::TextAlignmentRole:
    return int((isNumber(figure) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  default:
    return {};
  }
}

double BundleResultsModel::ratioOf(const Row &row, int file) const {
  const Cell &first = row.cells[0], &cell = row.cells[file];
  return first.kernels > 0 && cell.kernels > 0 && first.medianUs > 0 && cell.medianUs >= 0
             ? cell.medianUs / first.medianUs
             : -1;
}

/// Empty where it is unknown.
static QString timeText(double us) { return us < 0 ? QString() : formatMicroseconds(us); }

QString BundleResultsModel::display(const Row &row, const FileColumn &column) const {
  const Cell &cell = cellOf(row, column);
  if (cell.kernels == 0)
    return {};
  const protocol::Kernel &kernel = kernelOf(column.file, cell);
  switch (column.figure) {
  case Figure::Median:
    return timeText(cell.medianUs);
  case Figure::Ratio: {
    const double ratio = ratioOf(row, column.file);
    return ratio < 0 ? QString() : QString::number(ratio, 'g', 3) + u'\u00d7';
  }
  case Figure::Min:
    return cell.kernels > 1 && cell.minUs >= 0 ? u"\u2265 "_s + timeText(cell.minUs) : timeText(cell.minUs);
  case Figure::Baseline: {
    const protocol::Baseline *baseline = baselineOf(kernel);
    return baseline ? timeText(baseline->us) : QString();
  }
  case Figure::Check:
    return row.isOnHost ? QString() : checkText(kernel.verdict);
  case Figure::Error:
    return row.isOnHost || std::isnan(kernel.maxAbsError) ? QString() : comparedError(kernel, kernel.maxAbsError);
  }
  return {};
}

QString BundleResultsModel::toolTip(const Row &row, const FileColumn &column) const {
  const Cell &cell = cellOf(row, column);
  if (cell.kernels == 0)
    return tr("%1 is not in %2").arg(row.dispatch, QFileInfo(files_[column.file].path).fileName());
  const protocol::Kernel &kernel = kernelOf(column.file, cell);
  QStringList lines{nameOf(column.file)};
  switch (column.figure) {
  case Figure::Median:
  case Figure::Ratio:
  case Figure::Min:
    if (cell.kernels > 1)
      lines.append(tr("%1 kernels together").arg(cell.kernels));
    if (kernel.calls > 1)
      lines.append(tr("called %1 times in one pass").arg(kernel.calls));
    if (kernel.launches > 0)
      lines.append(tr("%1 launches, timed by the %2").arg(kernel.launches).arg(kernel.clock));
    if (const QString bars = cell.kernels == 1 ? histogram(kernel.samples) : QString(); !bars.isEmpty())
      lines.append(bars);
    break;
  case Figure::Baseline:
    if (const protocol::Baseline *baseline = baselineOf(kernel))
      lines.append(tr("%1, %2").arg(baseline->name, baseline->what));
    break;
  case Figure::Check:
  case Figure::Error:
    if (!row.isOnHost) {
      lines.append(kernel.why.isEmpty() ? checkText(kernel.verdict) : kernel.why);
      lines.append(tr("largest error %1, relative to the element %2")
                       .arg(formatError(kernel.maxAbsError), formatError(kernel.maxRelError)));
    }
    break;
  }
  return lines.join(u'\n');
}

QVariant BundleResultsModel::sortKey(const Row &row, const FileColumn &column) const {
  const Cell &cell = cellOf(row, column);
  if (cell.kernels == 0)
    return -1.0;
  const protocol::Kernel &kernel = kernelOf(column.file, cell);
  switch (column.figure) {
  case Figure::Median:
    return cell.medianUs;
  case Figure::Ratio:
    return ratioOf(row, column.file);
  case Figure::Min:
    return cell.minUs;
  case Figure::Baseline: {
    const protocol::Baseline *baseline = baselineOf(kernel);
    return baseline ? baseline->us : -1.0;
  }
  case Figure::Check:
    return int(kernel.verdict);
  case Figure::Error:
    return std::isnan(kernel.maxAbsError) ? -1.0 : kernel.maxAbsError;
  }
  return {};
}

QVariant BundleResultsModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  const Row &row = rows_[index.row()];
  const protocol::ResultPlace *place = placeOf(row);
  if (role == PlacedRole)
    return place != nullptr;
  if (index.column() < FirstOfFile) {
    const bool isName = index.column() == Dispatch;
    switch (role) {
    case Qt::DisplayRole:
    case SortRole:
      if (isName)
        return row.dispatch;
      return row.isOnHost ? tr("on the host") : place ? withoutDirectories(place->loc) : tr("not placed");
    case Qt::ToolTipRole:
      return plainToolTip(place ? place->loc : row.isOnHost ? tr("Ran on the host, between dispatches") : whyNot(row));
    case Qt::TextAlignmentRole:
      return int(Qt::AlignLeft | Qt::AlignVCenter);
    case VerdictRole:
      return -1;
    default:
      return {};
    }
  }
  const FileColumn &column = columns_[index.column() - FirstOfFile];
  switch (role) {
  case Qt::DisplayRole:
    return display(row, column);
  case Qt::ToolTipRole:
    return plainToolTip(toolTip(row, column));
  case Qt::TextAlignmentRole:
    return int((isNumber(column.figure) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  case SortRole:
    return sortKey(row, column);
  case VerdictRole:
    return cellOf(row, column).kernels == 0 || row.isOnHost ? -1
                                                            : int(kernelOf(column.file, cellOf(row, column)).verdict);
  default:
    return {};
  }
}

} // namespace fuselage
