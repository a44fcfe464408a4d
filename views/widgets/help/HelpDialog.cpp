#include "views/widgets/help/HelpDialog.h"
#include "views/widgets/help/FormHierarchy.h"
#include "views/widgets/help/HelpPage.h"
#include "views/widgets/help/TermLinks.h"
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFile>
#include <QImage>
#include <QListWidget>
#include <QStackedWidget>
#include <QStyle>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QUrl>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString resource(const QString &path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The row of a table is coloured that somebody was led to.
static void markRow(QTextBrowser &page, const QTextBlock &block) {
  QTextEdit::ExtraSelection row;
  row.cursor = QTextCursor(block);
  QTextTable *table = row.cursor.currentTable();
  if (!table)
    return page.setExtraSelections({});
  const int number = table->cellAt(row.cursor).row();
  row.cursor.setPosition(table->cellAt(number, 0).firstPosition());
  row.cursor.setPosition(table->cellAt(number, table->columns() - 1).lastPosition(), QTextCursor::KeepAnchor);
  QColor color = page.palette().color(QPalette::Highlight);
  color.setAlphaF(0.28F);
  row.format.setBackground(color);
  page.setExtraSelections({row});
}

/// Scrolls a paragraph to the top.
static void scrollTo(QTextBrowser &page, const QString &paragraph) {
  for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next())
    if (block.text() == paragraph) {
      page.moveCursor(QTextCursor::End);
      page.setTextCursor(QTextCursor(block));
      page.ensureCursorVisible();
      markRow(page, block);
      return;
    }
}

/// Scrolls the heading with this anchor to the top.
static void scrollToAnchor(QTextBrowser &page, const QString &anchor) {
  for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next())
    if (block.blockFormat().headingLevel() > 0 && anchorOf(block.text()) == anchor)
      return scrollTo(page, block.text());
}

