#include "app/gui/rewrites/RewriteModels.h"
#include "views/common/Numbers.h"

using namespace Qt::StringLiterals;

namespace fuselage {

RewriteModel::RewriteModel(QObject *parent)
    : TableModel({{tr("#"), true, tr("In the order in which they happened")},
                  {tr("Rewrite"), false, tr("The pattern, or what kind of change it is")},
                  {tr("Op"), false, tr("That was matched, folded, replaced or erased")},
                  {tr("Function"), false, {}},
                  {tr("Changes"), false, tr("Ops that were inserted (+), erased (\u2212) and modified (~)")}},
                 parent) {}

void RewriteModel::setRewrites(const QList<protocol::StepRewrite> &rewrites) {
  beginResetModel();
  rewrites_ = rewrites;
  endResetModel();
}

QString RewriteModel::nameOf(const protocol::StepRewrite &rewrite) {
  static const QHash<QString, QString> kinds{{u"fold"_s, tr("Fold")},
                                             {u"dead"_s, tr("Erase dead op")},
                                             {u"cse"_s, tr("Replace by equal op")},
                                             {u"hoist"_s, tr("Hoist constants")},
                                             {u"regions"_s, tr("Simplify regions")},
                                             {u"conversion"_s, tr("End of conversion")},
                                             {u"direct"_s, tr("Direct change")},
                                             {u"pass"_s, tr("Other changes")}};
  return rewrite.kind == "pattern"_L1 ? rewrite.pattern : kinds.value(rewrite.kind, rewrite.kind);
}

int RewriteModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(rewrites_.size()); }

/// "+ 2 linalg.generic, tensor.empty  − linalg.fill".
static QString changesOf(const protocol::StepRewrite &rewrite) {
  QStringList parts;
  const auto add = [&parts](QChar sign, const QMap<QString, qint64> &counts) {
    QStringList ops;
    for (auto op = counts.begin(); op != counts.end(); ++op)
      ops.append(op.value() == 1 ? op.key() : u"%1 %2"_s.arg(op.value()).arg(op.key()));
    if (!ops.isEmpty())
      parts.append(sign + u' ' + ops.join(u", "_s));
  };
  add(u'+', rewrite.inserted);
  add(u'\u2212', rewrite.erased);
  add(u'~', rewrite.modified);
  return parts.join(u"  "_s);
}

QString RewriteModel::text(int row, int column) const {
  const protocol::StepRewrite &rewrite = rewrites_[row];
  switch (column) {
  case Index:
    return QString::number(rewrite.index);
  case Name:
    return nameOf(rewrite);
  case Op:
    return rewrite.op;
  case Function:
    return rewrite.function.isEmpty() ? QString() : u'@' + rewrite.function;
  default:
    return changesOf(rewrite);
  }
}

QString RewriteModel::toolTip(int row) const {
  const protocol::StepRewrite &rewrite = rewrites_[row];
  QStringList lines{rewrite.patternName.isEmpty() ? nameOf(rewrite) : rewrite.patternName, changesOf(rewrite)};
  if (!rewrite.pass.isEmpty())
    lines.append(tr("In pass %1").arg(rewrite.pass));
  if (rewrite.microseconds >= 0)
    lines.append(tr("%1 \u00b5s").arg(rewrite.microseconds, 0, 'f', 1));
  if (rewrite.inConversion)
    lines.append(tr("In a dialect conversion: what it replaced stays in the IR until its end"));
  return lines.join(u'\n');
}

QVariant RewriteModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || index.row() >= rewrites_.size())
    return {};
  switch (role) {
  case Qt::DisplayRole:
    return index.column() == Index ? QVariant(rewrites_[index.row()].index) : text(index.row(), index.column());
  case Qt::ToolTipRole:
    return toolTip(index.row());
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case FilterRole: {
    QString all = rewrites_[index.row()].patternName;
    for (int column = Name; column < ColumnCount; ++column)
      all += u' ' + text(index.row(), column);
    return all;
  }
  default:
    return {};
  }
}

PatternModel::PatternModel(QObject *parent)
    : TableModel({{tr("Pattern"), false, tr("Of those that the step tried")},
                  {tr("Applied"), true, tr("How often it rewrote; without what a conversion rolled back")},
                  {tr("Attempts"), true, tr("How often it was tried on an op")},
                  {tr("Time"), true, tr("Of all attempts, in \u00b5s")}},
                 parent) {}

void PatternModel::setPatterns(const QList<protocol::PatternUse> &patterns) {
  beginResetModel();
  patterns_ = patterns;
  endResetModel();
}

int PatternModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(patterns_.size()); }

QVariant PatternModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || index.row() >= patterns_.size())
    return {};
  const protocol::PatternUse &use = patterns_[index.row()];
  if (role == Qt::TextAlignmentRole)
    return alignment(index.column());
  if (role == Qt::ToolTipRole)
    return use.rolledBack > 0 ? tr("%1\n%2 times rolled back by a conversion").arg(use.patternName).arg(use.rolledBack)
                              : use.patternName;
  if (role != Qt::DisplayRole && role != SortRole)
    return {};
  switch (index.column()) {
  case Name:
    return use.pattern;
  case Applied:
    return use.applied;
  case Attempts:
    return use.attempts;
  default:
    return role == SortRole ? QVariant(use.microseconds) : QString::number(use.microseconds, 'f', 0);
  }
}

AttemptModel::AttemptModel(QObject *parent)
    : TableModel({{tr("Pattern"), false, tr("In the order in which they were tried")},
                  {tr("Outcome"), false, {}},
                  {tr("Reason"), false, tr("As the pattern gave it (notifyMatchFailure); many give none")}},
                 parent) {}

void AttemptModel::setAttempts(const QList<protocol::OpAttempt> &attempts) {
  beginResetModel();
  attempts_ = attempts;
  endResetModel();
}

int AttemptModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(attempts_.size()); }

QVariant AttemptModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || index.row() >= attempts_.size())
    return {};
  const protocol::OpAttempt &attempt = attempts_[index.row()];
  if (role == Qt::ToolTipRole)
    return index.column() == Reason && !attempt.reason.isEmpty() ? attempt.reason : attempt.patternName;
  if (role != Qt::DisplayRole)
    return {};
  switch (index.column()) {
  case Name:
    return attempt.pattern;
  case Outcome: {
    const QString outcome = attempt.rewrite >= 0               ? tr("applied, rewrite %1").arg(attempt.rewrite)
                            : attempt.outcome == "applied"_L1  ? tr("applied")
                            : attempt.outcome == "declined"_L1 ? tr("declined")
                            : attempt.outcome == "unknown"_L1  ? tr("tried, result not known")
                                                               : tr("rolled back");
    return attempt.times > 1 ? tr("%1, %2 times").arg(outcome).arg(attempt.times) : outcome;
  }
  default:
    return attempt.reason.isEmpty() && attempt.outcome == "declined"_L1 ? tr("no reason given") : attempt.reason;
  }
}

} // namespace fuselage
