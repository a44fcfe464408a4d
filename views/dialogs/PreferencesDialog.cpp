#include "views/dialogs/PreferencesDialog.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Tabs before those that features have added.
static constexpr int ownTabs = 2;

PreferencesDialog::PreferencesDialog(const QList<Preference> &preferences, const QList<PreferencePage> &pages,
                                     QWidget *parent)
    : QDialog(parent), search_(new QLineEdit(this)), tabs_(new QTabWidget(this)), shortcuts_(new ShortcutTable(this)),
      nothing_(new QLabel(this)), pages_(pages) {
  setWindowTitle(tr("Preferences"));
  resize(720, 620);
  search_->setPlaceholderText(tr("Search preferences, commands and keys"));
  search_->setAccessibleName(tr("Search preferences"));
  search_->setClearButtonEnabled(true);
  search_->addAction(lineIcon(u"search"_s), QLineEdit::LeadingPosition);
  nothing_->setAlignment(Qt::AlignCenter);
  nothing_->hide();
  auto *general = new QScrollArea(this);
  general->setWidgetResizable(true);
  general->setFrameShape(QFrame::NoFrame);
  general->setAccessibleName(tr("Preferences"));
  general->setFocusPolicy(Qt::NoFocus);
  general->setWidget(makePage(preferences));
  tabs_->addTab(general, tr("General"));
  tabs_->addTab(shortcuts_, tr("Shortcuts"));
  for (const PreferencePage &page : pages)
    tabs_->addTab(page.make(this), page.title);
  tabs_->setDocumentMode(true);
  auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false); // Return in a field is no farewell
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(search_);
  layout->addWidget(tabs_, 1);
  layout->addWidget(nothing_);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(search_, &QLineEdit::textChanged, this, &PreferencesDialog::search);
  search_->setFocus();
}

QWidget *PreferencesDialog::makePage(const QList<Preference> &preferences) {
  auto *page = new QWidget;
  auto *layout = new QVBoxLayout(page);
  layout->setContentsMargins(12, 4, 12, 12);
  layout->setSpacing(6);
  QStringList sections;
  for (const Preference &preference : preferences)
    if (!sections.contains(preference.section))
      sections.append(preference.section);
  for (const QString &section : std::as_const(sections)) {
    auto *heading = new QLabel(section);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    heading->setContentsMargins(0, 10, 0, 0);
    layout->addWidget(heading);
    headings_.insert(section, heading);
    for (const Preference &preference : preferences)
      if (preference.section == section)
        layout->addWidget(makeEditor(preference));
  }
  layout->addStretch(1);
  return page;
}

/// The control with its name, and its hint below.
QWidget *PreferencesDialog::makeEditor(const Preference &preference) {
  auto *line = new QWidget;
  auto *layout = new QVBoxLayout(line);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  QWidget *editor = nullptr;
  const auto set = preference.set;
  if (preference.kind == Preference::Kind::Switch) {
    auto *box = new QCheckBox(preference.name);
    connect(box, &QCheckBox::toggled, this, [set](bool on) { set(on ? u"on"_s : u"off"_s); });
    editor = box;
  } else if (preference.kind == Preference::Kind::Choice) {
    auto *box = new QComboBox;
    for (const Preference::Choice &choice : preference.choices)
      box->addItem(choice.label, choice.value);
    connect(box, &QComboBox::activated, this, [set, box] { set(box->currentData().toString()); });
    editor = box;
  } else if (preference.kind == Preference::Kind::Number) {
    auto *box = new QSpinBox;
    box->setRange(preference.least, preference.most);
    box->setSuffix(preference.unit);
    connect(box, &QSpinBox::valueChanged, this, [set](int value) { set(QString::number(value)); });
    editor = box;
  } else {
    auto *edit = new QLineEdit;
    connect(edit, &QLineEdit::editingFinished, this, [set, edit] {
      if (edit->isModified())
        set(edit->text());
      edit->setModified(false);
    });
    editor = edit;
  }
  editor->setAccessibleName(preference.name);
  editor->setAccessibleDescription(preference.hint);
  if (preference.kind == Preference::Kind::Switch) {
    layout->addWidget(editor);
  } else {
    auto *row = new QHBoxLayout;
    auto *label = new QLabel(preference.name);
    label->setMinimumWidth(190);
    row->addWidget(label);
    row->addWidget(editor, preference.kind == Preference::Kind::Text ? 1 : 0);
    if (preference.kind != Preference::Kind::Text)
      row->addStretch(1);
    layout->addLayout(row);
  }
  if (!preference.hint.isEmpty()) {
    auto *hint = new QLabel(preference.hint);
    hint->setWordWrap(true);
    QPalette palette = hint->palette();
    palette.setColor(QPalette::WindowText, mutedText(palette));
    hint->setPalette(palette);
    hint->setContentsMargins(preference.kind == Preference::Kind::Switch ? 22 : 196, 0, 0, 0);
    layout->addWidget(hint);
  }
  rows_.append({preference, line, editor});
  return line;
}

