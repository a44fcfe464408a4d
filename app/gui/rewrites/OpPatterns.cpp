#include "app/gui/rewrites/OpPatterns.h"
#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/rewrites/RewritesPanel.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/RewriteMethods.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Tables.h"
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

OpPatternModel::OpPatternModel(QObject *parent)
    : TableModel({{tr("Pattern"), false, tr("Of the passes above")},
                  {tr("Pass"), false, tr("That has the pattern")},
                  {tr("Now"), false, tr("What it would change, or why it declines (notifyMatchFailure)")}},
                 parent) {}

void OpPatternModel::setPatterns(const QList<protocol::PatternOffer> &patterns) {
  beginResetModel();
  patterns_ = patterns;
  endResetModel();
}

int OpPatternModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(patterns_.size()); }

/// "applies: +1 linalg.generic, −1 tensor.empty".
static QString outcomeOf(const protocol::PatternOffer &offer) {
  if (!offer.applies)
    return offer.reason.isEmpty() ? OpPatternModel::tr("declines, no reason given")
                                  : OpPatternModel::tr("declines: %1").arg(offer.reason);
  if (!offer.problem.isEmpty())
    return OpPatternModel::tr("applies, and the module does not verify then: %1").arg(offer.problem);
  QStringList ops;
  for (auto op = offer.opDelta.begin(); op != offer.opDelta.end(); ++op)
    ops.append((op.value() > 0 ? u'+' : u'\u2212') + QString::number(qAbs(op.value())) + u' ' + op.key());
  return ops.isEmpty() ? OpPatternModel::tr("applies") : OpPatternModel::tr("applies: %1").arg(ops.join(u", "_s));
}

QVariant OpPatternModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || index.row() >= patterns_.size())
    return {};
  const protocol::PatternOffer &offer = patterns_[index.row()];
  if (role == Qt::ToolTipRole)
    return index.column() == Outcome ? outcomeOf(offer) : offer.patternName;
  if (role != Qt::DisplayRole)
    return {};
  switch (index.column()) {
  case Name:
    return offer.pattern;
  case Pass:
    return offer.pass;
  default:
    return outcomeOf(offer);
  }
}

OpPatternsPage::OpPatternsPage(OpPatternModel *model, QWidget *parent)
    : QWidget(parent), passes_(new QLineEdit), about_(new QLabel), table_(makeTable(model, tr("Patterns for the op"))),
      apply_(new QPushButton(tr("Apply as a Step"))) {
  passes_->setPlaceholderText(tr("Passes: canonicalize"));
  passes_->setAccessibleName(tr("Passes whose patterns are tried"));
  passes_->setToolTip(tr("Patterns of these passes are tried on the selected op, each alone"));
  apply_->setToolTip(tr("Record a step that applies the selected pattern to this op, and does nothing else; Undo takes "
                        "it back"));
  apply_->setEnabled(false);
  table_->setSortingEnabled(false);
  fitColumns(table_, {2, 0, 3});
  hint_ = new EmptyHint(table_, {}, {});
  auto *top = new QHBoxLayout;
  top->addWidget(passes_, 1);
  top->addWidget(apply_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 4, 6, 0);
  layout->setSpacing(4);
  layout->addLayout(top);
  layout->addWidget(about_);
  layout->addWidget(table_, 1);
  about_->hide();
}

int OpPatternsPage::current() const {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : rows.first().row();
}

void OpPatternsPage::setAbout(const QString &about) {
  about_->setText(about);
  about_->setVisible(!about.isEmpty());
}

void OpPatternsPage::setHint(const QString &title, const QString &hint) { hint_->setText(title, hint); }

OpPatternsController::OpPatternsController(Shell &shell, RewritesController &rewrites, StepsController &steps,
                                           TextController &text)
    : Controller(shell), rewrites_(rewrites), steps_(steps), text_(text), place_(shell, this) {
  rewrites.extend([this](RewritesPanel &panel) { addPage(panel); });
  connect(&text, &TextController::selectionChanged, this, &OpPatternsController::selectionMoved);
}

void OpPatternsController::addPage(RewritesPanel &panel) {
  page_ = new OpPatternsPage(&model_);
  tab_ = panel.addPage(page_, tr("Would Apply"));
  connect(&panel, &RewritesPanel::tabShown, this, &OpPatternsController::selectionMoved);
  connect(page_->passesEdit(), &QLineEdit::returnPressed, this, [this] {
    place_.leave();
    request();
  });
  connect(page_->table()->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &OpPatternsController::preview);
  connect(page_->applyButton(), &QPushButton::clicked, this, &OpPatternsController::apply);
  clearPage();
  suggestPasses(steps_.currentRow());
}

