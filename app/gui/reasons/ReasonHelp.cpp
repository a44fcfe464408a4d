#include "app/gui/reasons/ReasonHelp.h"
#include "app/gui/shell/Settings.h"
#include "core/protocol/methods/BufferMethods.h"
#include "core/protocol/methods/FusionMethods.h"
#include "views/panels/ReasonPanel.h"
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QSaveFile>
#include <QTextBrowser>

using namespace Qt::StringLiterals;

namespace fuselage {

ReasonHelp::ReasonHelp(Shell &shell, Reasons of, const QString &about, QObject *parent)
    : QObject(parent), shell_(shell), of_(of), panel_([this, about] { return make(about); }) {}

ReasonPanel &ReasonHelp::panel() const { return panel_.get(); }

ReasonPanel *ReasonHelp::make(const QString &about) {
  auto *panel = new ReasonPanel(&reasons_);
  connect(panel, &ReasonPanel::exampleRequested, this, &ReasonHelp::openExample);
  panel->page()->setPlaceholderText(about);
  panel->installEventFilter(this); // before it is shown
  return panel;
}

void ReasonHelp::openExample(const QString &code, const QString &text) {
  const QString folder = shell_.settings().dataFolder() + u"/examples"_s;
  const QString path = u"%1/%2.mlir"_s.arg(folder, code);
  if (!QFileInfo::exists(path)) {
    QSaveFile file(path);
    if (!QDir().mkpath(folder) || !file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0 || !file.commit())
      return shell_.tell(tr("The example cannot be written to %1").arg(QDir::toNativeSeparators(folder)));
  }
  emit shell_.fileDropped(path); // beside what is open
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
  if (event->type() == QEvent::Show && reasons_.isEmpty()) // of the panel
    explain({});
  return QObject::eventFilter(watched, event);
}

template <class Method> void ReasonHelp::ask(const QString &code) {
  shell_.session().client().call<Method, protocol::ReasonHelps>({}, this,
                                                                [this, code](const protocol::ReasonHelps &help) {
                                                                  reasons_.setReasons(help.reasons);
                                                                  panel_->showReason(code.isEmpty() ? first() : code);
                                                                });
}

} // namespace fuselage
