#include "views/dialogs/FusePartsDialog.h"
#include "views/models/Format.h"
#include "views/models/FusionModel.h"
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString predictedText(const protocol::FusePart &part) {
  QString text = FusePartsDialog::tr("%1 less").arg(countedDispatches(part.dispatches));
  if (part.bytes != 0)
    text += part.bytes > 0 ? FusePartsDialog::tr(", %1 less through memory").arg(formatBytes(part.bytes))
                           : FusePartsDialog::tr(", %1 more through memory").arg(formatBytes(-part.bytes));
  if (part.predicted == part.predicted)
    text += part.predicted < 0 ? FusePartsDialog::tr(", %1 slower").arg(formatMicroseconds(-part.predicted))
                               : FusePartsDialog::tr(", %1 faster").arg(formatMicroseconds(part.predicted));
  return text;
}

static QString measuredText(const protocol::FusePart &part) {
  if (std::abs(part.us) < part.noise)
    return FusePartsDialog::tr("no difference beyond the noise of %1").arg(formatMicroseconds(part.noise));
  return part.us > 0 ? FusePartsDialog::tr("%1 faster").arg(formatMicroseconds(part.us))
                     : FusePartsDialog::tr("%1 slower").arg(formatMicroseconds(-part.us));
}

FusePartsDialog::FusePartsDialog(const protocol::FuseResult &result, QWidget *parent) : QDialog(parent) {
  const protocol::FuseTimes times = result.times.value_or(protocol::FuseTimes());
  setWindowTitle(tr("What Each Part Gains"));
  resize(1000, 320);
  auto *about =
      new QLabel(tr("Measured on %1: %2 before, %3 after; repeated readings differ by %4. The gain of a part is how "
                    "much longer the program takes without it. Predicted times cover launches and memory, %5.")
                     .arg(QString(times.device).replace(u':', u":\u2060"_s), formatMicroseconds(times.before),
                          formatMicroseconds(times.after), formatMicroseconds(times.noise),
                          QString(result.prediction).replace(u':', u":\u2060"_s)),
                 this);
  about->setWordWrap(true);
  table_ = new QTreeWidget(this);
  table_->setAccessibleName(tr("Parts of the fusion"));
  table_->setHeaderLabels({tr("Part"), tr("Predicted"), tr("Measured"), tr("Outcome")});
  table_->setRootIsDecorated(false);
  table_->setUniformRowHeights(true);
  for (const protocol::FusePart &part : result.parts) {
    auto *row = new QTreeWidgetItem(
        table_, {part.pass, predictedText(part), measuredText(part), part.kept ? tr("kept") : tr("taken back")});
    row->setToolTip(0, part.pass);
  }
  for (int column = 0; column < table_->columnCount(); ++column)
    table_->resizeColumnToContents(column);
  auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(about);
  layout->addWidget(table_, 1);
  layout->addWidget(buttons);
}

} // namespace fuselage
