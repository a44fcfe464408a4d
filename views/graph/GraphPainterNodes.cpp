// The boxes of the graph painter, with all details.
#include "views/graph/GraphPainter.h"
#include <QFontMetricsF>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace fuselage {

static constexpr double accentWidth = 4;

/// Left and right of the words. Where words are larger than the scale makes them, they may come nearer to the border.
static double insetOf(double textScale) { return textScale > 1 ? 7 : 11; }
static double insetBehind(double textScale) { return textScale > 1 ? 5 : 8; }

static bool isPill(const NodeData &node) {
  return node.kind == NodeData::Kind::Argument || node.kind == NodeData::Kind::Return;
}

static double radiusOf(const NodeData &node, const QRectF &rect) {
  return isPill(node) ? std::min(14.0, rect.height() / 2) : std::min(6.0, rect.height() / 3);
}

bool GraphPainter::isPlain(const GraphPaintState &state) {
  return state.changes.isEmpty() && state.heat.isEmpty() && !state.tracing && state.progress >= 1;
}

const GraphPainter::NodeColors &GraphPainter::plainColorsOf(int index) {
  const NodeData &node = scene_.data().nodes[index];
  int look = (node.dispatch < 0 ? 0 : 1 + scene_.data().hueOf(node.dispatch) % Theme::hueCount) * 64 +
             int(node.kind) * 2 + node.collapsed;
  auto known = plainColors_.constFind(look);
  return known != plainColors_.cend() ? *known : *plainColors_.insert(look, colorsOf({}, index));
}

GraphPainter::NodeColors GraphPainter::colorsOf(const GraphPaintState &state, int index) const {
  const NodeData &node = scene_.data().nodes[index];
  NodeColors c;
  c.accent = node.dispatch >= 0 ? accentOf(node.dispatch) : theme_->borderStrong;
  c.fill = theme_->nodeFill(node.kind);
  c.border = node.dispatch >= 0 ? mix(c.accent, theme_->border, 0.55) : theme_->borderStrong;
  if (node.dispatch >= 0)
    c.fill = mix(c.accent, c.fill, theme_->dark ? 0.08 : 0.04);
  if (node.collapsed)
    c.fill = mix(c.accent, theme_->surface, theme_->dark ? 0.22 : 0.14);
  c.text = theme_->text;
  c.muted = theme_->textMuted;
  if (node.kind == NodeData::Kind::Constant || node.kind == NodeData::Kind::Empty)
    c.style = Qt::DashLine;
  if (node.kind == NodeData::Kind::Gap)
    c.accent = c.border = theme_->error;
  Change change = state.changes.value(node.id, Change::Same);
  if (change != Change::Same) {
    QColor color = theme_->change(change);
    c.fill = mix(color, theme_->surface, theme_->dark ? 0.24 : 0.15);
    c.border = color;
    c.accent = color;
  } else if (!state.changes.isEmpty()) {
    c.accent = mix(c.accent, theme_->surface, 0.5);
  }
  if (double heat = state.heat.isEmpty() ? -1 : state.heatOf(node); heat >= 0) {
    c.fill = theme_->heat(heat);
    c.text = readableOn(c.fill);
    c.muted = mix(c.text, c.fill, 0.82);
    c.border = mix(theme_->text, c.fill, 0.25);
  }
  if (isSet(state.matches, index))
    c.fill =
        mix(node.id == state.currentMatch ? theme_->matchCurrent : theme_->match, c.fill, theme_->dark ? 0.25 : 0.3);
  if (state.heat.isEmpty())
    c.muted = theme_->mutedOn(c.fill);
  double presence = state.progress < 1 && !state.from.contains(node.id) ? state.progress : 1;
  if (state.tracing && !isSet(state.traced, index))
    presence = std::min(presence, 0.3);
  if (state.flashing && change == Change::Same)
    presence = std::min(presence, 0.35);
  if (presence < 1)
    for (QColor *color : {&c.fill, &c.border, &c.text, &c.muted, &c.accent})
      *color = mix(*color, theme_->canvas, presence);
  return c;
}

