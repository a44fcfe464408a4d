#include "views/models/KernelModel.h"
#include "core/pictures/RunGroups.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/models/OutputModel.h"
#include "views/models/RunWords.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// "16 × 8 × 1"
static QString extent(const QList<int> &sizes) {
  QStringList texts;
  for (const int size : sizes)
    texts.append(QString::number(size));
  return texts.join(u" \u00d7 "_s);
}

static qint64 product(const QList<int> &sizes) {
  qint64 result = 1;
  for (const int size : sizes)
    result *= size;
  return result;
}

/// Median of a baseline of a kind; negative: there is none.
static double baselineUs(const protocol::Kernel &kernel, const char *kind) {
  const protocol::Baseline *baseline = findBaseline(kernel, kind);
  return baseline ? baseline->us : -1;
}

/// With the number of its calls where it is in a loop: "main_dispatch_0 × 111".
static QString rowName(const protocol::Kernel &kernel, const KernelPart &part) {
  QString name =
      kernel.onHost ? KernelModel::tr("on the host: %1").arg(kernel.dispatch) : partName(kernel.dispatch, part);
  return kernel.calls > 1 ? name + u" \u00d7 "_s + QString::number(kernel.calls) : name;
}

static QString display(const protocol::Kernel &kernel, const KernelPart &part, int column) {
  switch (column) {
  case KernelModel::Dispatch:
    return rowName(kernel, part);
  case KernelModel::Device:
    return kernel.device;
  case KernelModel::Median:
    return formatMicroseconds(kernel.medianUs);
  case KernelModel::Min:
    return formatMicroseconds(kernel.minUs);
  case KernelModel::P95:
    return formatMicroseconds(kernel.p95Us);
  case KernelModel::Gflops:
    return formatRate(kernel.gflops);
  case KernelModel::Gbps:
    return kernel.gbpsAtMost && kernel.gbps > 0 ? u"\u2264 "_s + formatRate(kernel.gbps) : formatRate(kernel.gbps);
  case KernelModel::Share:
    return shareCell(kernel.limit);
  case KernelModel::Copy:
    return formatMicroseconds(baselineUs(kernel, protocol::Baseline::copyKind));
  // What runs on the host is compared with the function's results, and has no grid.
  case KernelModel::AbsError:
    return kernel.onHost ? u"\u2014"_s : comparedError(kernel, kernel.maxAbsError);
  case KernelModel::RelError:
    return kernel.onHost ? u"\u2014"_s : comparedError(kernel, kernel.maxRelError);
  case KernelModel::Grid:
    return kernel.onHost ? u"\u2014"_s : extent(kernel.grid);
  case KernelModel::Block:
    return kernel.onHost ? u"\u2014"_s : extent(kernel.block);
  case KernelModel::Shared:
    return kernel.onHost ? u"\u2014"_s : formatBytes(kernel.sharedBytes);
  default:
    return {};
  }
}

/// "3 launches, timed by the device, caches flushed between them"
static QString timing(const protocol::Kernel &kernel) {
  QStringList facts;
  if (kernel.launches > 0)
    facts.append(counted(kernel.launches, KernelModel::tr("launch"), KernelModel::tr("launches")));
  if (kernel.calls > 1)
    facts.append(KernelModel::tr("called %1 times in one pass, timed the first time").arg(kernel.calls));
  if (!kernel.clock.isEmpty())
    facts.append(kernel.clock == "device"_L1 ? KernelModel::tr("timed by the device")
                                             : KernelModel::tr("timed by the host's clock"));
  if (kernel.cold == "flushed"_L1)
    facts.append(KernelModel::tr("caches flushed before each"));
  else if (kernel.cold == "rotated"_L1)
    facts.append(KernelModel::tr("each on another copy of its buffers"));
  else if (kernel.cold == "warm"_L1)
    facts.append(KernelModel::tr("caches warm"));
  return facts.join(u", "_s);
}

