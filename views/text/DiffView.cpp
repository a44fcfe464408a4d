#include "views/text/DiffView.h"
#include "views/text/DiffCanvas.h"
#include <QEvent>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace fuselage {

DiffView::DiffView(QWidget *parent) : QWidget(parent), canvas_(new DiffCanvas(this)) {
  strip_ = new ChangeStrip(canvas_, this);
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(canvas_, 1);
  layout->addWidget(strip_);
  setFocusProxy(canvas_);
  connect(canvas_, &DiffCanvas::lineClicked, this, &DiffView::lineClicked);
  connect(canvas_, &DiffCanvas::currentChangeChanged, this, &DiffView::currentChangeChanged);
  connect(canvas_, &DiffCanvas::foldsOpenChanged, this, &DiffView::foldsOpenChanged);
  connect(canvas_, &DiffCanvas::zoomChanged, this, &DiffView::zoomChanged);
}

DiffView::~DiffView() = default;

void DiffView::setDiff(const DiffData &diff, TextSource *before, TextSource *after) {
  canvas_->setDiff(diff, before, after);
  emit diffShown();
}
int DiffView::setMatches(const QList<DiffMatch> &matches) { return canvas_->setMatches(matches); }
void DiffView::setCurrentMatch(int index) { canvas_->setCurrentMatch(index); }
void DiffView::clear() { canvas_->setDiff({}, nullptr, nullptr); }
const DiffData &DiffView::diff() const { return canvas_->rows().diff(); }
void DiffView::setTitles(const QString &before, const QString &after) { canvas_->setTitles(before, after); }
void DiffView::setEmptyText(const QString &title, const QString &hint) { canvas_->setEmptyText(title, hint); }
void DiffView::setWrapping(bool wraps) { canvas_->setWrapping(wraps); }
bool DiffView::wraps() const { return canvas_->wraps(); }
void DiffView::setFolding(bool folds) { canvas_->setFolding(folds); }
bool DiffView::folds() const { return canvas_->folds(); }
void DiffView::setUnified(bool unified) { canvas_->setUnified(unified); }
bool DiffView::isUnified() const { return canvas_->rows().isUnified(); }
void DiffView::setContextLines(int lines) { canvas_->setContext(lines); }
bool DiffView::areFoldsOpen() const { return canvas_->rows().allOpen(); }
void DiffView::highlightLines(DiffSide side, int first, int last) { canvas_->highlightLines(side, first, last); }
void DiffView::scrollToLine(DiffSide side, int line) { canvas_->scrollToLine(side, line); }
int DiffView::changeCount() const { return int(canvas_->rows().changes().size()); }
int DiffView::currentChange() const { return canvas_->currentChange(); }
double DiffView::zoom() const { return canvas_->zoom(); }
void DiffView::setZoom(double zoom) { canvas_->setZoom(zoom); }
QString DiffView::selectedText() const { return canvas_->selectedText(); }
void DiffView::nextChange() { canvas_->goToChange(canvas_->currentChange() + 1); }
void DiffView::previousChange() { canvas_->goToChange(canvas_->currentChange() - 1); }
void DiffView::setFoldsOpen(bool open) { canvas_->setFoldsOpen(open); }
void DiffView::copy() { canvas_->copy(); }

void DiffView::changeEvent(QEvent *event) {
  if (event->type() == QEvent::PaletteChange)
    strip_->update();
  QWidget::changeEvent(event);
}

ChangeStrip::ChangeStrip(DiffCanvas *canvas, QWidget *parent) : QWidget(parent), canvas_(canvas) {
  setFixedWidth(16);
  setAccessibleName(tr("Overview of the changes"));
  setToolTip(tr("Changes of this step: click to go there"));
  setCursor(Qt::PointingHandCursor);
  connect(canvas_, &DiffCanvas::scrolled, this, qOverload<>(&QWidget::update));
}

void ChangeStrip::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  const Theme &theme = Theme::of(palette());
  painter.fillRect(rect(), theme.window);
  painter.fillRect(0, 0, 1, height(), theme.border);
  int rows = canvas_->rows().rowCount();
  if (canvas_->isEmpty())
    return;
  double top = canvas_->headerHeight(), room = height() - top;
  double perRow = std::min(room / rows, canvas_->visibleRows() > rows ? room / canvas_->visibleRows() : room / rows);
  QRectF seen(1, top + canvas_->firstRow() * perRow, width() - 1, std::min(rows, canvas_->visibleRows()) * perRow);
  painter.fillRect(seen, mix(theme.textMuted, theme.window, 0.14));
  int index = 0;
  for (const DiffChange &change : canvas_->rows().changes()) {
    double y = top + change.first * perRow;
    double h = std::max(2.0, (change.last - change.first + 1) * perRow);
    QColor color = change.kind == DiffRowData::Kind::Added     ? theme.added
                   : change.kind == DiffRowData::Kind::Removed ? theme.removed
                                                               : theme.changed;
    bool current = index++ == canvas_->currentChange();
    painter.fillRect(QRectF(current ? 3 : 5, y, current ? width() - 5 : width() - 9, h),
                     mix(color, theme.window, current ? 1 : 0.75));
  }
}

void ChangeStrip::scrollTo(double y) {
  int rows = canvas_->rows().rowCount();
  double top = canvas_->headerHeight(), room = std::max(1.0, height() - top);
  canvas_->scrollToRow(int((y - top) / room * rows), 0.5);
}

void ChangeStrip::mousePressEvent(QMouseEvent *event) { scrollTo(event->position().y()); }

void ChangeStrip::mouseMoveEvent(QMouseEvent *event) {
  if (event->buttons() & Qt::LeftButton)
    scrollTo(event->position().y());
}

} // namespace fuselage
