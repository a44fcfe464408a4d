#include "app/gui/graph/NumbersController.h"
#include "app/gui/graph/GraphController.h"
#include "core/protocol/methods/GraphMethods.h"
#include "core/protocol/methods/SearchMethods.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/messages/SearchTypes.h"
#include "views/models/Format.h"
#include <QActionGroup>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Keys of a file that are looked up; each is a request.
static constexpr qsizetype mostKeys = 5000;

NumbersController::NumbersController(Shell &shell, GraphController &graph)
    : Controller(shell), graph_(graph), menu_(shell.menus().addMenu(Place::ViewMarks, tr("&Color By"))),
      group_(new QActionGroup(this)) {
  addCommands();
  graph_.scenes().setBoxes([this](HeatData &heat) { addBoxes(heat); });
  connect(&graph_.outline(), &ModelOutline::changed, this, &NumbersController::apply);
}

void NumbersController::addCommands() {
  const QList<std::pair<QString, Source>> sources{{tr("&Run Times"), Source::Times},
                                                  {tr("&Bytes"), Source::Bytes},
                                                  {tr("&FLOPs"), Source::Flops},
                                                  {tr("&Missed Fusions"), Source::Missed}};
  for (const auto &[title, source] : sources) {
    QAction *action = toggle(title);
    on(action, [this, source = source] { choose(source); });
    group_->addAction(action);
    own_.append(action);
  }
  own_.first()->setChecked(true);
  QAction *file = command(tr("Numbers From a &File…"), u"open"_s);
  file->setToolTip(tr("A CSV or JSON with numbers by op, value, part of the model, or location"));
  on(file, [this] { chooseFile(); });
  menu_->addActions(own_);
  menu_->addSeparator();
  menu_->addAction(file);
}

void NumbersController::choose(Source source, int column) {
  source_ = source;
  column_ = column;
  const QList<QAction *> &list = source == Source::File ? columns_ : own_;
  if (QAction *action = list.value(source == Source::File ? column : int(source)))
    action->setChecked(true);
  apply();
}

void NumbersController::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(&shell().window(), tr("Numbers to color ops by"),
                                                    QFileInfo(session().document().path).path(),
                                                    tr("Tables (*.csv *.tsv *.json);;All files (*)"));
  if (!path.isEmpty())
    open(path);
}

void NumbersController::open(const QString &path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    shell().tell(tr("%1 cannot be read: %2").arg(QFileInfo(path).fileName(), file.errorString()));
    return;
  }
  NumberTable table = NumberTable::read(file.readAll());
  if (!table.problem.isEmpty()) {
    shell().tell(tr("%1 cannot be read: %2").arg(QFileInfo(path).fileName(), table.problem));
    return;
  }
  table_ = std::move(table);
  keysOf_ = -1;
  listColumns();
  choose(Source::File, 0);
}

void NumbersController::listColumns() {
  qDeleteAll(columns_);
  columns_.clear();
  for (int column = 0; column < table_.columns.size(); ++column) {
    auto *action = new QAction(QString(table_.columns[column]).replace(u'&', u"&&"_s), this);
    action->setCheckable(true);
    on(action, [this, column] { choose(Source::File, column); });
    group_->addAction(action);
    menu_->addAction(action);
    columns_.append(action);
  }
}

void NumbersController::documentReset() { keysOf_ = judgedOf_ = -1; }
void NumbersController::graphShown(int) { apply(); }

void NumbersController::apply() {
  const int snapshot = graph_.scenes().shownSnapshot();
  if (source_ == Source::Times || snapshot < 0)
    return graph_.scenes().setNumbers(std::nullopt);
  if (source_ == Source::File)
    return keysOf_ == snapshot ? applyFile() : findKeys();
  if (source_ == Source::Missed && judgedOf_ != snapshot)
    return requestJudged();
  graph_.scenes().setNumbers(fromOutline(source_));
}

static QString countText(double value) { return groupedNumber(qint64(value)); }
static QString bytesText(double value) { return formatBytes(qint64(value)); }
static QString flopsText(double value) { return formatFlops(qint64(value)); }

/// The rows of the outline are sums already.
HeatData NumbersController::fromOutline(Source source) const {
  HeatData heat{.title = source == Source::Bytes   ? tr("bytes read and written")
                         : source == Source::Flops ? tr("FLOPs")
                                                   : tr("missed fusions"),
                .text = source == Source::Bytes   ? bytesText
                        : source == Source::Flops ? flopsText
                                                  : countText,
                .nodes = {},
                .dispatches = {}};
  for (const protocol::OutlineRow &row : graph_.outline().rows()) {
    if (row.cluster == -1 && row.node == -1) // the module; an argument has this number, too
      continue;
    const NodeId id = row.cluster != -1 ? row.cluster : row.node;
    const double value = source == Source::Bytes   ? double(row.bytes)
                         : source == Source::Flops ? double(row.flops)
                                                   : missed_.value(id, 0);
    if (value < 0)
      continue;
    heat.nodes[id] += value;
    // Equal parts, which are one box.
    if (row.outside != -1)
      heat.nodes[row.outside] += value;
  }
  return heat;
}

