// The texts of the snapshots, fetched from the engine as they are looked at.
#pragma once
#include "app/bridge/EngineSession.h"
#include "views/common/TextSource.h"
#include <map>
#include <memory>

namespace fuselage {

/// One source a snapshot. A source lives until its snapshot is dropped, or until it was not asked
/// for while many others were.
class SnapshotTexts : public QObject {
  Q_OBJECT
public:
  explicit SnapshotTexts(EngineSession &session, QObject *parent = nullptr);
  ~SnapshotTexts() override;

  /// Never null; empty until the engine has answered.
  TextSource *of(int snapshot);
  /// The text has arrived, so far as the view needs it.
  bool isLoaded(int snapshot) const;
  /// Forgets the snapshots from this number on; the views must let go of their sources first.
  void dropFrom(int snapshot);
  /// After a restart of the engine: asks again for what it still owes.
  void retry();

signals:
  void loaded(int snapshot);
  void failed(int snapshot, const QString &message);

private:
  struct Text {
    std::unique_ptr<PagedTextSource> source;
    bool started = false;
    bool starting = false;
    quint64 used = 0;
  };
  void begin(int snapshot);
  void fetch(int snapshot, int first, int count);
  void fetchLines(int snapshot, int first, int count);
  void evict();
  EngineSession &session_;
  std::map<int, Text> texts_;
  quint64 clock_ = 0;
  quint64 epoch_ = 0;
};

} // namespace fuselage