/// The text as far as it fits: without its last parts where it has several, and not at all where it is a shape, of
/// which half says something else.
static QString fitted(const QString &text, const QFontMetricsF &metrics, double room) {
  if (metrics.horizontalAdvance(text) <= room)
    return text;
  const QString separator = QStringLiteral(" \u00b7 ");
  if (const qsizetype last = text.lastIndexOf(separator); last > 0)
    return fitted(text.left(last), metrics, room);
  static const QRegularExpression shape(QStringLiteral("[0-9?]+x[0-9?]"));
  if (!shape.match(text).hasMatch())
    return metrics.elidedText(text, Qt::ElideRight, room);
  // "max 12x128": its word.
  const qsizetype word = text.lastIndexOf(u' ');
  return word > 0 ? fitted(text.left(word), metrics, room) : QString();
}

void GraphPainter::setBoxNumbers(const QHash<NodeId, QString> &numbers) {
  boxNumbers_ = numbers;
  nodeTexts_.clear();
}

/// Head in bold, the rest of the title quieter, cut to the room there is.
const GraphPainter::NodeText &GraphPainter::textOf(int index) {
  auto known = nodeTexts_.constFind(index);
  if (known != nodeTexts_.cend())
    return *known;
  const NodeData &node = scene_.data().nodes[index];
  NodeText text;
  QFontMetricsF title(titleFont_), tail(tailFont_), sub(subFont_);
  auto set = [](QStaticText &target, const QString &string, const QFont &font) {
    target.setTextFormat(Qt::PlainText);
    target.setPerformanceHint(QStaticText::AggressiveCaching);
    target.setText(string);
    target.prepare(QTransform(), font);
  };
  double room = node.rect.width() / textScale_ - insetOf(textScale_) - (node.collapsed ? 14 : insetBehind(textScale_));
  text.twoLines = node.rect.height() / textScale_ >= title.height() + sub.height() && !node.subtitle.isEmpty();
  double titleRoom = room;
  // A second line says what is inside already.
  if (node.collapsed && !text.twoLines) {
    QString badge = node.hidden > 0 ? counted(node.hidden, QStringLiteral("op"), QStringLiteral("ops")) : QString();
    text.badgeWidth = sub.horizontalAdvance(badge);
    if (text.badgeWidth + 70 < room) {
      set(text.badge, badge, subFont_);
      titleRoom -= text.badgeWidth + 12;
    }
  }
  int space = int(node.title.indexOf(u' '));
  QString head = space < 0 ? node.title : node.title.left(space);
  QString rest = space < 0 ? QString() : node.title.mid(space + 1);
  // Whole words are worth more than bold ones.
  const double quietRest = rest.isEmpty() ? 0 : tail.horizontalAdvance(rest) + 5, bold = title.horizontalAdvance(head);
  text.regular =
      bold > titleRoom || (bold + quietRest > titleRoom && tail.horizontalAdvance(head) + quietRest <= titleRoom);
  if (text.regular)
    title = tail;
  head = title.elidedText(head, Qt::ElideRight, titleRoom);
  text.headWidth = title.horizontalAdvance(head);
  set(text.head, head, text.regular ? tailFont_ : titleFont_);
  double restRoom = titleRoom - text.headWidth - 5;
  if (!rest.isEmpty() && restRoom > 12)
    set(text.tail, fitted(rest, tail, restRoom), tailFont_);
  if (text.twoLines) {
    const QString number = boxNumbers_.value(node.id);
    set(text.sub,
        fitted(number.isEmpty() ? node.subtitle : number + QStringLiteral(" \u00b7 ") + node.subtitle, sub, room),
        subFont_);
  }
  text.twoLines = !text.sub.text().isEmpty(); // else the title stands in the middle
  return *nodeTexts_.insert(index, text);
}

