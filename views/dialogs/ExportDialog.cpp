#include "views/dialogs/ExportDialog.h"
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace fuselage {

/// "svg"; "model-explorer.json" is one of its own, as it is not the JSON of all that is known.
static QString endingOf(const QString &path) {
  const QString modelExplorer = u"model-explorer.json"_s;
  return path.endsWith(u'.' + modelExplorer, Qt::CaseInsensitive) ? modelExplorer : QFileInfo(path).suffix().toLower();
}

ExportDialog::ExportDialog(QWidget *parent) : QDialog(parent) {
  setObjectName("exportDialog"_L1);
  setWindowTitle(tr("Export Graph"));
  auto *form = new QFormLayout(this);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  format_ = addChoice(tr("&Format:"), u"exportFormat"_s,
                      {{tr("SVG picture"), u"svg"_s},
                       {tr("PNG picture"), u"png"_s},
                       {tr("PDF document"), u"pdf"_s},
                       {tr("Graphviz graph"), u"dot"_s},
                       {tr("JSON, all that is known"), u"json"_s},
                       {tr("Model Explorer, layers and verdicts"), u"model-explorer.json"_s}});
  what_ = addChoice(tr("&What:"), u"exportWhat"_s,
                    {{tr("What I see: the part on screen"), u"sight"_s},
                     {tr("The whole graph, boxes as they are on screen"), u"drawn"_s},
                     {tr("Everything: the whole graph, all boxes open"), u"all"_s}});
  pages_ = addChoice(
      tr("&Pages:"), u"exportPages"_s,
      {{tr("One, as large as the picture"), u"one"_s}, {tr("A4 sheets"), u"a4"_s}, {tr("A3 sheets"), u"a3"_s}});
  theme_ = addChoice(tr("&Background:"), u"exportTheme"_s, {{tr("Light"), u"light"_s}, {tr("Dark"), u"dark"_s}});
  path_ = new QLineEdit;
  path_->setObjectName("exportPath"_L1);
  path_->setMinimumWidth(380);
  auto *browse = new QPushButton(tr("&Browse\u2026"));
  auto *place = new QHBoxLayout;
  place->addWidget(path_, 1);
  place->addWidget(browse);
  form->addRow(tr("F&ile:"), place);
  static_cast<QLabel *>(form->labelForField(place))->setBuddy(path_);
  summary_ = new QLabel;
  summary_->setObjectName("exportSummary"_L1);
  summary_->setWordWrap(true);
  form->addRow(QString(), summary_);
  buttons_ = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
  buttons_->button(QDialogButtonBox::Save)->setText(tr("&Export"));
  form->addRow(buttons_);
  connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
  connect(path_, &QLineEdit::textChanged, this, [this](const QString &text) {
    // An ending that is typed is a format.
    if (const int row = format_->findData(endingOf(text)); row >= 0 && row != format_->currentIndex())
      format_->setCurrentIndex(row);
    else
      emit choiceChanged(choice());
  });
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons_, &QDialogButtonBox::accepted, this, [this] {
    if (!mayWrite())
      return;
    accept();
    emit exportRequested(choice());
  });
}

QComboBox *ExportDialog::addChoice(const QString &label, const QString &name,
                                   const QList<std::pair<QString, QString>> &items) {
  auto *box = new QComboBox;
  box->setObjectName(name);
  for (const auto &item : items)
    box->addItem(item.first, item.second);
  static_cast<QFormLayout *>(layout())->addRow(label, box);
  connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::follow);
  return box;
}

bool ExportDialog::isPicture() const {
  const QString format = format_->currentData().toString();
  return format != "dot"_L1 && !format.endsWith("json"_L1);
}

ExportChoice ExportDialog::choice() const {
  const bool isPdf = format_->currentData().toString() == "pdf"_L1;
  return {.format = format_->currentData().toString(),
          .what = what_->currentData().toString(),
          .pages = isPdf ? pages_->currentData().toString() : u"one"_s,
          .theme = theme_->currentData().toString(),
          .path = path_->text().trimmed()};
}

void ExportDialog::setChoice(const ExportChoice &choice) {
  replaced_.clear();
  path_->setText(choice.path);
  const auto pick = [](QComboBox *box, const QString &value) {
    box->setCurrentIndex(std::max(0, box->findData(value)));
  };
  pick(format_, choice.format);
  pick(what_, choice.what);
  pick(pages_, choice.pages);
  pick(theme_, choice.theme);
  follow();
}

/// What is chosen decides what there is to choose; the file's ending follows the format.
void ExportDialog::follow() {
  const QString format = format_->currentData().toString();
  pages_->setEnabled(format == "pdf"_L1);
  theme_->setEnabled(isPicture());
  what_->setEnabled(isPicture());
  const QString whole = path_->text(), ending = endingOf(whole);
  if (!whole.isEmpty() && ending != format) {
    const bool isFormat = format_->findData(ending) >= 0;
    path_->setText((isFormat ? whole.chopped(ending.size() + 1) : whole) + u'.' + format);
  }
  summary_->clear();
  emit choiceChanged(choice());
}

void ExportDialog::setSummary(const QString &text, bool canWrite) {
  summary_->setText(text);
  buttons_->button(QDialogButtonBox::Save)->setEnabled(canWrite);
}

/// Asks before a file is lost, once.
bool ExportDialog::mayWrite() {
  const QString path = choice().path;
  if (path == replaced_ || !QFileInfo::exists(path))
    return true;
  return QMessageBox::question(this, windowTitle(),
                               tr("%1 is there already. Replace it?").arg(QFileInfo(path).fileName())) ==
         QMessageBox::Yes;
}

void ExportDialog::browse() {
  const QString path = QFileDialog::getSaveFileName(this, tr("Export the graph"), path_->text(),
                                                    tr("Pictures and graphs (*.svg *.png *.pdf *.dot *.json)"));
  if (path.isEmpty())
    return;
  path_->setText(path);
  replaced_ = path; // it has asked
}

} // namespace fuselage