static QString toolTip(const protocol::Kernel &kernel, const KernelPart &part) {
  QStringList lines;
  if (kernel.onHost)
    lines.append(KernelModel::tr("%1 ran on the host, between dispatches").arg(kernel.dispatch));
  else
    lines.append(KernelModel::tr("%1: %2").arg(partName(kernel.dispatch, part), verdictText(kernel)));
  if (part.of > 1)
    lines.append(KernelModel::tr("rates, share of peak and baselines are for its %1 kernels together").arg(part.of));
  if (const QString how = timing(kernel); !how.isEmpty())
    lines.append(how);
  if (const QString bars = histogram(kernel.samples); !bars.isEmpty())
    lines.append(KernelModel::tr("%1 \u2026 %2: %3")
                     .arg(formatMicroseconds(kernel.minUs), formatMicroseconds(slowest(kernel.samples)), bars));
  if (const QString share = shareSentence(kernel.limit); !share.isEmpty())
    lines.append(share);
  for (const protocol::Baseline &baseline : kernel.baselines)
    lines.append(KernelModel::tr("%1, %2: %3").arg(baseline.name, baseline.what, formatMicroseconds(baseline.us)));
  return lines.join(u'\n');
}

/// "layer 1 to 12"; `most` places, and how many more.
static QString whereText(const protocol::RunReport &report, const protocol::KernelGroup &group, size_t most) {
  const auto textOf = [](const QString &text) { return text.toStdString(); };
  return QString::fromStdString(message::placesOf(report, group, most, textOf));
}

/// "\nin 12 places: layer 1 to 12"; empty for one.
static QString placesLine(const protocol::RunReport &report, const protocol::KernelGroup &group) {
  constexpr size_t most = 20;
  return group.kernels.size() < 2
             ? QString()
             : KernelModel::tr("\nin %1 places: %2").arg(group.kernels.size()).arg(whereText(report, group, most));
}

static QVariant sortKey(const protocol::Kernel &kernel, int column) {
  switch (column) {
  case KernelModel::Median:
    return kernel.medianUs;
  case KernelModel::Min:
    return kernel.minUs;
  case KernelModel::P95:
    return kernel.p95Us;
  case KernelModel::Gflops:
    return kernel.gflops;
  case KernelModel::Gbps:
    return kernel.gbps;
  case KernelModel::Share:
    return kernel.limit.isKnown() ? kernel.limit.share : -1;
  case KernelModel::Copy:
    return baselineUs(kernel, protocol::Baseline::copyKind);
  case KernelModel::AbsError:
    return kernel.maxAbsError;
  case KernelModel::RelError:
    return kernel.maxRelError;
  case KernelModel::Grid:
    return product(kernel.grid);
  case KernelModel::Block:
    return product(kernel.block);
  case KernelModel::Shared:
    return kernel.sharedBytes;
  case KernelModel::Device:
    return kernel.device;
  default:
    return kernel.dispatch;
  }
}

void KernelModel::setReport(const protocol::RunReport &report) {
  beginResetModel();
  report_ = report;
  report_.outputs.clear(); // results may be large
  now_ = timesOf(report.kernels);
  stale_ = false;
  makeRows();
  endResetModel();
}

void KernelModel::extendReport(const protocol::RunReport &report) {
  const int before = rowCount(), now = int(report.kernels.size());
  if (before == 0 || hasGroups_ || stale_ || !report.groups.isEmpty() || now < before)
    return setReport(report);
  const auto take = [&] {
    report_ = report;
    now_ = timesOf(report.kernels);
    makeRows();
  };
  if (now > before) {
    beginInsertRows({}, before, now - 1);
    take();
    endInsertRows();
  } else {
    take();
  }
  emit dataChanged(index(0, 0), index(before - 1, ColumnCount - 1)); // they may have been compared since
}

void KernelModel::setKernels(const QList<protocol::Kernel> &kernels) {
  protocol::RunReport report;
  report.kernels = kernels;
  setReport(report);
}

void KernelModel::setGrouped(bool grouped) {
  beginResetModel();
  grouped_ = grouped;
  makeRows();
  endResetModel();
}

