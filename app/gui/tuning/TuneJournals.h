// Trials that journals have.
#pragma once
#include "app/bridge/RequestWriter.h"
#include "core/protocol/methods/TuneMethods.h"
#include "views/messages/TuneTypes.h"
#include <QObject>
#include <functional>

class QWidget;

namespace fuselage {

class EngineSession;

/// Reads the trials of one work page by page, so that a journal of any length leaves window and engine free for
/// something else in between.
class TuneJournals : public QObject {
  Q_OBJECT
public:
  /// Trials of a page.
  static constexpr int pageSize = 2500;

  TuneJournals(EngineSession &session, QWidget &window, QObject *parent);

  /// The user says which file, and of several works which one.
  void choose(const QString &objective);
  /// That at `path`; empty: the window's own.
  void show(const QString &path, const QString &objective);
  /// What is still to be read is left out.
  void stop();
  bool isReading() const { return asked_ != 0; }

signals:
  /// The trials of a work are to come.
  void begun();
  /// The next ones; `text` says of what they are, and how many there are so far.
  void arrived(const QList<protocol::TuneTrial> &trials, const QString &text);
  void failed(const QString &why);

private:
  void ask(int from, int count, std::function<void(const protocol::TuneJournal &)> take);
  /// The user says of which work, where there are several; -1: of none.
  int chooseWork(const protocol::TuneJournal &journal);
  void askPage(int from);

  EngineSession &session_;
  QWidget &window_;
  protocol::Request<method::ReadJournal> work_;
  QString name_; ///< of the work
  quint64 asked_ = 0;
};

} // namespace fuselage
