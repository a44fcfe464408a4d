#include "views/tiles/TileTraceView.h"
#include "views/common/Theme.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

TileTraceView::TileTraceView(QWidget *parent)
    : QWidget(parent), button_(new QPushButton(lineIcon(u"steps"_s), tr("T&ile it and show how"), this)),
      list_(new QListWidget(this)), text_(new QPlainTextEdit(this)) {
  button_->setToolTip(tr("Tiles a copy of the function with scf::tileConsumerAndFuseProducersUsingSCF and keeps what "
                         "each interface method made"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setAccessibleName(tr("Interface methods, in the order in which they were called"));
  text_->setReadOnly(true);
  text_->setVisible(false);
  text_->setFrameShape(QFrame::NoFrame);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(monoFont(font().pointSizeF()));
  text_->setAccessibleName(tr("Affine maps and IR of the method"));
  new EmptyHint(list_, tr("Not tiled yet"),
                tr("Tile the op at these sizes to see which interface method makes which slice."));
  auto *splitter = new QSplitter(Qt::Vertical, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(list_);
  splitter->addWidget(text_);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 2);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 8, 0);
  layout->setSpacing(4);
  layout->addWidget(button_);
  layout->addWidget(splitter, 1);
  connect(button_, &QPushButton::clicked, this, &TileTraceView::traceRequested);
  connect(list_, &QListWidget::currentRowChanged, this, &TileTraceView::describeEvent);
}

void TileTraceView::setTrace(const protocol::TileTrace &trace) {
  trace_ = trace;
  list_->clear();
  for (const protocol::TileEvent &event : trace.events)
    list_->addItem(event.value.isEmpty() ? u"%1  %2"_s.arg(event.method, event.op)
                                         : u"%1  %2 = %3"_s.arg(event.method, event.value, event.op));
  if (!trace.events.isEmpty())
    list_->addItem(tr("the function in the end"));
  list_->setCurrentRow(trace.events.isEmpty() ? -1 : 0);
  text_->setVisible(!trace.events.isEmpty());
}

void TileTraceView::setMessage(const QString &message) {
  setTrace({});
  text_->setPlainText(message);
  text_->setVisible(!message.isEmpty());
}

void TileTraceView::clear() { setMessage({}); }

int TileTraceView::currentEvent() const { return list_->currentRow(); }

void TileTraceView::setCurrentEvent(int event) { list_->setCurrentRow(event); }

QString TileTraceView::shownText() const { return text_->toPlainText(); }

void TileTraceView::setCanTrace(bool can) { button_->setEnabled(can); }

void TileTraceView::describeEvent(int index) {
  if (index < 0) {
    text_->clear();
    emit eventSelected({});
    return;
  }
  if (index >= trace_.events.size()) {
    text_->setPlainText(trace_.function);
    emit eventSelected({});
    return;
  }
  const protocol::TileEvent &event = trace_.events[index];
  QStringList parts{u"// "_s + event.about};
  if (!event.slice.isEmpty())
    parts += {QString(), tr("// asked for by"), event.slice};
  if (!event.maps.isEmpty())
    parts += QStringList{QString(), tr("// indexing maps of %1").arg(event.op)} + event.maps;
  parts += QStringList{QString(), tr("// made")} + event.ir;
  text_->setPlainText(parts.join(u'\n'));
  emit eventSelected(event.value);
}

} // namespace fuselage