void GraphPainter::paintNode(Frame &frame, int index) {
  const NodeData &node = scene_.data().nodes[index];
  QPainter &painter = frame.painter;
  QRectF rect = placed(frame.state, node.id, node.rect);
  NodeColors colors = colorsOf(frame.state, index);
  double radius = radiusOf(node, rect);
  ++painted_;
  const bool isHovered = frame.state.hovered == node.id;
  const QPen border = frame.pen(isHovered ? mix(theme_->accent, colors.border, 0.75) : colors.border,
                                isHovered ? 1.5 : 1, colors.style);
  if (node.collapsed) {
    // A sheet behind says that there is more inside.
    painter.setPen(frame.pen(border.color(), 1));
    painter.setBrush(mix(colors.fill, theme_->canvas, 0.6));
    // Equal layers lie in a higher pile.
    for (int sheet = node.count > 1 ? 3 : 1; sheet > 0; --sheet)
      painter.drawRoundedRect(rect.adjusted(5 * sheet, 4 * sheet, -5 * sheet, 4 * sheet), radius, radius);
  } else if (frame.quality != PaintQuality::Moving && !theme_->dark && colors.style == Qt::SolidLine) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(20, 30, 50, 16));
    painter.drawRoundedRect(rect.translated(0, 1.5), radius, radius);
  }
  bool accented = node.dispatch >= 0 || frame.state.changes.value(node.id, Change::Same) != Change::Same;
  if (accented && !isPill(node)) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.accent);
    painter.drawRoundedRect(rect, radius, radius);
    QRectF body = rect.adjusted(accentWidth, 0, 0, 0);
    QPainterPath path(body.topLeft());
    path.lineTo(body.right() - radius, body.top());
    path.quadTo(body.topRight(), QPointF(body.right(), body.top() + radius));
    path.lineTo(body.right(), body.bottom() - radius);
    path.quadTo(body.bottomRight(), QPointF(body.right() - radius, body.bottom()));
    path.lineTo(body.bottomLeft());
    path.closeSubpath();
    painter.setBrush(colors.fill);
    painter.drawPath(path);
    painter.setBrush(Qt::NoBrush);
  } else {
    painter.setBrush(colors.fill);
  }
  if (node.kind == NodeData::Kind::Gap && frame.quality != PaintQuality::Moving) {
    // Hatched: something is missing here.
    painter.setPen(Qt::NoPen);
    for (const QBrush &brush : {QBrush(colors.fill), QBrush(mix(theme_->error, colors.fill, 0.4), Qt::BDiagPattern)}) {
      painter.setBrush(brush);
      painter.drawRoundedRect(rect, radius, radius);
    }
    painter.setBrush(Qt::NoBrush);
  }
  painter.setPen(border);
  painter.drawRoundedRect(rect, radius, radius);
  paintPorts(frame, node, rect, colors);
  paintNodeText(frame, index, rect, colors);
  paintNodeRings(frame, index, rect, radius);
  Change change = frame.state.changes.value(node.id, Change::Same);
  if (change != Change::Same)
    paintChangeBadge(frame, rect, change);
}

/// A notch in the upper border for each weight that it reads, as far as there is room: their names are in the tooltip.
void GraphPainter::paintPorts(Frame &frame, const NodeData &node, const QRectF &rect, const NodeColors &colors) {
  constexpr double inset = 12, step = 8, radius = 2.6;
  constexpr int most = 4;
  if (node.portCount == 0 || frame.quality == PaintQuality::Moving)
    return;
  frame.painter.setPen(frame.pen(colors.border, 1));
  frame.painter.setBrush(theme_->canvas);
  for (int port = 0; port < std::min(node.portCount, most); ++port)
    frame.painter.drawEllipse(QPointF(rect.left() + inset + port * step, rect.top()), radius, radius);
  frame.painter.setBrush(Qt::NoBrush);
}

