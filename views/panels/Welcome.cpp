#include "views/panels/Welcome.h"
#include "views/widgets/Icons.h"
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// More would be a menu.
static constexpr qsizetype recentShown = 5;

static QLabel *mutedLabel(const QString &text) {
  auto *label = new QLabel(text);
  label->setForegroundRole(QPalette::PlaceholderText);
  label->setAlignment(Qt::AlignCenter);
  label->setWordWrap(true);
  return label;
}

Welcome::Welcome(QWidget *parent)
    : QWidget(parent), open_(new QPushButton(lineIcon(u"open"_s), tr("Open a module or a log\u2026"))), recent_(new QWidget),
      links_(new QVBoxLayout(recent_)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  auto *title = new QLabel(tr("No module is open"));
  QFont large = title->font();
  large.setPointSizeF(large.pointSizeF() * 1.4);
  large.setWeight(QFont::DemiBold);
  title->setFont(large);
  title->setAlignment(Qt::AlignCenter);
  auto *folder = new QPushButton(tr("Open a folder of dumps\u2026"));
  auto *buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(open_);
  buttons->addWidget(folder);
  buttons->addStretch(1);
  links_->setContentsMargins(0, 12, 0, 0);
  links_->setSpacing(0);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(24, 24, 24, 24);
  layout->setSpacing(10);
  layout->addStretch(2);
  layout->addWidget(title);
  layout->addWidget(mutedLabel(tr("MLIR of any dialect as text or bytecode, the log of a compiler that printed its passes, "
                                  "or a folder of dumps. Or drop one here.")));
  layout->addLayout(buttons);
  layout->addWidget(recent_, 0, Qt::AlignHCenter);
  layout->addStretch(3);
  setFocusProxy(open_);
  setRecentFiles({});
  connect(open_, &QPushButton::clicked, this, &Welcome::openRequested);
  connect(folder, &QPushButton::clicked, this, &Welcome::openFolderRequested);
}

void Welcome::setRecentFiles(const QStringList &paths) {
  qDeleteAll(recent_->findChildren<QWidget *>(Qt::FindDirectChildrenOnly));
  recent_->setVisible(!paths.isEmpty());
  if (!paths.isEmpty())
    links_->addWidget(mutedLabel(tr("Recent")));
  for (const QString &path : paths.first(std::min(recentShown, paths.size()))) {
    auto *link = new QPushButton(QFileInfo(path).fileName());
    link->setFlat(true);
    link->setToolTip(path);
    links_->addWidget(link);
    connect(link, &QPushButton::clicked, this, [this, path] { emit recentRequested(path); });
  }
}

} // namespace fuselage