void KernelModel::makeRows() {
  const std::vector<protocol::KernelGroup> all = message::groupsOf(report_);
  hasGroups_ = std::any_of(all.begin(), all.end(), [](const auto &group) { return group.kernels.size() > 1; });
  const std::vector<protocol::KernelGroup> shown = grouped_ && hasGroups_ ? all : message::groupsOfOne(report_);
  groups_ = QList(shown.begin(), shown.end());
  kernels_.clear();
  where_.clear();
  constexpr size_t mostPlaces = 3;
  rows_ = QList<int>(report_.kernels.size(), -1);
  for (int row = 0; row < groups_.size(); ++row) {
    kernels_.append(message::rowOf(report_, groups_[row]));
    where_.append(whereText(report_, groups_[row], mostPlaces));
    for (const qint64 kernel : std::as_const(groups_[row].kernels))
      rows_[kernel] = row;
  }
  parts_ = partsOf(kernels_);
}

/// Two pieces of host code are told apart by what they do.
static QString placeOf(const protocol::Kernel &kernel) {
  return kernel.onHost          ? u"host "_s + kernel.loc + kernel.dispatch
         : kernel.loc.isEmpty() ? kernel.dispatch
                                : kernel.loc;
}

QHash<QString, KernelModel::Times> KernelModel::timesOf(const QList<protocol::Kernel> &kernels) {
  QHash<QString, Times> times;
  for (qsizetype i = 0; i < kernels.size(); ++i) {
    Times &one = times[placeOf(kernels[i])];
    one.median += std::max(0.0, kernels[i].medianUs);
    one.min += std::max(0.0, kernels[i].minUs);
    one.p95 += std::max(0.0, kernels[i].p95Us);
    if (one.first < 0)
      one.first = int(i);
  }
  return times;
}

void KernelModel::setBefore(const QList<protocol::Kernel> &kernels) {
  beginResetModel();
  before_ = timesOf(kernels);
  endResetModel();
}

const KernelModel::Times *KernelModel::timesBefore(int kernel) const {
  const QString place = placeOf(report_.kernels[kernel]);
  const auto found = before_.find(place);
  return found == before_.end() || now_[place].first != kernel ? nullptr : &*found;
}

KernelModel::Pair KernelModel::timesOf(int row) const {
  Pair pair;
  for (const qint64 kernel : groups_[row].kernels)
    if (const Times *times = timesBefore(int(kernel))) {
      pair.then += times->median;
      pair.now += now_[placeOf(report_.kernels[kernel])].median;
      ++pair.count;
    }
  return pair;
}

double KernelModel::before(int row) const {
  const Pair pair = timesOf(row);
  return pair.count > 0 ? pair.then / pair.count : -1;
}

double KernelModel::ratio(int row) const {
  const Pair pair = timesOf(row);
  return pair.then > 0 ? pair.now / pair.then : -1;
}

double KernelModel::librarySpeed(int row) const {
  double libraryUs = 0, us = 0;
  for (const qint64 kernel : groups_[row].kernels) {
    const protocol::Baseline *library = findBaseline(report_.kernels[kernel], protocol::Baseline::libraryKind);
    if (!library)
      return -1;
    libraryUs += library->us;
    us += now_.value(placeOf(report_.kernels[kernel])).median;
  }
  return us > 0 ? libraryUs / us : -1;
}

bool KernelModel::differs(int row) const {
  Times then, now;
  for (const qint64 kernel : groups_[row].kernels)
    if (const Times *times = timesBefore(int(kernel))) {
      const Times own = now_.value(placeOf(report_.kernels[kernel]));
      then.min += times->min;
      then.p95 += times->p95;
      now.min += own.min;
      now.p95 += own.p95;
      then.first = int(kernel);
    }
  return then.first >= 0 && (now.min > then.p95 || now.p95 < then.min);
}

int KernelModel::goneCount() const {
  int gone = 0;
  for (auto it = before_.begin(); it != before_.end(); ++it)
    gone += !now_.contains(it.key());
  return gone;
}

void KernelModel::setStale(bool stale) {
  if (stale == stale_)
    return;
  stale_ = stale;
  if (!kernels_.isEmpty())
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int KernelModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(kernels_.size()); }

