#include "app/gui/search/LocatorSources.h"
#include "app/gui/graph/ModelOutline.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/models/StepModel.h"
#include "views/widgets/help/TermLinks.h"
#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage::locator_sources {

static QString tr(const char *text) { return QCoreApplication::translate("LocatorSources", text); }

static QString plain(QString text) { return text.remove(u'&'); }

static void addActions(const QMenu &menu, const QString &path, bool isHelp, QList<LocatorEntry> &entries) {
  for (QAction *action : menu.actions()) {
    if (action->isSeparator() || !action->isVisible())
      continue;
    if (action->menu()) {
      addActions(*action->menu(), path + u" \u203a "_s + plain(action->menu()->title()), isHelp, entries);
      continue;
    }
    LocatorEntry entry{.kind = isHelp                  ? LocatorKind::Help
                               : action->isCheckable() ? LocatorKind::Setting
                                                       : LocatorKind::Command,
                       .name = plain(action->text()),
                       .detail = path};
    if (action->isCheckable())
      entry.detail += action->isChecked() ? tr(" (on)") : tr(" (off)");
    entry.hint = action->shortcut().toString(QKeySequence::NativeText);
    entry.isEnabled = action->isEnabled();
    entry.action = action;
    entries.append(entry);
  }
}

QList<LocatorEntry> commands(const QList<QMenu *> &menus) {
  QList<LocatorEntry> entries;
  for (const QMenu *menu : menus)
    addActions(*menu, plain(menu->title()), menu == menus.last(), entries);
  return entries;
}

QList<LocatorEntry> steps(const StepModel &model) {
  QList<LocatorEntry> entries;
  for (int row = 0; row < model.rowCount(); ++row) {
    const protocol::Step *step = model.stepAt(row);
    if (row > 0 && !step)
      continue; // the one that runs
    LocatorEntry entry{.kind = LocatorKind::Step, .name = model.index(row, StepModel::Name).data().toString()};
    entry.hint = step ? u"#%1"_s.arg(row - 1) : QString();
    entry.detail = step ? (step->name == step->pass ? QString() : step->pass) : tr("the input");
    entry.row = row;
    entries.append(entry);
  }
  return entries;
}

QList<LocatorEntry> parts(const ModelOutline &outline) {
  using Kind = protocol::OutlineKind;
  QList<LocatorEntry> entries;
  for (const protocol::OutlineRow &row : outline.rows()) {
    if (row.id == 0 || row.kind == Kind::Op || row.kind == Kind::Function)
      continue;
    const bool isDispatch = row.kind == Kind::Dispatch;
    LocatorEntry entry{.kind = isDispatch ? LocatorKind::Dispatch : LocatorKind::Part, .name = row.name};
    QStringList facts;
    if (row.ops > 0)
      facts.append(counted(row.ops, tr("op"), tr("ops")));
    if (!isDispatch && row.dispatches > 0)
      facts.append(counted(row.dispatches, tr("dispatch"), tr("dispatches")));
    if (isDispatch && row.parent > 0 && row.parent < outline.rows().size())
      facts.append(outline.rows()[row.parent].name);
    entry.detail = facts.join(u" \u00b7 "_s);
    entry.row = row.id;
    entry.op = row.node == -1 ? noNode : NodeId(row.node);
    entries.append(entry);
  }
  return entries;
}

QList<LocatorEntry> passes(const protocol::Catalog &catalog) {
  QList<LocatorEntry> entries;
  for (const protocol::Pass &pass : catalog.passes)
    entries.append({.kind = LocatorKind::Pass, .name = pass.argument, .detail = pass.description.simplified()});
  return entries;
}

QList<LocatorEntry> reasons(HelpKind kind, const QList<protocol::ReasonHelp> &reasons) {
  QList<LocatorEntry> entries;
  for (const protocol::ReasonHelp &reason : reasons) {
    LocatorEntry entry{.kind = LocatorKind::Help, .name = reason.code, .detail = reason.sentence};
    entry.row = int(kind);
    entries.append(entry);
  }
  return entries;
}

QList<LocatorEntry> terms() {
  QList<LocatorEntry> entries;
  for (const GlossaryEntry &term : helpGlossary().entries())
    for (const std::string &word : term.words) {
      if (&word != &term.words.front() && word == term.words.front() + "s")
        continue; // its plural
      LocatorEntry entry{.kind = LocatorKind::Help,
                         .name = QString::fromStdString(word),
                         .detail = QString::fromStdString(term.meaning),
                         .hint = tr("term")};
      entry.row = int(HelpKind::Term);
      entries.append(entry);
    }
  return entries;
}

QList<LocatorEntry> forms(const QList<protocol::FormHelp> &forms) {
  QList<LocatorEntry> entries;
  for (const protocol::FormHelp &form : forms) {
    LocatorEntry entry{.kind = LocatorKind::Help, .name = form.form, .detail = form.summary};
    entry.row = int(HelpKind::Form);
    entries.append(entry);
  }
  return entries;
}

QList<LocatorEntry> prefixes() {
  QList<LocatorEntry> entries;
  for (const LocatorPrefix &prefix : locatorPrefixes()) {
    LocatorEntry entry{
        .kind = LocatorKind::Prefix, .name = prefix.sign, .detail = prefix.means, .hint = prefix.example};
    entry.rank = NameRank::NoMatch; // after what was used last
    entries.append(entry);
  }
  return entries;
}

static LocatorKind kindOf(protocol::SearchKind kind) {
  switch (kind) {
  case protocol::SearchKind::Symbol:
    return LocatorKind::Symbol;
  case protocol::SearchKind::Weight:
    return LocatorKind::Weight;
  case protocol::SearchKind::Op:
    return LocatorKind::Op;
  case protocol::SearchKind::Value:
    return LocatorKind::Value;
  case protocol::SearchKind::Location:
    return LocatorKind::Location;
  }
  return LocatorKind::Op;
}

LocatorEntry entryOf(const protocol::SearchHit &hit, int snapshot) {
  LocatorEntry entry{.kind = kindOf(hit.kind), .name = hit.name, .detail = hit.detail};
  entry.rank = NameRank(std::clamp(hit.rank, 0, int(NameRank::NoMatch)));
  entry.hint = hit.line < 0 ? QString() : tr("line %1").arg(groupedNumber(hit.line + 1));
  entry.snapshot = snapshot;
  entry.line = hit.line;
  entry.op = hit.op ? NodeId(*hit.op) : noNode;
  return entry;
}

QList<LocatorEntry> matching(const QList<LocatorEntry> &all, const LocatorQuery &query, int mostOfAKind) {
  QList<LocatorEntry> found;
  for (const LocatorEntry &entry : all) {
    if (!query.wants(entry.kind))
      continue;
    NameRank rank = query.isEmpty() ? NameRank::Prefix : query.rank(entry);
    if (entry.kind == LocatorKind::Step && query.sign == u'#' && query.text == QStringView(entry.hint).mid(1))
      rank = NameRank::Exact; // "#12"
    if (rank == NameRank::NoMatch)
      continue;
    found.append(entry);
    found.last().rank = rank;
  }
  std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.rank < b.rank; });
  QMap<LocatorKind, int> counts;
  QList<LocatorEntry> best;
  for (const LocatorEntry &entry : std::as_const(found))
    if (++counts[entry.kind] <= mostOfAKind)
      best.append(entry);
  return best;
}

} // namespace fuselage::locator_sources
