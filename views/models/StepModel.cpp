#include "views/models/StepModel.h"
#include "views/models/Format.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

QString describeDelta(const QMap<QString, qint64> &delta, int most) {
  QList<QPair<QString, qint64>> items;
  for (auto it = delta.begin(); it != delta.end(); ++it)
    if (it.value() != 0)
      items.append({it.key(), it.value()});
  std::stable_sort(items.begin(), items.end(),
                   [](const auto &a, const auto &b) { return std::abs(a.second) > std::abs(b.second); });
  QStringList texts;
  for (const auto &[name, count] : items.first(std::min<qsizetype>(most, items.size())))
    texts.append(u"%1 %2"_s.arg(name, formatSigned(count)));
  if (items.size() > most)
    texts.append(u"\u2026"_s);
  return texts.join(u", "_s);
}

/// "+12 −3": ops that came and ops that went, by name.
static QString shortDelta(const QMap<QString, qint64> &delta) {
  qint64 came = 0, went = 0;
  for (const qint64 count : delta)
    (count > 0 ? came : went) += count;
  QStringList parts;
  if (came)
    parts.append(formatSigned(came));
  if (went)
    parts.append(formatSigned(went));
  return parts.join(u' ');
}

void StepModel::setDocument(const QString &name) {
  beginResetModel();
  document_ = name;
  steps_.clear();
  running_.clear();
  crashed_.reset();
  endResetModel();
}

void StepModel::setSteps(const QList<protocol::Step> &steps) {
  clearRunning();
  clearCrashed();
  // Equal beginnings stay, so that the selection survives a recording that came in step by step.
  qsizetype same = 0;
  while (same < steps.size() && same < steps_.size() && steps[same].name == steps_[same].name &&
         steps[same].pipeline == steps_[same].pipeline)
    ++same;
  if (same < steps_.size()) {
    beginRemoveRows({}, int(same) + 1, int(steps_.size()));
    steps_.resize(same);
    endRemoveRows();
  }
  for (qsizetype i = 0; i < same; ++i)
    steps_[i] = steps[i];
  if (same > 0)
    emit dataChanged(index(1, 0), index(int(same), ColumnCount - 1));
  if (same < steps.size()) {
    beginInsertRows({}, int(same) + 1, int(steps.size()));
    steps_ = steps;
    endInsertRows();
  }
}

void StepModel::append(const protocol::Step &step) {
  if (!running_.isEmpty()) {
    // The running row becomes the finished one.
    running_.clear();
    steps_.append(step);
    const int row = int(steps_.size());
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    return;
  }
  clearCrashed();
  const int row = int(steps_.size()) + 1;
  beginInsertRows({}, row, row);
  steps_.append(step);
  endInsertRows();
}

void StepModel::setRunning(const protocol::StepStarted &step) {
  clearCrashed();
  const QString name = step.name.isEmpty() ? step.pass : step.name;
  const int row = int(steps_.size()) + 1;
  if (!running_.isEmpty()) {
    running_ = name;
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    return;
  }
  beginInsertRows({}, row, row);
  running_ = name.isEmpty() ? u"\u2026"_s : name;
  endInsertRows();
}

void StepModel::clearRunning() {
  if (running_.isEmpty())
    return;
  const int row = int(steps_.size()) + 1;
  beginRemoveRows({}, row, row);
  running_.clear();
  endRemoveRows();
}

void StepModel::setCrashed(const CrashedStep &step) {
  if (document_.isEmpty())
    return;
  clearRunning();
  clearCrashed();
  const int row = int(steps_.size()) + 1;
  beginInsertRows({}, row, row);
  crashed_ = step;
  endInsertRows();
}

void StepModel::clearCrashed() {
  if (!crashed_)
    return;
  const int row = int(steps_.size()) + 1;
  beginRemoveRows({}, row, row);
  crashed_.reset();
  endRemoveRows();
}

const CrashedStep *StepModel::crashedAt(int row) const {
  return crashed_ && row == int(steps_.size()) + 1 ? &*crashed_ : nullptr;
}

const protocol::Step *StepModel::stepAt(int row) const {
  return row >= 1 && row <= steps_.size() ? &steps_[row - 1] : nullptr;
}

