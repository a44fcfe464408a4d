#include "views/widgets/HelpDialog.h"
#include "views/widgets/FormHierarchy.h"
#include "views/widgets/HelpPage.h"
#include <QDialogButtonBox>
#include <QEvent>
#include <QFile>
#include <QTabWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString resource(const QString &path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Scrolls a paragraph to the top.
static void scrollTo(QTextBrowser &page, const QString &paragraph) {
  for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next())
    if (block.text() == paragraph) {
      page.moveCursor(QTextCursor::End);
      page.setTextCursor(QTextCursor(block));
      page.ensureCursorVisible();
      return;
    }
}

HelpDialog::HelpDialog(QWidget *parent) : QDialog(parent), tabs_(new QTabWidget(this)) {
  setWindowTitle(tr("Fuselage Help"));
  resize(760, 640);
  shortcuts_ = addPage(tr("Shortcuts"));
  panels_ = addPage(tr("Panels"));
  panels_->setMarkdown(resource(u":/docs/panels.md"_s));
  schedules_ = addPage(tr("Schedules"));
  fillSchedules();
  addPage(tr("Tuning"))->setMarkdown(resource(u":/docs/tutorials/tuning.md"_s));
  addPage(tr("Exactness"))->setMarkdown(resource(u":/docs/exactness.md"_s));
  steps_ = addPage(tr("What the steps teach"));
  passes_ = addPage(tr("Passes"));
  formPages_ = addPage(tr("Normal forms"));
  formPages_->setOpenLinks(false);
  connect(formPages_, &QTextBrowser::anchorClicked, this,
          [this](const QUrl &link) { scrollTo(*formPages_, link.path()); });
  addPage(tr("Other compilers"))->setMarkdown(resource(u":/docs/compilers.md"_s));
  auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(tabs_);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

/// With the pictures of the theme.
void HelpDialog::fillSchedules() {
  constexpr int pictureWidth = 570;
  schedules_->setMarkdown(helpSection(resource(u":/README.md"_s), u"### Ten minutes with a schedule"_s,
                                      palette().color(QPalette::Base).lightness() < 128, pictureWidth));
}

void HelpDialog::changeEvent(QEvent *event) {
  QDialog::changeEvent(event);
  if (event->type() != QEvent::PaletteChange)
    return;
  fillSchedules();
  if (!forms_.isEmpty())
    setForms(QList<protocol::FormHelp>(forms_));
}

QTextBrowser *HelpDialog::addPage(const QString &title) {
  auto *page = new QTextBrowser(this);
  page->setFrameShape(QFrame::NoFrame);
  page->setAccessibleName(title);
  page->document()->setDocumentMargin(14);
  tabs_->addTab(page, title);
  return page;
}

void HelpDialog::showPage(Page page, const QString &paragraph) {
  tabs_->setCurrentIndex(page);
  if (auto *browser = qobject_cast<QTextBrowser *>(tabs_->currentWidget()); browser && !paragraph.isEmpty())
    scrollTo(*browser, paragraph);
}

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
      html +=
          u"<h4>%1. %2</h4><p>%3</p>"_s.arg(step.index).arg(step.name.toHtmlEscaped(), step.teaches.toHtmlEscaped());
  steps_->setHtml(html.isEmpty() ? tr("<p>Record the default pipeline to read what each of its steps does.</p>")
                                 : html);
}

void HelpDialog::setPasses(const QList<protocol::Pass> &passes) {
  QString html = u"<table cellspacing='0' cellpadding='3'>"_s;
  for (const protocol::Pass &pass : passes)
    html += u"<tr><td><code>%1</code></td><td>%2</td></tr>"_s.arg(pass.argument.toHtmlEscaped(),
                                                                  pass.description.toHtmlEscaped());
  passes_->setHtml(html + u"</table>"_s);
}

void HelpDialog::setForms(const QList<protocol::FormHelp> &forms) {
  forms_ = forms;
  QString text =
      tr("Normal forms say once what a transform expects of the IR. An arrow leads to a form that is implied.") +
      u"\n\n"_s;
  QStringList links;
  for (const protocol::FormHelp &form : forms)
    links.append(u"[%1](form:%1)"_s.arg(form.form));
  text += links.join(u" · "_s) + u"\n\n"_s;
  for (const protocol::FormHelp &form : forms)
    text += form.page + u"\n\n"_s;
  formPages_->setMarkdown(text);
  if (forms.isEmpty())
    return;
  QTextCursor cursor(formPages_->document());
  cursor.movePosition(QTextCursor::EndOfBlock);
  cursor.insertBlock();
  cursor.insertImage(paintFormHierarchy(forms, palette(), devicePixelRatioF()), u"forms:hierarchy"_s);
}

} // namespace fuselage
