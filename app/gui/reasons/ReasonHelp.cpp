#include "app/gui/reasons/ReasonHelp.h"
#include "core/protocol/methods/BufferMethods.h"
#include "core/protocol/methods/FusionMethods.h"
#include "views/panels/ReasonPanel.h"
#include <QEvent>
#include <QTextBrowser>

namespace fuselage {

ReasonHelp::ReasonHelp(EngineSession &session, Reasons of, const QString &about, QObject *parent)
    : QObject(parent), session_(session), of_(of), panel_(new ReasonPanel(&reasons_)) {
  panel_->page()->setPlaceholderText(about);
  panel_->installEventFilter(this);
}

QString ReasonHelp::first() const { return reasons_.index(0).data(ReasonModel::CodeRole).toString(); }

void ReasonHelp::explain(const QString &code) {
  if (!reasons_.isEmpty()) {
    panel_->showReason(code.isEmpty() ? first() : code);
    return;
  }
  panel_->showReason(code);
  of_ == Reasons::Fusion ? ask<method::FusionHelp>(code) : ask<method::BufferHelp>(code);
}

bool ReasonHelp::eventFilter(QObject *watched, QEvent *event) {
  if (watched == panel_ && event->type() == QEvent::Show && reasons_.isEmpty())
    explain({});
  return QObject::eventFilter(watched, event);
}

template <class Method> void ReasonHelp::ask(const QString &code) {
  session_.client().call<Method, protocol::ReasonHelps>({}, this, [this, code](const protocol::ReasonHelps &help) {
    reasons_.setReasons(help.reasons);
    panel_->showReason(code.isEmpty() ? first() : code);
  });
}

} // namespace fuselage