int StepModel::snapshotAt(int row) const {
  if (crashedAt(row))
    return snapshotAt(row - 1);
  const protocol::Step *step = stepAt(row);
  if (!step)
    return 0;
  return step->after >= 0 ? step->after : std::max(step->before, 0);
}

int StepModel::rowOf(int snapshot) const {
  for (int row = 0; row < rowCount(); ++row)
    if (snapshotAt(row) == snapshot)
      return row;
  return -1;
}

bool StepModel::hasTimes() const {
  return !running_.isEmpty() ||
         std::any_of(steps_.begin(), steps_.end(), [](const protocol::Step &step) { return step.milliseconds >= 0; });
}

int StepModel::rowCount(const QModelIndex &parent) const {
  if (parent.isValid() || document_.isEmpty())
    return 0;
  return 1 + int(steps_.size()) + (running_.isEmpty() && !crashed_ ? 0 : 1);
}

StepModel::StepModel(QObject *parent)
    : TableModel({{u"#"_s, true},
                  {tr("Step")},
                  {tr("Time"), true},
                  {tr("Ops"), true, tr("Ops that came and went; those in the bodies of linalg ops count, too")}},
                 parent) {}

StepModel::Status StepModel::status(int row) const {
  if (row == 0)
    return Input;
  if (crashedAt(row))
    return Crashed;
  const protocol::Step *step = stepAt(row);
  if (!step)
    return Running;
  return step->failed ? Failed : step->changed ? Changed : Unchanged;
}

/// "@main": which function it ran on; of what has no symbol, the op.
static QString anchorOf(const protocol::Step &step) {
  const qsizetype symbol = step.scope.indexOf(u'@');
  return symbol < 0 ? step.scope : step.scope.mid(symbol);
}

/// "cse  @main": what ran, and on which function.
static QString title(const protocol::Step &step) {
  return step.scope.isEmpty() ? step.name : step.name + u"  "_s + anchorOf(step);
}

/// What a step did, in a word or two.
static QString result(const protocol::Step &step) {
  if (step.failed)
    return StepModel::tr("failed");
  if (step.after < 0)
    return StepModel::tr("not dumped");
  if (step.before < 0)
    return StepModel::tr("first");
  if (!step.changed)
    return StepModel::tr("same");
  const QString delta = shortDelta(step.opDelta);
  return delta.isEmpty() && step.milliseconds < 0 ? StepModel::tr("changed") : delta;
}

QVariant StepModel::display(int row, int column) const {
  if (const CrashedStep *crashed = crashedAt(row))
    return column == Index   ? QVariant(row - 1)
           : column == Name  ? QVariant(crashed->name)
           : column == Delta ? QVariant(tr("crashed"))
                             : QVariant(QString());
  const protocol::Step *step = stepAt(row);
  switch (column) {
  case Index:
    return row == 0 ? QVariant() : QVariant(row - 1);
  case Name:
    return row == 0 ? document_ : step ? title(*step) : running_;
  case Time:
    if (step)
      return step->milliseconds < 0 ? QString() : formatMilliseconds(step->milliseconds);
    return row == 0 ? QString() : u"\u2026"_s;
  case Delta:
    return step ? result(*step) : QString();
  default:
    return {};
  }
}

QString StepModel::toolTip(int row) const {
  if (row == 0)
    return tr("The module as it was opened");
  if (const CrashedStep *crashed = crashedAt(row))
    return u"<b>%1</b><br>"_s.arg(crashed->name.toHtmlEscaped()) +
           tr("This step ended the engine with %1").arg(crashed->reason.toHtmlEscaped());
  const protocol::Step *step = stepAt(row);
  if (!step)
    return tr("This step is running");
  QString text = u"<b>%1</b><br><code>%2</code>"_s.arg(step->name.toHtmlEscaped(), step->pipeline.toHtmlEscaped());
  for (const QString &fact : {step->scope, step->origin})
    if (!fact.isEmpty())
      text += u"<br>"_s + fact.toHtmlEscaped();
  if (const QString delta = describeDelta(step->opDelta, 8); !delta.isEmpty())
    text += u"<br>"_s + delta.toHtmlEscaped();
  return text;
}