KernelModel::KernelModel(QObject *parent)
    : TableModel(
          {{tr("Dispatch")},
           {tr("Places"), true, tr("How many identical ones there are, such as in equal layers")},
           {tr("Total"), true, tr("The medians of all of them, each times its calls in one pass")},
           {tr("Where"), false, tr("Layers, as the graph names them, or dispatches")},
           {tr("Device")},
           {tr("Median"), true, tr("Of several that are equal, the mean of their medians")},
           {tr("Before"), true, tr("Median of the same dispatch in the run before")},
           {tr("Ratio"), true,
            tr("Time relative to the run before; ~ where the two ranges overlap, from minimum to 95th percentile")},
           {tr("Of its peak"), true,
            tr("Time at the measured peak of the device that limits the dispatch, as a share of its measured time")},
           {tr("Min"), true},
           {tr("p95"), true},
           {tr("GFLOP/s"), true},
           {tr("GB/s"), true},
           {tr("Bytes"), true, tr("What the dispatch reads from memory and writes there, at least")},
           {tr("Total bytes"), true, tr("Of all of them, each times its calls in one pass")},
           {tr("Copy"), true, tr("A copy of as many bytes as the dispatch moves at least, in this run")},
           {tr("Library"), true, tr("Speed beside a library's matmul or convolution alone, in this run; 1 is as fast")},
           {tr("Max abs error"), true},
           {tr("Max rel error"), true},
           {tr("Grid"), true},
           {tr("Block"), true},
           {tr("Workgroup memory"), true}},
          parent) {}

/// What rows say of all that they stand for; invalid: the first of them says it.
QVariant KernelModel::groupData(int row, int column, int role) const {
  const protocol::KernelGroup &group = groups_[row];
  const qsizetype count = group.kernels.size();
  const bool isShown = role == Qt::DisplayRole;
  if (!isShown && role != SortRole)
    return {};
  switch (column) {
  case Places:
    return isShown ? QVariant(count > 1 ? u"\u00d7%1"_s.arg(groupedNumber(count)) : QString()) : QVariant(count);
  case Total:
    return isShown ? QVariant(formatMicroseconds(group.sumUs)) : QVariant(group.sumUs);
  case Bytes: {
    const auto bytes = qint64(kernels_[row].bytes);
    return isShown ? QVariant(bytes < 0 ? u"\u2014"_s : formatBytes(bytes)) : QVariant(bytes);
  }
  case TotalBytes:
    return isShown ? QVariant(group.bytes < 0 ? u"\u2014"_s : formatBytes(group.bytes)) : QVariant(group.bytes);
  case Where:
    return where_[row];
  default:
    return {};
  }
}

QVariant KernelModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const protocol::Kernel &kernel = kernels_[index.row()];
  if (const QVariant data = groupData(index.row(), index.column(), role); data.isValid())
    return data;
  if (index.column() == Before || index.column() == Ratio) {
    const double value = index.column() == Before ? before(index.row()) : ratio(index.row());
    if (role == SortRole)
      return value;
    if (role == Qt::DisplayRole) {
      if (value < 0)
        return hasBefore() ? u"\u2014"_s : QString();
      if (index.column() == Before)
        return formatMicroseconds(value);
      return (differs(index.row()) ? QString() : u"~ "_s) + u"\u00d7 "_s + QString::number(value, 'f', 2);
    }
  }
  if (index.column() == Library && (role == SortRole || role == Qt::DisplayRole)) {
    const double speed = librarySpeed(index.row());
    return role == SortRole ? QVariant(speed) : speed < 0 ? u"\u2014"_s : QString::number(speed, 'f', 2);
  }
  switch (role) {
  case Qt::DisplayRole:
    return display(kernel, parts_[index.row()], index.column());
  case Qt::ToolTipRole:
    return toolTip(kernel, parts_[index.row()]) + placesLine(report_, groups_[index.row()]);
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case SortRole:
    return sortKey(kernel, index.column());
  case OkRole:
    return kernel.onHost || kernel.ok();
  case VerdictRole:
    return kernel.onHost ? -1 : int(kernel.verdict);
  case StaleRole:
    return stale_;
  case DispatchIndexRole:
    return kernel.dispatchIndex;
  default:
    return {};
  }
}

} // namespace fuselage
