#include "views/panels/LogPanel.h"
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QTime>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Older lines go.
static constexpr int linesKept = 5000;

LogPanel::LogPanel(QWidget *parent) : QWidget(parent), text_(new QPlainTextEdit(this)) {
  text_->setReadOnly(true);
  text_->setFrameShape(QFrame::NoFrame);
  text_->setMaximumBlockCount(linesKept);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  text_->setPlaceholderText(tr("The engine has printed nothing yet."));
  text_->setAccessibleName(tr("Engine log"));
  setFocusProxy(text_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(text_);
}

void LogPanel::append(const QString &line) {
  text_->appendPlainText(u"%1  %2"_s.arg(QTime::currentTime().toString(u"HH:mm:ss.zzz"), line));
}

QString LogPanel::text() const { return text_->toPlainText(); }

} // namespace fuselage
