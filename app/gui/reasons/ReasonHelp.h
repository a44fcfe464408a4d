// The pages on reasons of one kind: a panel, and its texts from the engine, asked for once.
#pragma once
#include "app/bridge/EngineSession.h"
#include "views/models/ReasonModel.h"

namespace fuselage {

class ReasonPanel;

class ReasonHelp : public QObject {
  Q_OBJECT
public:
  /// `method` answers with protocol::ReasonHelps; `about` stands where no page is open.
  ReasonHelp(EngineSession &session, QString method, const QString &about, QObject *parent);
  ReasonPanel &panel() const { return *panel_; }
  /// Opens a reason's page as soon as it is there; empty: the first.
  void explain(const QString &code);

private:
  QString first() const;
  EngineSession &session_;
  QString method_;
  ReasonModel reasons_;
  ReasonPanel *panel_;
};

} // namespace fuselage
