#include "views/dialogs/HostsPage.h"
#include "views/common/Theme.h"
#include "views/widgets/EmptyHint.h"
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace fuselage {

HostsPage::HostsPage(QWidget *parent)
    : QWidget(parent), list_(new QListWidget(this)), name_(new QLineEdit(this)), command_(new QLineEdit(this)),
      add_(new QPushButton(tr("A&dd Host"), this)), remove_(new QPushButton(tr("Re&move"), this)),
      test_(new QPushButton(tr("&Test"), this)), result_(new QLabel(this)) {
  auto *about =
      new QLabel(tr("A host is a machine that documents can run on. Its command starts a shell there: the window "
                    "adds a script as the last argument. Only what you write here is started. Run, Runs On chooses "
                    "the host of a document."),
                 this);
  about->setWordWrap(true);
  list_->setAccessibleName(tr("Hosts"));
  list_->setUniformItemSizes(true);
  new EmptyHint(list_, tr("No hosts"), tr("Add a machine that ssh reaches, or a container."));
  name_->setPlaceholderText(tr("gpu1"));
  command_->setPlaceholderText(tr("ssh gpu1"));
  result_->setWordWrap(true);
  result_->setTextFormat(Qt::PlainText);
  result_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  result_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  result_->setAccessibleName(tr("Result of the test"));
  for (QPushButton *button : {add_, remove_, test_})
    button->setAutoDefault(false);
  auto *form = new QFormLayout;
  form->addRow(tr("&Name"), name_);
  form->addRow(tr("&Command"), command_);
  auto *buttons = new QHBoxLayout;
  buttons->addWidget(add_);
  buttons->addWidget(remove_);
  buttons->addStretch(1);
  buttons->addWidget(test_);
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(about);
  layout->addWidget(list_, 2);
  layout->addLayout(form);
  layout->addLayout(buttons);
  layout->addWidget(result_, 1);
  connect(add_, &QPushButton::clicked, this, &HostsPage::add);
  connect(remove_, &QPushButton::clicked, this, &HostsPage::remove);
  connect(test_, &QPushButton::clicked, this, [this] { emit testRequested(command_->text()); });
  connect(list_, &QListWidget::currentRowChanged, this, &HostsPage::showHost);
  connect(name_, &QLineEdit::textEdited, this, &HostsPage::take);
  connect(command_, &QLineEdit::textEdited, this, &HostsPage::take);
  showHost();
}

void HostsPage::setHosts(const QList<HostChoice> &hosts) {
  if (hosts == hosts_)
    return;
  const int row = std::max(0, list_->currentRow());
  hosts_ = hosts;
  const QSignalBlocker blocker(list_);
  list_->clear();
  for (const HostChoice &host : hosts)
    list_->addItem(host.name);
  list_->setCurrentRow(std::min(row, int(hosts.size()) - 1));
  showHost();
}

void HostsPage::showHost() {
  const int row = list_->currentRow();
  const bool isThere = row >= 0 && row < hosts_.size();
  for (QWidget *widget : std::initializer_list<QWidget *>{name_, command_, remove_, test_})
    widget->setEnabled(isThere);
  name_->setText(isThere ? hosts_[row].name : QString());
  command_->setText(isThere ? hosts_[row].command : QString());
  showResult({}, /*isProblem=*/false);
}

void HostsPage::add() {
  hosts_.append(HostChoice());
  list_->addItem(tr("New host"));
  list_->setCurrentRow(list_->count() - 1);
  name_->setFocus();
}

void HostsPage::remove() {
  const int row = list_->currentRow();
  hosts_.removeAt(row);
  delete list_->takeItem(row);
  showHost();
  emit hostsChosen(hosts_);
}

/// What is in the fields, once it is right.
void HostsPage::take() {
  const int row = list_->currentRow();
  QStringList others;
  for (qsizetype i = 0; i < hosts_.size(); ++i)
    if (i != row)
      others.append(hosts_[i].name);
  const QString problem = check_ ? check_(name_->text(), command_->text(), others) : QString();
  test_->setEnabled(problem.isEmpty());
  showResult(problem, /*isProblem=*/true);
  if (!problem.isEmpty())
    return;
  hosts_[row] = {name_->text().trimmed(), command_->text().trimmed()};
  list_->item(row)->setText(hosts_[row].name);
  QList<HostChoice> complete = hosts_;
  complete.removeIf([](const HostChoice &host) { return host.name.isEmpty(); });
  emit hostsChosen(complete);
}

void HostsPage::showResult(const QString &text, bool isProblem) {
  result_->setText(text);
  QPalette colors = palette();
  if (isProblem)
    colors.setColor(QPalette::WindowText, Theme::of(palette()).error);
  result_->setPalette(colors);
}

QString HostsPage::result() const { return result_->text(); }

} // namespace fuselage
