// Trials that journals have.
#pragma once
#include "views/messages/TuneTypes.h"
#include <QObject>

class QWidget;

namespace fuselage {

class EngineSession;

class TuneJournals : public QObject {
  Q_OBJECT
public:
  TuneJournals(EngineSession &session, QWidget &window, QObject *parent);

  /// The user says which file, and of several works which one.
  void choose(const QString &objective);
  /// That at `path`; empty: the window's own.
  void show(const QString &path, const QString &objective);

signals:
  /// The trials of one work, and what to call them.
  void chosen(const QList<protocol::TuneTrial> &trials, const QString &name);
  void failed(const QString &why);

private:
  void take(const protocol::TuneJournal &journal);

  EngineSession &session_;
  QWidget &window_;
};

} // namespace fuselage
