#include "views/graph/GraphTitle.h"
#include "views/common/Numbers.h"
#include "views/common/Theme.h"
#include <QEvent>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

GraphTitle::GraphTitle(QWidget *parent) : QLabel(parent) {
  setTextFormat(Qt::RichText);
  setContentsMargins(8, 3, 8, 3);
  setMinimumWidth(60);
}

void GraphTitle::show(const QString &step, const QHash<NodeId, Change> &changes) {
  step_ = step;
  std::fill(std::begin(counts_), std::end(counts_), 0);
  for (const Change change : changes)
    ++counts_[int(change)];
  write();
}

void GraphTitle::clear() { show({}, {}); }

void GraphTitle::write() {
  const Theme &theme = Theme::of(palette());
  QString text = u"<b>%1</b>"_s.arg(step_.toHtmlEscaped());
  const auto add = [&](Change change, const QString &words) {
    if (count(change) > 0)
      text += u" &nbsp;&nbsp;<span style='color:%1'>\u25a0</span> "_s.arg(theme.change(change).name()) +
              words.arg(groupedNumber(count(change)));
  };
  add(Change::Added, tr("%1 new"));
  add(Change::Removed, tr("%1 gone"));
  add(Change::Changed, tr("%1 changed"));
  setText(step_.isEmpty() ? QString() : text);
  setToolTip(this->text());
}

void GraphTitle::changeEvent(QEvent *event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    write();
}

} // namespace fuselage