void NumbersController::requestJudged() {
  const int snapshot = graph_.scenes().shownSnapshot();
  session().client().call<method::GraphOutline>(
      {.snapshot = snapshot, .judge = true}, this,
      [this](const protocol::Outline &outline) {
        judgedOf_ = outline.snapshot;
        missed_.clear();
        for (const protocol::OutlineRow &row : outline.rows)
          missed_[row.cluster != -1 ? row.cluster : row.node] = row.missed;
        if (source_ == Source::Missed && judgedOf_ == graph_.scenes().shownSnapshot())
          graph_.scenes().setNumbers(fromOutline(Source::Missed));
      },
      {}, u"judged-parts"_s);
}

/// What each key of the file is on screen: a part of the model by its name, else an op by its value, name or location.
void NumbersController::findKeys() {
  const int snapshot = graph_.scenes().shownSnapshot();
  keysOf_ = snapshot;
  keys_.clear();
  unanswered_ = 0;
  QHash<QString, NodeId> parts;
  for (const protocol::OutlineRow &row : graph_.outline().rows())
    if (row.cluster != -1)
      parts.insert(row.name, row.cluster);
  for (qsizetype i = 0; i < std::min(mostKeys, table_.rows.size()); ++i) {
    const QString &key = table_.rows[i].key;
    if (const auto part = parts.constFind(key); part != parts.cend()) {
      keys_.insert(i, *part);
      continue;
    }
    ++unanswered_;
    const auto answered = [this, snapshot] {
      if (keysOf_ == snapshot && --unanswered_ == 0 && source_ == Source::File)
        applyFile();
    };
    session().client().call<method::FindNames>(
        {.snapshot = snapshot, .text = key, .limit = 1}, this,
        [this, snapshot, i, answered](const protocol::SearchHits &hits) {
          if (keysOf_ == snapshot)
            for (const protocol::SearchHit &hit : hits.hits)
              if (hit.rank == 0 && hit.op) {
                keys_.insert(i, *hit.op);
                break;
              }
          answered();
        },
        [answered](const protocol::Error &) { answered(); });
  }
  if (unanswered_ == 0)
    applyFile();
}

void NumbersController::applyFile() {
  if (unanswered_ > 0)
    return;
  const QHash<NodeId, NodeId> &hidden = graph_.view().scene().hiddenOps;
  HeatData heat{.title = table_.columns.value(column_), .text = nullptr, .nodes = {}, .dispatches = {}};
  qsizetype found = 0;
  for (qsizetype i = 0; i < table_.rows.size(); ++i) {
    const double value = table_.rows[i].values.value(column_);
    if (!keys_.contains(i) || !std::isfinite(value))
      continue;
    ++found;
    const NodeId op = keys_[i];
    heat.nodes[hidden.value(op, op)] += value;
  }
  graph_.scenes().setNumbers(heat);
  shell().tell(tr("%1 of %2 rows are about ops of this step").arg(found).arg(table_.rows.size()));
}

void NumbersController::addBoxes(HeatData &heat) const {
  const SceneData &scene = graph_.view().scene();
  QHash<QString, int> dispatches;
  for (qsizetype i = 0; i < scene.dispatchLocs.size(); ++i)
    if (!dispatches.contains(scene.dispatchLocs[i]))
      dispatches.insert(scene.dispatchLocs[i], int(i));
  const QList<protocol::OutlineRow> &rows = graph_.outline().rows();
  QHash<NodeId, double> sums;
  QSet<int> counted; // a dispatch of several equal layers was timed as one
  for (const protocol::OutlineRow &row : rows) {
    const int dispatch = row.kind == message::OutlineKind::Dispatch ? dispatches.value(row.loc, -1) : -1;
    const auto value = heat.dispatches.constFind(dispatch);
    if (dispatch < 0 || value == heat.dispatches.cend() || counted.contains(dispatch))
      continue;
    counted.insert(dispatch);
    for (int around = row.id; around >= 0; around = rows[around].parent) {
      if (rows[around].cluster != -1)
        sums[rows[around].cluster] += *value;
      if (rows[around].outside != -1)
        sums[rows[around].outside] += *value;
    }
  }
  for (const NodeData &node : scene.nodes)
    if (const auto sum = sums.constFind(node.id); node.collapsed && node.dispatch < 0 && sum != sums.cend())
      heat.nodes.insert(node.id, *sum);
}

} // namespace fuselage
