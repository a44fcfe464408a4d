// Whether files are still what they were when they were read.
#pragma once
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QThread>
#include <QTimer>

namespace fuselage {

/// Compares content, so that a file that was only touched, or was written again as it was, is no news. Notified by the
/// system, also where an editor replaces a file by another one; and looks from time to time, since a file system over
/// the network may notify nobody. Files are read in a thread of their own: such a file system may hang, too.
class FileWatch : public QObject {
  Q_OBJECT
public:
  explicit FileWatch(QObject *parent = nullptr);
  ~FileWatch() override;

  /// Files or folders. Those that were watched before and are not among them are forgotten; the content of new ones is
  /// the known one from now on. One that is not there is watched from when it comes.
  void setFiles(const QStringList &paths);
  /// The content of now is the known one: it was read again, was written by us, or is not wanted.
  void accept(const QString &path);

signals:
  /// Once for each content that is not the known one.
  void changed(const QString &path);
  /// Once, and not while an editor replaces it.
  void gone(const QString &path);
  /// After one of the others: with the known content.
  void back(const QString &path);

private:
  /// What can be seen of a file from outside, and a hash of what is in it.
  struct Print {
    bool exists = false;
    qint64 size = 0, time = 0;
    QByteArray hash{};
  };
  struct File {
    bool isKnown = false; ///< `known` was read
    Print known, seen;
    bool isGone = false, isReported = false;
    int misses = 0;
    int reading = 0; ///< the content known: answers of a smaller number are about another one
  };
  static Print look(const QString &path, const Print &last);
  void arm(const QString &path);
  void lookAt(const QString &path);
  void lookAtAll();
  void take(const QString &path, int reading, const Print &print);

  QFileSystemWatcher watcher_;
  QHash<QString, File> files_;
  QTimer soon_, often_;
  QThread thread_;
  QObject reader_; ///< lives in thread_
};

} // namespace fuselage
