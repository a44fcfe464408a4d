#include "app/gui/learn/LessonPictures.h"
#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>

using namespace Qt::StringLiterals;

namespace fuselage {

/// As in core/lessons/LessonPicture.h.
static constexpr qint64 mostFileBytes = qint64(4) << 20;
static constexpr int mostSide = 8192;

static bool isInFolder(const QString &folder, const QString &name) {
  if (name.isEmpty() || name.contains(u".."_s) || name.startsWith(u'/') || name.contains(u':'))
    return false;
  if (folder.startsWith(u":/"_s))
    return true;
  const QString inside = QFileInfo(folder).canonicalFilePath() + u'/'; // where links lead
  return QFileInfo(folder + u'/' + name).canonicalFilePath().startsWith(inside);
}

static QImage paper(QSize size, qreal ratio) {
  QImage image(size * ratio, QImage::Format_RGB32);
  image.fill(Qt::white);
  image.setDevicePixelRatio(ratio);
  return image;
}

/// By links, or entities, which may hide links: drawing it would read what it names.
static bool refersToFiles(const QByteArray &svg) {
  static const QRegularExpression link(u"href\\s*+=\\s*+(?![\"'](?:#|data:))"_s);
  return svg.contains("<!ENTITY") || QString::fromLatin1(svg).contains(link);
}

/// As text: what is compressed unpacks to any size.
static QImage drawSvg(const QByteArray &bytes, QSize most, qreal ratio) {
  constexpr qsizetype prolog = 4096;
  if (!bytes.left(prolog).contains("<svg") || refersToFiles(bytes))
    return {};
  QSvgRenderer drawing(bytes);
  if (!drawing.isValid() || drawing.defaultSize().isEmpty())
    return {};
  QImage image = paper(drawing.defaultSize().scaled(most, Qt::KeepAspectRatio).expandedTo({1, 1}), ratio);
  QPainter painter(&image);
  drawing.render(&painter, QRectF(QPointF(), image.deviceIndependentSize()));
  return image;
}

static QImage readPixels(const QByteArray &bytes, QSize most, qreal ratio) {
  QBuffer buffer;
  buffer.setData(bytes);
  QImageReader reader(&buffer);
  const QSize size = reader.size();
  if (size.isEmpty() || std::max(size.width(), size.height()) > mostSide)
    return {};
  const bool fits = size.width() <= most.width() && size.height() <= most.height();
  const QSize shown = fits ? size : size.scaled(most, Qt::KeepAspectRatio).expandedTo({1, 1});
  reader.setScaledSize(shown * ratio);
  const QImage picture = reader.read();
  if (picture.isNull())
    return {};
  QImage image = paper(shown, ratio);
  QPainter(&image).drawImage(QRectF(QPointF(), QSizeF(shown)), picture);
  return image;
}

QImage pictureOfLesson(const QString &folder, const QString &name, QSize most, qreal ratio) {
  QFile file(folder + u'/' + name);
  if (!isInFolder(folder, name) || !QFileInfo(file.fileName()).isFile() || file.size() > mostFileBytes ||
      !file.open(QIODevice::ReadOnly))
    return {};
  const QByteArray bytes = file.read(mostFileBytes);
  const QString ending = QFileInfo(name).suffix();
  if (ending == "svg"_L1)
    return drawSvg(bytes, most, ratio);
  return ending == "png"_L1 || ending == "jpg"_L1 || ending == "jpeg"_L1 ? readPixels(bytes, most, ratio) : QImage();
}

QImage pictureOf(const protocol::Lesson &lesson, QSize most, qreal ratio) {
  const bool isListed = !lesson.folder.contains(u'/'); // by its name
  return lesson.picture.isEmpty()
             ? QImage()
             : pictureOfLesson(isListed ? u":/lessons/"_s + lesson.folder : lesson.folder, lesson.picture, most, ratio);
}

} // namespace fuselage
