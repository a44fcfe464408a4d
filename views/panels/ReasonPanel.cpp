#include "views/panels/ReasonPanel.h"
#include "views/common/Theme.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/help/TermLinks.h"
#include <QEvent>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

ReasonPanel::ReasonPanel(ReasonModel *model, QWidget *parent) : QWidget(parent), model_(model) {
  search_ = new QLineEdit(this);
  search_->setPlaceholderText(tr("Search the pages"));
  search_->setClearButtonEnabled(true);
  search_->setAccessibleName(tr("Search the pages of the reasons"));
  search_->addAction(lineIcon(u"search"_s), QLineEdit::LeadingPosition);
  index_ = new QListView(this);
  index_->setModel(model_);
  index_->setFrameShape(QFrame::NoFrame);
  index_->setUniformItemSizes(true);
  index_->setAccessibleName(tr("Reasons"));
  new EmptyHint(index_, tr("No page matches"), tr("No page has all of these words."));
  page_ = new QTextBrowser(this);
  page_->setFrameShape(QFrame::NoFrame);
  page_->setOpenLinks(false);
  page_->document()->setDocumentMargin(14);
  page_->setAccessibleName(tr("Page of the reason"));
  auto *side = new QWidget(this);
  auto *sideLayout = new QVBoxLayout(side);
  sideLayout->setContentsMargins(6, 6, 6, 0);
  sideLayout->addWidget(search_);
  sideLayout->addWidget(index_, 1);
  auto *splitter = new QSplitter(Qt::Vertical, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(side);
  splitter->addWidget(page_);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 3);
  splitter->setSizes({170, 480});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);

  setFocusProxy(index_);
  connect(page_, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
    const protocol::ReasonHelp *reason = model_->find(code_);
    if (!showTerm(*page_, link) && reason && link.scheme() == "example"_L1)
      emit exampleRequested(code_, exampleOf(reason->page));
  });
  connect(search_, &QLineEdit::textChanged, this, [this](const QString &words) {
    model_->setWords(words);
    index_->setCurrentIndex(model_->index(std::max(0, model_->rowOf(code_))));
  });
  connect(search_, &QLineEdit::returnPressed, index_, qOverload<>(&QWidget::setFocus));
  connect(index_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &current) {
    if (current.isValid())
      show(current.data(ReasonModel::CodeRole).toString());
  });
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    if (model_->rowOf(code_) >= 0)
      showReason(code_);
  });
}

void ReasonPanel::showReason(const QString &code) {
  code_ = code;
  if (model_->find(code) && model_->rowOf(code) < 0)
    search_->clear();
  if (const int row = model_->rowOf(code); row >= 0) {
    index_->setCurrentIndex(model_->index(row));
    index_->scrollTo(model_->index(row));
  }
  show(code);
}

/// Headings of a size that fits. Examples stand on a ground of their own, in a font whose columns line up.
static void dressCode(QTextDocument &document, const QPalette &palette) {
  const Theme &theme = Theme::of(palette);
  const QFont mono = monoFont(9);
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    cursor.select(QTextCursor::BlockUnderCursor);
    if (const int level = block.blockFormat().headingLevel(); level > 0) {
      // The dock is narrow, and the names are long.
      QTextCharFormat heading;
      heading.setProperty(QTextFormat::FontSizeAdjustment, level == 1 ? 1 : 0);
      heading.setFontWeight(QFont::DemiBold);
      cursor.mergeCharFormat(heading);
    }
    if (!block.blockFormat().hasProperty(QTextFormat::BlockCodeFence))
      continue;
    QTextCharFormat letters;
    letters.setFont(mono);
    letters.setForeground(theme.text);
    cursor.mergeCharFormat(letters);
    QTextBlockFormat ground = block.blockFormat();
    ground.setBackground(theme.surfaceMuted);
    ground.setNonBreakableLines(true);
    QTextCursor(block).setBlockFormat(ground);
  }
}

/// With a line in front that names the policy, if it is not the one that is selected at first.
QString ReasonPanel::exampleOf(const QString &page) {
  const QString section = page.section(u"\n## Example\n"_s, 1).section(u"\n## "_s, 0, 0);
  const QString module = section.section(u"```mlir\n"_s, 1).section(u"\n```"_s, 0, 0);
  const QString policy = section.section(u"Policy: `"_s, 1).section(u'`', 0, 0);
  if (module.isEmpty() || policy.isEmpty() || policy == "aggressive"_L1)
    return module.isEmpty() ? QString() : module + u'\n';
  return tr("// Select the policy '%1' in Missed Fusions.").arg(policy) + u'\n' + module + u'\n';
}

void ReasonPanel::show(const QString &code) {
  code_ = code;
  const protocol::ReasonHelp *reason = model_->find(code);
  if (!reason) {
    page_->clear();
    return;
  }
  QString text = reason->page;
  if (!exampleOf(text).isEmpty())
    text.replace(u"\n## Example\n"_s, u"\n## Example\n\n[%1](example:%2)\n"_s.arg(tr("Open this example"), code));
  page_->setMarkdown(text);
  dressCode(*page_->document(), palette());
  linkTerms(*page_);
  page_->moveCursor(QTextCursor::Start);
}

void ReasonPanel::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    show(code_);
}

} // namespace fuselage
