#include "app/gui/watch/FileWatch.h"
#include <QDateTime>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QHashFunctions>
#include <array>
#include <utility>

namespace fuselage {

/// An editor that writes a file is done by then, most of the time.
static constexpr int settleMs = 120;
static constexpr int lookMs = 2000;
/// A file that is being replaced is there again by then: so many looks, settleMs apart.
static constexpr int missesAllowed = 5;
/// Of larger files, both ends and the time are compared: they are read in moments.
static constexpr qint64 wholeBytes = 16 << 20, endBytes = 1 << 20;
static constexpr int entriesCompared = 10'000;

FileWatch::FileWatch(QObject *parent) : QObject(parent) {
  reader_.moveToThread(&thread_);
  thread_.setObjectName("file watch");
  soon_.setSingleShot(true);
  soon_.setInterval(settleMs);
  often_.setInterval(lookMs);
  connect(&soon_, &QTimer::timeout, this, &FileWatch::lookAtAll);
  connect(&often_, &QTimer::timeout, this, &FileWatch::lookAtAll);
  const auto lookSoon = [this] {
    if (!soon_.isActive()) // a folder with much going on must not put it off
      soon_.start();
  };
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, lookSoon);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, lookSoon);
}

FileWatch::~FileWatch() {
  thread_.quit();
  thread_.wait();
}

void FileWatch::setFiles(const QStringList &paths) {
  for (const QString &path : files_.keys())
    if (!paths.contains(path)) {
      files_.remove(path);
      watcher_.removePath(path);
    }
  for (const QString &path : paths)
    if (!path.isEmpty() && !files_.contains(path)) {
      files_.insert(path, {});
      lookAt(path);
    }
  if (files_.isEmpty())
    return often_.stop();
  if (!thread_.isRunning())
    thread_.start(QThread::LowPriority);
  often_.start();
}

void FileWatch::accept(const QString &path) {
  const auto file = files_.find(path);
  if (file == files_.end())
    return;
  const int reading = file->reading + 1;
  *file = {};
  file->reading = reading;
  lookAt(path);
}

/// A watch ends with the file, and a folder tells of one that takes its place.
void FileWatch::arm(const QString &path) {
  const QString folder = QFileInfo(path).path();
  if (!watcher_.directories().contains(folder))
    watcher_.addPath(folder);
  if (!watcher_.files().contains(path) && !watcher_.directories().contains(path))
    watcher_.addPath(path);
}

namespace {

/// Tells whether contents are others, not whether somebody made them look alike: a cryptographic hash would keep one of
/// two processors busy while the engine builds the graph.
class Contents {
public:
  void add(const QByteArray &bytes) {
    for (size_t &half : halves_)
      half = qHashBits(bytes.constData(), size_t(bytes.size()), half | 1); // without a seed, it is a weaker one
  }
  QByteArray result() const { return {reinterpret_cast<const char *>(halves_.data()), sizeof(halves_)}; }

private:
  std::array<size_t, 2> halves_{0x5bd1e995, 0x9e3779b1};
};

} // namespace

static void addFolder(Contents &contents, const QString &path) {
  QDirIterator entries(path, QDir::Files, QDirIterator::Subdirectories);
  QStringList lines;
  while (entries.hasNext() && lines.size() < entriesCompared) {
    const QFileInfo entry = entries.nextFileInfo();
    lines.append(QStringLiteral("%1 %2 %3")
                     .arg(entry.filePath())
                     .arg(entry.size())
                     .arg(entry.lastModified().toMSecsSinceEpoch()));
  }
  lines.sort();
  contents.add(lines.join(u'\n').toUtf8());
}

static void addFile(Contents &contents, const QString &path, qint64 size, qint64 time) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return;
  if (size <= wholeBytes) {
    while (!file.atEnd())
      contents.add(file.read(endBytes));
    return;
  }
  contents.add(file.read(endBytes));
  file.seek(size - endBytes);
  contents.add(file.read(endBytes));
  contents.add(QByteArray::number(time));
}

FileWatch::Print FileWatch::look(const QString &path, const Print &last) {
  const QFileInfo info(path);
  if (!info.exists())
    return {};
  Print print{.exists = true, .size = info.size(), .time = info.lastModified().toMSecsSinceEpoch()};
  if (!info.isDir() && last.exists && print.size == last.size && print.time == last.time) {
    print.hash = last.hash;
    return print;
  }
  Contents contents;
  if (info.isDir())
    addFolder(contents, path);
  else
    addFile(contents, path, print.size, print.time);
  print.hash = contents.result();
  return print;
}

void FileWatch::lookAt(const QString &path) {
  const File &file = files_[path];
  QMetaObject::invokeMethod(
      &reader_,
      [this, path, reading = file.reading, last = file.seen] {
        const Print print = look(path, last);
        QMetaObject::invokeMethod(this, [this, path, reading, print] { take(path, reading, print); });
      },
      Qt::QueuedConnection);
}

void FileWatch::lookAtAll() {
  for (const QString &path : files_.keys())
    lookAt(path);
}

void FileWatch::take(const QString &path, int reading, const Print &print) {
  const auto found = files_.find(path);
  if (found == files_.end() || found->reading != reading)
    return;
  File &file = *found;
  const QByteArray before = std::exchange(file.seen, print).hash;
  if (print.exists)
    arm(path);
  if (!file.isKnown || !file.known.exists) { // also where it is on the engine's machine
    file.isKnown = true;
    file.known = print;
    return;
  }
  if (!print.exists) {
    if (file.isGone)
      return;
    if (++file.misses < missesAllowed)
      return soon_.start();
    file.isGone = file.isReported = true;
    emit gone(path);
    return;
  }
  file.misses = 0;
  const bool wasGone = std::exchange(file.isGone, false);
  if (print.hash == file.known.hash) {
    if (std::exchange(file.isReported, false))
      emit back(path);
  } else if (print.hash != before || wasGone || !file.isReported) {
    file.isReported = true;
    emit changed(path);
  }
}

} // namespace fuselage