void GraphPainter::paintNodeText(Frame &frame, int index, const QRectF &rect, const NodeColors &colors) {
  const NodeData &node = scene_.data().nodes[index];
  const NodeText &text = textOf(index);
  QPainter &painter = frame.painter;
  const double titleHeight = text.head.size().height(), subHeight = text.twoLines ? text.sub.size().height() : 0;
  const QSizeF room = rect.size() / textScale_;
  const double inset = insetOf(textScale_);
  const double y = (room.height() - titleHeight - subHeight) / 2;
  if (node.collapsed) {
    painter.setPen(QPen(colors.muted, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF c(rect.right() - 7, rect.center().y());
    const QPointF right[] = {c + QPointF(-1.5, -3.5), c + QPointF(1.5, 0), c + QPointF(-1.5, 3.5)};
    painter.drawPolyline(right, 3);
  }
  painter.save();
  painter.translate(rect.topLeft());
  painter.scale(textScale_, textScale_);
  painter.setPen(colors.text);
  painter.setFont(text.regular ? tailFont_ : titleFont_);
  painter.drawStaticText(QPointF(inset, y), text.head);
  if (!text.tail.text().isEmpty()) {
    painter.setFont(tailFont_);
    painter.setPen(mix(colors.text, colors.muted, 0.4));
    painter.drawStaticText(QPointF(inset + text.headWidth + 5, y), text.tail);
  }
  painter.setFont(subFont_);
  painter.setPen(colors.muted);
  if (text.twoLines)
    painter.drawStaticText(QPointF(inset, y + titleHeight), text.sub);
  if (!text.badge.text().isEmpty())
    painter.drawStaticText(
        QPointF(room.width() - 14 - text.badgeWidth, y + (titleHeight - text.badge.size().height()) / 2), text.badge);
  painter.restore();
}

/// Selection, current search hit, search hit: from the strongest to the weakest.
void GraphPainter::paintNodeRings(Frame &frame, int index, const QRectF &rect, double radius) {
  const NodeData &node = scene_.data().nodes[index];
  const GraphPaintState &state = frame.state;
  bool isEnd = state.currentEdge >= 0 && (scene_.data().edges[state.currentEdge].from == node.id ||
                                          scene_.data().edges[state.currentEdge].to == node.id);
  bool selected = isEnd || state.selected.contains(node.id), match = isSet(state.matches, index);
  if (!selected && !match)
    return;
  bool currentMatch = node.id == state.currentMatch;
  QColor color = selected ? theme_->accent : currentMatch ? theme_->matchCurrent : theme_->match;
  QPainter &painter = frame.painter;
  painter.setBrush(Qt::NoBrush);
  if (selected || currentMatch) {
    QColor halo = color;
    halo.setAlphaF(state.focused || currentMatch ? 0.28f : 0.15f);
    painter.setPen(frame.pen(halo, 6));
    painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), radius + 1, radius + 1);
  }
  painter.setPen(frame.pen(color, 2));
  painter.drawRoundedRect(rect, radius, radius);
  if (selected && match) {
    painter.setPen(frame.pen(currentMatch ? theme_->matchCurrent : theme_->match, 2));
    painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), radius + 3, radius + 3);
  }
}

/// A sign beside the colour, for those who do not see the colour.
void GraphPainter::paintChangeBadge(Frame &frame, const QRectF &rect, Change change) {
  QPainter &painter = frame.painter;
  QPointF c(rect.right() - 2, rect.top() + 2);
  QColor color = theme_->change(change);
  painter.setPen(QPen(theme_->canvas, 1.5));
  painter.setBrush(color);
  painter.drawEllipse(c, 7, 7);
  painter.setPen(QPen(readableOn(color), 1.6, Qt::SolidLine, Qt::RoundCap));
  if (change == Change::Changed) {
    QPainterPath wave(c + QPointF(-3.5, 0.8));
    wave.cubicTo(c + QPointF(-1.5, -3), c + QPointF(1.5, 3), c + QPointF(3.5, -0.8));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(wave);
    return;
  }
  painter.drawLine(c - QPointF(3.5, 0), c + QPointF(3.5, 0));
  if (change == Change::Added)
    painter.drawLine(c - QPointF(0, 3.5), c + QPointF(0, 3.5));
}

} // namespace fuselage
