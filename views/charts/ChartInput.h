// What charts do alike with tool tips and keys.
#pragma once
#include <QPoint>
#include <QString>
#include <functional>
#include <optional>

class QEvent;
class QKeyEvent;
class QWidget;

namespace fuselage {

/// Of what is out of date.
constexpr double staleOpacity = 0.5;

/// Shows over `chart` what `textAt` says of the event's place; of an empty text nothing. False: it is no event of a
/// tool tip.
bool showChartToolTip(QEvent *event, QWidget *chart, const std::function<QString(const QPoint &)> &textAt);

/// Where a key leads among `count` items in a row: arrows along `along` go back and forward, Home and End to the ends,
/// Enter stays at `now` (-1: none, which is the first). nullopt: the key means nothing here.
std::optional<int> itemByKey(const QKeyEvent &event, Qt::Orientations along, int now, int count);

} // namespace fuselage
