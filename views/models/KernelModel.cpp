#include "views/models/KernelModel.h"
#include "views/models/Format.h"

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

static QString display(const protocol::Kernel &kernel, int column) {
  switch (column) {
  case KernelModel::Dispatch:
    return kernel.dispatch;
  case KernelModel::Median:
    return formatMicroseconds(kernel.medianUs);
  case KernelModel::Min:
    return formatMicroseconds(kernel.minUs);
  case KernelModel::P95:
    return formatMicroseconds(kernel.p95Us);
  case KernelModel::Gflops:
    return formatRate(kernel.gflops);
  case KernelModel::Gbps:
    return formatRate(kernel.gbps);
  case KernelModel::AbsError:
    return formatError(kernel.maxAbsError);
  case KernelModel::RelError:
    return formatError(kernel.maxRelError);
  case KernelModel::Grid:
    return extent(kernel.grid);
  case KernelModel::Block:
    return extent(kernel.block);
  case KernelModel::Shared:
    return formatBytes(kernel.sharedBytes);
  default:
    return {};
  }
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
  default:
    return kernel.dispatch;
  }
}

void KernelModel::setKernels(const QList<protocol::Kernel> &kernels) {
  beginResetModel();
  kernels_ = kernels;
  endResetModel();
}

int KernelModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(kernels_.size()); }

int KernelModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant KernelModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const protocol::Kernel &kernel = kernels_[index.row()];
  switch (role) {
  case Qt::DisplayRole:
    return display(kernel, index.column());
  case Qt::ToolTipRole:
    return kernel.ok ? tr("%1 agrees with the host").arg(kernel.dispatch)
                     : tr("%1 differs from the host: max abs error %2, relative %3")
                           .arg(kernel.dispatch, formatError(kernel.maxAbsError), formatError(kernel.maxRelError));
  case Qt::TextAlignmentRole:
    return int((index.column() == Dispatch ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  case SortRole:
    return sortKey(kernel, index.column());
  case OkRole:
    return kernel.ok;
  case DispatchIndexRole:
    return kernel.dispatchIndex;
  default:
    return {};
  }
}

QVariant KernelModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal)
    return {};
  if (role == Qt::TextAlignmentRole)
    return int((section == Dispatch ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole)
    return {};
  switch (section) {
  case Dispatch:
    return tr("Dispatch");
  case Median:
    return tr("Median");
  case Min:
    return tr("Min");
  case P95:
    return tr("p95");
  case Gflops:
    return tr("GFLOP/s");
  case Gbps:
    return tr("GB/s");
  case AbsError:
    return tr("Max abs error");
  case RelError:
    return tr("Max rel error");
  case Grid:
    return tr("Grid");
  case Block:
    return tr("Block");
  case Shared:
    return tr("Shared");
  default:
    return {};
  }
}

} // namespace fuselage
