#include "app/gui/document/StartPage.h"
#include "app/gui/shell/Settings.h"
#include "views/start/Welcome.h"
#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSet>
#include <QSvgRenderer>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Twice as wide as cards are, for screens at scale 2.
static constexpr int pictureWidth = 420;

static QString tr(const char *text) { return QCoreApplication::translate("StartPage", text); }

static QImage drawingOf(const QString &sample) {
  QSvgRenderer drawing(u":/start/%1.svg"_s.arg(sample));
  if (!drawing.isValid())
    return {};
  const QSizeF size = drawing.defaultSize();
  QImage image(pictureWidth, int(pictureWidth * size.height() / size.width()), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::white);
  QPainter painter(&image);
  drawing.render(&painter);
  return image;
}

QList<SampleFile> StartPage::samples() {
  const QList<QPair<QString, QString>> known{
      {u"softmax"_s, tr("Softmax as exported: 2 dispatches, 1 after Fuse All")},
      {u"matmul_transpose_bias"_s, tr("A linear layer: 2 dispatches, 1 after Fuse All")},
      {u"mlp_gelu"_s, tr("BERT's feed-forward block with GELU: 2 dispatches")},
      {u"conv_bias_relu"_s, tr("A padded convolution with bias and ReLU: 1 dispatch")},
      {u"int4_dequant_matmul"_s, tr("Weights of 4 bits, dequantized on the fly: 1 dispatch")},
      {u"dynamic_matmul"_s, tr("A batch whose size is known only when it runs: 1 dispatch")},
      {u"transpose_slice_reshape"_s, tr("Ops that only move data: 3 dispatches, 2 after Fuse All")},
      {u"bert_attention"_s, tr("Self-attention of BERT-base: 15 dispatches, 2 after Fuse All")},
  };
  QList<SampleFile> list;
  for (const auto &[name, line] : known)
    list.append({.name = name, .line = line, .picture = {}});
  return list;
}

static QList<SampleFile> withPictures(QList<SampleFile> samples) {
  for (SampleFile &sample : samples)
    sample.picture = drawingOf(sample.name);
  return samples;
}

/// The latest entries of the change log, a sentence each.
static QString news() {
  constexpr qsizetype entriesShown = 6;
  QFile file(u":/CHANGELOG.md"_s);
  if (!file.open(QIODevice::ReadOnly))
    return {};
  const QString added = QString::fromUtf8(file.readAll()).section(u"### Added\n"_s, 1, 1).section(u"\n#"_s, 0, 0);
  QStringList entries;
  static const QRegularExpression begin(u"(?:^|\\n)- "_s), end(u"[.;](?:\\s|$)"_s);
  for (QString entry : added.split(begin, Qt::SkipEmptyParts)) {
    entry = entry.simplified();
    entries.append(u"- "_s + entry.left(entry.indexOf(end)));
    if (entries.size() == entriesShown)
      break;
  }
  return entries.join(u'\n');
}

StartPage::StartPage(Welcome &page, Settings &settings) : page_(page), settings_(settings) {
  QObject::connect(&page, &Welcome::appeared, &page, [this] {
    page_.setSamples(withPictures(samples()));
    page_.setNews(news());
    hasAppeared_ = true;
    listRecentFiles();
  });
}

QString StartPage::pictureOf(const QString &path) const {
  const QByteArray name = QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex();
  return u"%1/views/%2.png"_s.arg(settings_.dataFolder(), QString::fromLatin1(name));
}

/// Of files that are offered, and no others.
void StartPage::keepPicture(const QString &path, const QImage &picture) const {
  const QString file = pictureOf(path);
  QSet<QString> kept{file};
  for (const QString &recent : settings_.recentFiles())
    kept.insert(pictureOf(recent));
  for (const QFileInfo &old : QDir(QFileInfo(file).path()).entryInfoList({u"*.png"_s}, QDir::Files))
    if (!kept.contains(old.filePath()))
      QFile::remove(old.filePath());
  if (QDir().mkpath(QFileInfo(file).path()))
    picture.scaledToWidth(pictureWidth, Qt::SmoothTransformation).save(file, "PNG");
}

/// "Diff of step 4", as the controllers remember it.
static QString viewOf(const QJsonObject &state) {
  const QString view = state["view"_L1].toString();
  const int row = state["row"_L1].toInt();
  if (view.isEmpty())
    return {};
  return row > 0 ? tr("%1 of step %2").arg(view).arg(row - 1) : view;
}

void StartPage::listRecentFiles() {
  if (!hasAppeared_)
    return;
  QList<RecentFile> files;
  const QStringList paths = settings_.recentFiles();
  const QHash<QString, QJsonObject> states = settings_.documentStates();
  for (const QString &path : paths.first(std::min(Welcome::recentShown, paths.size())))
    files.append({.path = path, .view = viewOf(states.value(path)), .picture = QImage(pictureOf(path))});
  page_.setRecentFiles(files);
}

QString StartPage::copyOf(const QString &sample) const {
  const QString folder = u"%1/samples"_s.arg(settings_.dataFolder());
  const QString path = u"%1/%2.mlir"_s.arg(folder, sample);
  if (!QFileInfo::exists(path) && (!QDir().mkpath(folder) || !QFile::copy(u":/samples/%1.mlir"_s.arg(sample), path)))
    return {};
  // What comes from resources is read only; the user's copy is the user's.
  QFile::setPermissions(path, QFile::permissions(path) | QFile::WriteOwner);
  return path;
}

} // namespace fuselage