HelpDialog::HelpDialog(QWidget *parent)
    : QDialog(parent), list_(new QListWidget(this)), pages_(new QStackedWidget(this)) {
  setWindowTitle(tr("Fuselage Help"));
  resize(940, 680);
  list_->setAccessibleName(tr("Help pages"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setSpacing(2);
  addHeading(tr("Tutorials"));
  addFile(Fusion, tr("Fusion"), u"tutorials/fusion.md"_s);
  addFile(Tiles, tr("Tiles"), u"tutorials/tiles.md"_s);
  addFile(Rewrites, tr("Inside a step"), u"tutorials/rewrites.md"_s);
  addFile(Schedules, tr("Schedules"), u"tutorials/schedules.md"_s);
  addFile(Tuning, tr("Tuning"), u"tutorials/tuning.md"_s);
  addHeading(tr("This Window"));
  shortcuts_ = addPage(Shortcuts, tr("Shortcuts"));
  addFile(Panels, tr("Panels"), u"panels.md"_s);
  steps_ = addPage(Steps, tr("What the steps teach"));
  addHeading(tr("Reference"));
  passes_ = addPage(Passes, tr("Passes"));
  formPages_ = addPage(Forms, tr("Normal forms"));
  addFile(Models, tr("Your own model"), u"models.md"_s);
  addFile(Files, tr("Files and safety"), u"files.md"_s);
  addFile(Compilers, tr("External compilers"), u"compilers.md"_s);
  addFile(Inductor, tr("Inductor's decisions"), u"inductor.md"_s);
  addFile(Xla, tr("Dumps of XLA"), u"xla.md"_s);
  addFile(Editors, tr("Editors"), u"editors.md"_s);
  addFile(Mcp, tr("Chats"), u"mcp.md"_s);
  addFile(Remote, tr("Other machines"), u"remote.md"_s);
  addFile(PullRequests, tr("Fusion in pull requests"), u"ci.md"_s);
  addFile(Remarks, tr("Remarks of compilers"), u"remarks.md"_s);
  addFile(ModelExplorer, tr("Model Explorer"), u"model-explorer.md"_s);
  addFile(Exactness, tr("Exactness"), u"exactness.md"_s);
  addFile(Lessons, tr("Writing a lesson"), u"lessons.md"_s);
  addFile(CommandLine, tr("Command line"), u"cli.md"_s);
  addFile(Json, tr("JSON"), u"json.md"_s);
  addFile(Glossary, tr("Glossary"), u"glossary.md"_s);
  fillFiles();
  list_->setFixedWidth(list_->sizeHintForColumn(0) + 4 * list_->spacing() +
                       style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 12);
  connect(list_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem *item) {
    if (item)
      pages_->setCurrentIndex(item->data(Qt::UserRole).toInt());
  });
  showPage(Fusion);
  auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto *sides = new QHBoxLayout;
  sides->addWidget(list_);
  sides->addWidget(pages_, 1);
  auto *layout = new QVBoxLayout(this);
  layout->addLayout(sides);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

/// A line of the list that cannot be selected.
void HelpDialog::addHeading(const QString &title) {
  auto *item = new QListWidgetItem(title, list_);
  item->setFlags(Qt::NoItemFlags);
  QFont bold = font();
  bold.setBold(true);
  item->setFont(bold);
}

QTextBrowser *HelpDialog::addPage(Page page, const QString &title) {
  auto *browser = new QTextBrowser(this);
  browser->setFrameShape(QFrame::NoFrame);
  browser->setAccessibleName(title);
  browser->document()->setDocumentMargin(14);
  browser->setOpenLinks(false);
  connect(browser, &QTextBrowser::anchorClicked, this, &HelpDialog::follow);
  pages_->insertWidget(page, browser);
  auto *item = new QListWidgetItem(title, list_);
  item->setData(Qt::UserRole, page);
  return browser;
}

void HelpDialog::addFile(Page page, const QString &title, const QString &file) {
  addPage(page, title);
  files_.insert(page, file);
}

/// Screenshots of a large window, made smaller once: what QTextDocument scales is hard to read.
static void fitPictures(QTextDocument &document, int width, qreal pixelRatio) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    for (QTextBlock::iterator it = block.begin(); !it.atEnd(); ++it) {
      const QTextImageFormat format = it.fragment().charFormat().toImageFormat();
      if (!format.isValid())
        continue;
      const QUrl url(format.name());
      QImage picture =
          QImage(u':' + url.path()).scaledToWidth(static_cast<int>(width * pixelRatio), Qt::SmoothTransformation);
      picture.setDevicePixelRatio(pixelRatio);
      document.addResource(QTextDocument::ImageResource, url, picture);
    }
}

/// With the pictures of the theme.
void HelpDialog::fillFiles() {
  constexpr int pictureWidth = 660;
  const bool isDark = palette().color(QPalette::Base).lightness() < 128;
  for (const auto &[page, file] : files_.asKeyValueRange()) {
    auto *browser = static_cast<QTextBrowser *>(pages_->widget(page));
    browser->setMarkdown(helpPage(resource(u":/docs/"_s + file), isDark));
    fitPictures(*browser->document(), pictureWidth, devicePixelRatioF());
    if (page != Glossary)
      linkTerms(*browser);
  }
}

/// To a term, to a normal form ("form:LoopForm"), to a page or a heading on one ("../cli.md#run"), or to the web.
void HelpDialog::follow(const QUrl &link) {
  if (showTerm(*static_cast<QTextBrowser *>(pages_->currentWidget()), link))
    return;
  if (link.scheme() == "form"_L1)
    return scrollTo(*formPages_, link.path());
  if (!link.isRelative()) {
    QDesktopServices::openUrl(link);
    return;
  }
  const QString name = link.fileName();
  for (const auto &[page, file] : files_.asKeyValueRange())
    if (file.section(u'/', -1) == name)
      showPage(page);
  if (link.hasFragment())
    scrollToAnchor(*static_cast<QTextBrowser *>(pages_->currentWidget()), link.fragment());
}

void HelpDialog::changeEvent(QEvent *event) {
  QDialog::changeEvent(event);
  if (event->type() != QEvent::PaletteChange)
    return;
  fillFiles();
  if (!forms_.isEmpty())
    setForms(QList<protocol::FormHelp>(forms_));
}

void HelpDialog::showPage(Page page, const QString &paragraph) {
  for (int row = 0; row < list_->count(); ++row)
    if (const QVariant number = list_->item(row)->data(Qt::UserRole); number.isValid() && number.toInt() == page)
      list_->setCurrentRow(row);
  if (!paragraph.isEmpty())
    scrollTo(*static_cast<QTextBrowser *>(pages_->currentWidget()), paragraph);
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
  linkTerms(*steps_);
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
