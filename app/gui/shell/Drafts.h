// What is typed and not saved yet, in a file each, so that a program that is killed loses nothing of it.
#pragma once
#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QSet>
#include <QTimer>

namespace fuselage {

/// One folder of drafts for all windows of a program. A draft belongs to an editor ("schedule", "notes", ..) of a tab,
/// which is called by the path of its document, or by a name from claimTab() while it has none.
class Drafts : public QObject {
  Q_OBJECT
public:
  struct Name {
    QString editor, tab;
  };
  explicit Drafts(const QString &folder, QObject *parent = nullptr);
  ~Drafts() override;

  const QString &folder() const { return folder_; }
  /// Writes it shortly. Of several, the last one counts; an empty one removes the file.
  void keep(const Name &name, const QJsonObject &draft);
  /// Empty: there is none.
  QJsonObject find(const Name &name) const;
  /// The tabs without a document that have drafts and that no window has claimed, sorted.
  QStringList unclaimedTabs() const;
  /// A name for a tab without a document: the first of unclaimedTabs(), else a new one.
  QString claimTab();
  void releaseTab(const QString &tab) { claimed_.remove(tab); }
  /// Moves the drafts of another folder here, of a window that was killed. Texts that would replace one of here become
  /// those of a tab without a document; notes and knobs stay there.
  void adopt(const QString &folder);
  /// Writes now what is still to be written. False: something could not be written, and is tried again.
  bool flush();

signals:
  /// Once, until writing works again.
  void failed(const QString &why);

private:
  QString fileOf(const Name &name) const;
  QString freeTab(const QSet<QString> &taken) const;
  bool write(const QString &file, const QJsonObject &draft, QString &why) const;

  QString folder_;
  QHash<QString, QJsonObject> pending_; ///< by file
  QSet<QString> claimed_;
  QTimer timer_;
  bool hasFailed_ = false;
};

} // namespace fuselage
