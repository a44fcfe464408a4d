#include "views/widgets/Icons.h"
#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// Renders an SVG with `currentColor` replaced, at the size and scale that is asked for.
class LineIconEngine : public QIconEngine {
public:
  LineIconEngine(QString name, QColor colour) : name_(std::move(name)), colour_(colour) {}

  void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override {
    QFile file(u":/icons/%1.svg"_s.arg(name_));
    if (!file.open(QIODevice::ReadOnly))
      return;
    const QPalette palette = QGuiApplication::palette();
    QColor colour = colour_.isValid() ? colour_ : palette.color(QPalette::Active, QPalette::ButtonText);
    if (mode == QIcon::Disabled)
      colour = palette.color(QPalette::Disabled, QPalette::ButtonText);
    else if (mode == QIcon::Selected && !colour_.isValid())
      colour = palette.color(QPalette::HighlightedText);
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name(QColor::HexRgb).toUtf8());
    QSvgRenderer(svg).render(painter, rect);
  }

  QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1.0);
  }

  QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
    // `size` is in device pixels already.
    Q_UNUSED(scale);
    const QString key = u"line:%1:%2x%3:%4:%5:%6"_s.arg(name_)
                            .arg(size.width())
                            .arg(size.height())
                            .arg(int(mode))
                            .arg(colour_.isValid() ? colour_.name() : u"-"_s)
                            .arg(QGuiApplication::palette().cacheKey());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
      return pixmap;
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect({}, size), mode, state);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
  }

  QIconEngine *clone() const override { return new LineIconEngine(name_, colour_); }

private:
  QString name_;
  QColor colour_;
};
} // namespace

QIcon lineIcon(const QString &name) { return lineIcon(name, QColor()); }

QIcon lineIcon(const QString &name, const QColor &colour) { return QIcon(new LineIconEngine(name, colour)); }

} // namespace fuselage