OpPatternsPage &OpPatternsController::page() {
  rewrites_.panel();
  return *page_;
}

void OpPatternsController::clearPage() {
  page_->setAbout({});
  page_->setHint(tr("No op is selected"), {});
}

void OpPatternsController::show() {
  page();
  rewrites_.raise(tab_);
}

/// Selecting in a preview is reading, not asking.
void OpPatternsController::selectionMoved() {
  if (!place_.isShown())
    request();
}

void OpPatternsController::request() {
  if (!page_ || !page_->isVisible() || !isReady())
    return;
  if (text_.selected() < 0) {
    model_.setPatterns({});
    page_->setAbout({});
    return page_->setHint(tr("No op is selected"), tr("Select one in the graph or the text: the patterns that would "
                                                      "apply to it now are listed, with what each would change."));
  }
  snapshot_ = text_.snapshot();
  op_ = text_.selected();
  const QString passes = page_->passesEdit()->text().trimmed();
  isAsking_ = true;
  page_->setHint(tr("Trying patterns\u2026"), {});
  session().client().call<method::OfferPatterns>(
      {.snapshot = snapshot_, .op = op_, .passes = passes.isEmpty() ? u"canonicalize"_s : passes}, this,
      [this](const protocol::OpPatterns &found) {
        isAsking_ = false;
        model_.setPatterns(found.patterns);
        const auto applying = std::count_if(found.patterns.begin(), found.patterns.end(),
                                            [](const protocol::PatternOffer &offer) { return offer.applies; });
        page_->setAbout(tr("%1: %2 of %3 patterns would apply").arg(found.op).arg(applying).arg(found.patterns.size()));
        page_->setHint(tr("These passes have no pattern for %1").arg(found.op),
                       tr("Patterns of dialect conversions are not listed: they only make sense together."));
      },
      [this](const protocol::Error &error) {
        isAsking_ = false;
        model_.setPatterns({});
        page_->setAbout({});
        page_->setHint(tr("The patterns are not known"), error.message);
      },
      u"offers"_s);
}

void OpPatternsController::preview() {
  const int row = page_->current();
  const bool applies = row >= 0 && model_.patterns()[row].snapshot >= 0;
  page_->applyButton()->setEnabled(applies && steps_.model().rowOf(snapshot_) >= 0);
  if (!applies)
    return place_.leave();
  const protocol::PatternOffer &offer = model_.patterns()[row];
  place_.show(offer.snapshot, snapshot_, offer.pattern, tr("What %1 would do").arg(offer.pattern));
}

void OpPatternsController::apply() {
  const int row = page_->current();
  if (row < 0 || !isReady() || model_.patterns()[row].pipeline.isEmpty())
    return;
  FuseRequest request;
  request.what = FuseRequest::What::Pipeline;
  request.snapshot = snapshot_;
  request.pipeline = model_.patterns()[row].pipeline;
  place_.leave();
  session().fuse(request);
}

/// Canonicalization, and the pass that runs on this IR next.
void OpPatternsController::suggestPasses(int row) {
  QString passes = u"canonicalize"_s;
  const protocol::Step *next = steps_.model().stepAt(row + 1);
  const QString module = u"builtin.module("_s;
  if (next && next->pipeline.startsWith(module) && next->pipeline.count(module) == 1 && next->pass != passes &&
      !next->pipeline.contains("tool("_L1))
    passes += u',' + next->pipeline.sliced(module.size(), next->pipeline.size() - module.size() - 1);
  page_->passesEdit()->setText(passes);
  page_->passesEdit()->setCursorPosition(0);
}

void OpPatternsController::stepShown(const ShownStep &step) {
  place_.stepShown(step);
  if (step.isPlace)
    return;
  if (page_)
    suggestPasses(step.row);
  request();
}

void OpPatternsController::documentReset() {
  place_.forgetDocument();
  model_.setPatterns({});
  if (page_)
    clearPage();
}

void OpPatternsController::engineDied(const CrashReport &) {
  isAsking_ = false;
  model_.setPatterns({});
}

} // namespace fuselage
