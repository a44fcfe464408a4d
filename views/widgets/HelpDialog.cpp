#include "views/widgets/HelpDialog.h"
#include "views/widgets/HelpSection.h"
#include <QEvent>
#include <QDialogButtonBox>
#include <QFile>
#include <QTabWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

HelpDialog::HelpDialog(QWidget *parent) : QDialog(parent), tabs_(new QTabWidget(this)) {
  setWindowTitle(tr("Fuselage Help"));
  resize(640, 620);
  shortcuts_ = addPage(tr("Shortcuts"));
  schedules_ = addPage(tr("Schedules"));
  fillSchedules();
  steps_ = addPage(tr("What the steps teach"));
  passes_ = addPage(tr("Passes"));
  QFile text(u":/help/compilers.md"_s);
  if (text.open(QIODevice::ReadOnly))
    addPage(tr("Other compilers"))->setMarkdown(QString::fromUtf8(text.readAll()));
  auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(tabs_);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

/// With the pictures of the theme.
void HelpDialog::fillSchedules() {
  constexpr int pictureWidth = 570;
  QFile readme(u":/README.md"_s);
  if (readme.open(QIODevice::ReadOnly))
    schedules_->setMarkdown(helpSection(QString::fromUtf8(readme.readAll()), u"### Ten minutes with a schedule"_s,
                                        palette().color(QPalette::Base).lightness() < 128, pictureWidth));
}

void HelpDialog::changeEvent(QEvent *event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    fillSchedules();
}

QTextBrowser *HelpDialog::addPage(const QString &title) {
  auto *page = new QTextBrowser(this);
  page->setFrameShape(QFrame::NoFrame);
  page->setAccessibleName(title);
  page->document()->setDocumentMargin(14);
  tabs_->addTab(page, title);
  return page;
}

void HelpDialog::showPage(Page page) { tabs_->setCurrentIndex(page); }

void HelpDialog::setShortcuts(const QList<ShortcutEntry> &entries) {
  QString html = u"<table cellspacing='0' cellpadding='4' width='100%'>"_s;
  QString group;
  for (const ShortcutEntry &entry : entries) {
    if (entry.group != group) {
      group = entry.group;
      html += u"<tr><td colspan='2'><h4>%1</h4></td></tr>"_s.arg(group.toHtmlEscaped());
    }
    QStringList keys;
    for (const QKeySequence &key : entry.keys)
      keys.append(u"<b>%1</b>"_s.arg(key.toString(QKeySequence::NativeText).toHtmlEscaped()));
    html += u"<tr><td width='65%'>%1</td><td>%2</td></tr>"_s.arg(entry.text.toHtmlEscaped(), keys.join(u", "_s));
  }
  shortcuts_->setHtml(html + u"</table>"_s);
}

void HelpDialog::setSteps(const QList<protocol::Step> &steps) {
  QString html;
  for (const protocol::Step &step : steps)
    if (!step.teaches.isEmpty())
      html += u"<h4>%1. %2</h4><p>%3</p>"_s.arg(step.index).arg(step.name.toHtmlEscaped(), step.teaches.toHtmlEscaped());
  steps_->setHtml(html.isEmpty() ? tr("<p>Record the default pipeline to read what each of its steps does.</p>") : html);
}

void HelpDialog::setPasses(const QList<protocol::Pass> &passes) {
  QString html = u"<table cellspacing='0' cellpadding='3'>"_s;
  for (const protocol::Pass &pass : passes)
    html += u"<tr><td><code>%1</code></td><td>%2</td></tr>"_s.arg(pass.argument.toHtmlEscaped(), pass.description.toHtmlEscaped());
  passes_->setHtml(html + u"</table>"_s);
}

} // namespace fuselage
