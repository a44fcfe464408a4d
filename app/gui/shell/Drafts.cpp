#include "app/gui/shell/Drafts.h"
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QSaveFile>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Soon enough for a kill, late enough for fast typing. It is not started anew by each key.
static constexpr int writeAfterMs = 150;
static constexpr int retryAfterMs = 5000;

static QString untitled(int number) { return u"untitled-%1"_s.arg(number); }

Drafts::Drafts(const QString &folder, QObject *parent) : QObject(parent), folder_(folder) {
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &Drafts::flush);
}

Drafts::~Drafts() { flush(); }

QString Drafts::fileOf(const Name &name) const {
  const QByteArray words = (name.editor + u'\n' + name.tab).toUtf8();
  return QString::fromLatin1(QCryptographicHash::hash(words, QCryptographicHash::Sha1).toHex()) + u".json"_s;
}

/// Editor and tab are in the file, so that drafts can be listed.
void Drafts::keep(const Name &name, const QJsonObject &draft) {
  const QString file = fileOf(name);
  if (draft.isEmpty() && !pending_.contains(file) && !QFile::exists(folder_ + u'/' + file))
    return;
  pending_[file] = draft.isEmpty() ? QJsonObject()
                                   : QJsonObject{{u"editor"_s, name.editor}, {u"tab"_s, name.tab}, {u"draft"_s, draft}};
  if (!timer_.isActive() || timer_.interval() != writeAfterMs)
    timer_.start(writeAfterMs);
}

static QJsonObject readFile(const QString &path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

QJsonObject Drafts::find(const Name &name) const {
  const QString file = fileOf(name);
  const QJsonObject found = pending_.contains(file) ? pending_.value(file) : readFile(folder_ + u'/' + file);
  return found["draft"_L1].toObject();
}

QStringList Drafts::unclaimedTabs() const {
  QSet<QString> tabs;
  for (const QString &file : QDir(folder_).entryList({u"*.json"_s}, QDir::Files)) {
    const QJsonObject found = pending_.contains(file) ? pending_.value(file) : readFile(folder_ + u'/' + file);
    const QString tab = found["tab"_L1].toString();
    if (tab.startsWith("untitled-"_L1) && !claimed_.contains(tab))
      tabs.insert(tab);
  }
  QStringList list(tabs.begin(), tabs.end());
  list.sort();
  return list;
}

QString Drafts::claimTab() {
  QString tab = unclaimedTabs().value(0);
  if (tab.isEmpty())
    tab = freeTab(claimed_);
  claimed_.insert(tab);
  return tab;
}

QString Drafts::freeTab(const QSet<QString> &taken) const {
  int number = 1;
  while (taken.contains(untitled(number)))
    ++number;
  return untitled(number);
}

void Drafts::adopt(const QString &folder) {
  QDir from(folder);
  QHash<QString, QString> renamed; ///< of one tab, all drafts go to one
  for (const QString &file : from.entryList({u"*.json"_s}, QDir::Files)) {
    const QJsonObject found = readFile(from.filePath(file));
    const QString editor = found["editor"_L1].toString(), tab = found["tab"_L1].toString();
    if (!QFile::exists(folder_ + u'/' + file)) {
      if (QDir().mkpath(folder_))
        QFile::rename(from.filePath(file), folder_ + u'/' + file);
      continue;
    }
    if (editor != "schedule"_L1 && editor != "pipeline"_L1)
      continue;
    if (!renamed.contains(tab)) {
      const QStringList others = unclaimedTabs();
      renamed.insert(tab, freeTab(claimed_ + QSet<QString>(others.begin(), others.end())));
    }
    QString why;
    const QJsonObject moved{{u"editor"_s, editor}, {u"tab"_s, renamed[tab]}, {u"draft"_s, found["draft"_L1]}};
    if (write(fileOf({editor, renamed[tab]}), moved, why))
      from.remove(file);
  }
}

/// QSaveFile leaves the last draft in place where the disk is full, if it is told to flush: commit() does not see that
/// the last bytes were not written.
bool Drafts::write(const QString &file, const QJsonObject &draft, QString &why) const {
  const QString path = folder_ + u'/' + file;
  if (draft.isEmpty()) {
    if (!QFile::exists(path) || QFile::remove(path))
      return true;
    why = tr("the file cannot be removed");
    return false;
  }
  if (!QDir().mkpath(folder_)) {
    why = tr("the folder cannot be made");
    return false;
  }
  QSaveFile save(path);
  const QByteArray bytes = QJsonDocument(draft).toJson(QJsonDocument::Compact);
  if (save.open(QIODevice::WriteOnly) && save.write(bytes) == bytes.size() && save.flush() && save.commit())
    return true;
  why = save.errorString();
  return false;
}

bool Drafts::flush() {
  timer_.stop();
  QString why;
  for (auto it = pending_.begin(); it != pending_.end();)
    it = write(it.key(), it.value(), why) ? pending_.erase(it) : std::next(it);
  const bool isWritten = pending_.isEmpty();
  if (!isWritten)
    timer_.start(retryAfterMs);
  if (!std::exchange(hasFailed_, !isWritten) && !isWritten)
    emit failed(why);
  return isWritten;
}

} // namespace fuselage