QWidget *PreferencesDialog::editorOf(const QString &name) const {
  for (const Row &row : rows_)
    if (row.preference.name == name)
      return row.editor;
  return nullptr;
}

void PreferencesDialog::refresh() {
  for (const Row &row : std::as_const(rows_)) {
    const QSignalBlocker blocker(row.editor);
    const QString value = row.preference.value();
    if (auto *check = qobject_cast<QCheckBox *>(row.editor))
      check->setChecked(value == "on"_L1);
    else if (auto *box = qobject_cast<QComboBox *>(row.editor))
      box->setCurrentIndex(box->findData(value));
    else if (auto *number = qobject_cast<QSpinBox *>(row.editor))
      number->setValue(value.toInt());
    else if (auto *edit = qobject_cast<QLineEdit *>(row.editor); edit && !edit->isModified())
      edit->setText(value);
  }
}

/// Every word of it somewhere in a row.
static bool matches(const QString &text, const QStringList &words) {
  return std::all_of(words.begin(), words.end(),
                     [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

/// The first page that features have added whose title or words have them all; -1: none.
int PreferencesDialog::firstPageWith(const QStringList &words) const {
  for (int i = 0; i < pages_.size(); ++i)
    if (matches(pages_[i].title + u' ' + pages_[i].words, words))
      return i;
  return -1;
}

void PreferencesDialog::showPage(const QString &title) {
  for (int i = 0; i < pages_.size(); ++i)
    if (pages_[i].title == title)
      tabs_->setCurrentIndex(ownTabs + i);
}

void PreferencesDialog::search(const QString &text) {
  const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
  int found = 0;
  QSet<QString> sections;
  for (const Row &row : std::as_const(rows_)) {
    const Preference &preference = row.preference;
    QString all = preference.section + u' ' + preference.name + u' ' + preference.hint;
    for (const Preference::Choice &choice : preference.choices)
      all += u' ' + choice.label;
    const bool isFound = matches(all, words);
    row.line->setVisible(isFound);
    if (isFound) {
      ++found;
      sections.insert(preference.section);
    }
  }
  for (const auto &[section, heading] : headings_.asKeyValueRange())
    heading->setVisible(sections.contains(section));
  const int keys = shortcuts_->setFilter(words);
  tabs_->setTabText(0, words.isEmpty() ? tr("General") : tr("General (%1)").arg(found));
  tabs_->setTabText(1, words.isEmpty() ? tr("Shortcuts") : tr("Shortcuts (%1)").arg(keys));
  const int page = words.isEmpty() ? -1 : firstPageWith(words);
  if (!words.isEmpty() && (found == 0) != (keys == 0))
    tabs_->setCurrentIndex(found == 0 ? 1 : 0);
  else if (found == 0 && keys == 0 && page >= 0)
    tabs_->setCurrentIndex(ownTabs + page);
  nothing_->setText(tr("No preference or command matches \u201c%1\u201d").arg(text));
  nothing_->setVisible(found == 0 && keys == 0 && page < 0);
}

} // namespace fuselage