QVariant StepModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const int row = index.row();
  switch (role) {
  case Qt::DisplayRole:
    return display(row, index.column());
  case Qt::ToolTipRole:
    return toolTip(row);
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case Qt::AccessibleTextRole:
    return index.column() == Name && row > 0 ? tr("step %1, %2").arg(row - 1).arg(display(row, Name).toString())
                                             : display(row, index.column());
  case StepRole:
    return row - 1;
  case ChangedRole:
    return status(row) != Unchanged;
  case StatusRole:
    return status(row);
  case AnchorRole:
    return stepAt(row) ? anchorOf(*stepAt(row)) : QString();
  default:
    return {};
  }
}

void StepFilter::setHideUnchanged(bool hide) {
  hideUnchanged_ = hide;
  invalidateFilter();
}

void StepFilter::setWords(const QString &words) {
  words_.clear();
  functions_.clear();
  ops_.clear();
  dispatches_.clear();
  for (const QString &word : words.split(u' ', Qt::SkipEmptyParts))
    if (word.startsWith("op:"_L1, Qt::CaseInsensitive))
      word.size() > 3 ? ops_.append(word.mid(3)) : void();
    else if (word.startsWith(dispatchSign(), Qt::CaseInsensitive))
      word.size() > dispatchSign().size() ? dispatches_.append(dispatchSign() + word.mid(dispatchSign().size()))
                                          : void();
    else
      (word.startsWith(u'@') ? functions_ : words_).append(word);
  invalidateFilter();
}

void StepFilter::setTouched(const QString &name, const QSet<int> &steps) {
  touched_.insert(name, steps);
  invalidateFilter();
}

QString StepFilter::unknownName() const {
  for (const QString &name : touchedNames())
    if (!touched_.contains(name))
      return name;
  return {};
}

/// By the difference in their number at least, which needs nobody to look.
bool StepFilter::touches(const protocol::Step &step, const QString &name) const {
  if (const auto known = touched_.constFind(name); known != touched_.cend() && known->contains(step.index))
    return true;
  for (auto delta = step.opDelta.begin(); delta != step.opDelta.end(); ++delta)
    if (delta.value() != 0 && delta.key().contains(name, Qt::CaseInsensitive))
      return true;
  return false;
}

QStringList StepFilter::completions(const QList<protocol::Step> &steps, const QStringList &dispatches) {
  QSet<QString> words;
  for (const QString &name : dispatches)
    words.insert(dispatchSign() + name);
  for (const protocol::Step &step : steps) {
    if (const QString anchor = anchorOf(step); anchor.startsWith(u'@'))
      words.insert(anchor);
    for (auto delta = step.opDelta.begin(); delta != step.opDelta.end(); ++delta)
      words.insert(u"op:"_s + delta.key());
  }
  QStringList sorted(words.begin(), words.end());
  sorted.sort();
  return sorted;
}

bool StepFilter::filterAcceptsRow(int row, const QModelIndex &parent) const {
  const QModelIndex index = sourceModel()->index(row, StepModel::Name, parent);
  const int status = index.data(StepModel::StatusRole).toInt();
  if (status == StepModel::Input || status == StepModel::Running || status == StepModel::Crashed)
    return true;
  if (hideUnchanged_ && status == StepModel::Unchanged)
    return false;
  QString text = index.data().toString();
  const auto *model = qobject_cast<const StepModel *>(sourceModel());
  const protocol::Step *step = model ? model->stepAt(row) : nullptr;
  if (step)
    text += u' ' + step->pass + u' ' + step->scope + u' ' + step->pipeline;
  const auto isIn = [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); };
  const auto isOn = [step](const QString &function) {
    return step && step->scope.contains(function, Qt::CaseInsensitive);
  };
  const auto isTouched = [this, step](const QString &op) { return step && touches(*step, op); };
  const auto isInDispatch = [this, step](const QString &dispatch) {
    const auto known = touched_.constFind(dispatch);
    return step && (known == touched_.cend() || known->contains(step->index));
  };
  return std::all_of(words_.begin(), words_.end(), isIn) && std::all_of(functions_.begin(), functions_.end(), isOn) &&
         std::all_of(ops_.begin(), ops_.end(), isTouched) &&
         std::all_of(dispatches_.begin(), dispatches_.end(), isInDispatch);
}

} // namespace fuselage
