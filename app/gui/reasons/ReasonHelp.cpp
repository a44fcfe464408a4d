#include "app/gui/reasons/ReasonHelp.h"
#include "views/panels/ReasonPanel.h"
#include <QTextBrowser>

namespace fuselage {

ReasonHelp::ReasonHelp(EngineSession &session, QString method, const QString &about, QObject *parent)
    : QObject(parent), session_(session), method_(std::move(method)), panel_(new ReasonPanel(&reasons_)) {
  panel_->page()->setPlaceholderText(about);
}

QString ReasonHelp::first() const { return reasons_.index(0).data(ReasonModel::CodeRole).toString(); }

void ReasonHelp::explain(const QString &code) {
  if (!reasons_.isEmpty()) {
    panel_->showReason(code.isEmpty() ? first() : code);
    return;
  }
  panel_->showReason(code);
  session_.client().call<protocol::ReasonHelps>(method_, {}, this, [this, code](const protocol::ReasonHelps &help) {
    reasons_.setReasons(help.reasons);
    panel_->showReason(code.isEmpty() ? first() : code);
  });
}

} // namespace fuselage
