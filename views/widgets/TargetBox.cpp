#include "views/widgets/TargetBox.h"
#include <QFileDialog>
#include <QFileInfo>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

enum Role { LanguageRole = Qt::UserRole, DeviceRole, FileRole };

/// A table of what is known of a device.
static QString describe(const protocol::DeviceModel &model) {
  QString rows;
  for (const protocol::DeviceFact &fact : model.facts)
    rows += u"<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>"_s.arg(fact.key.toHtmlEscaped(), fact.value.toHtmlEscaped());
  return u"<b>%1</b><table>%2</table>"_s.arg(model.name.toHtmlEscaped(), rows);
}

TargetBox::TargetBox(const QList<Language> &languages, QWidget *parent) : QComboBox(parent) {
  setAccessibleName(tr("Target"));
  for (const Language &language : languages) {
    addItem(language.text);
    setItemData(count() - 1, language.name, LanguageRole);
  }
  insertSeparator(count());
  addItem(tr("Device File\u2026"));
  setItemData(count() - 1, true, FileRole);
  setItemData(count() - 1, tr("A device that need not be present, described by a file like those in resources/devices"),
              Qt::ToolTipRole);
  connect(this, &QComboBox::activated, this, &TargetBox::choose);
}

QString TargetBox::language() const { return currentData(LanguageRole).toString(); }
QString TargetBox::device() const { return currentData(DeviceRole).toString(); }

void TargetBox::addDevice(const QString &text, const QString &device, const QString &toolTip) {
  if (const int known = findData(device, DeviceRole); known >= 0) {
    setItemText(known, text);
    setItemData(known, toolTip, Qt::ToolTipRole);
    return;
  }
  const int at = findData(true, FileRole);
  insertItem(at, text);
  setItemData(at, device, DeviceRole);
  setItemData(at, toolTip, Qt::ToolTipRole);
}

void TargetBox::setModels(const QList<protocol::DeviceModel> &models) {
  hasModels_ = true;
  for (const protocol::DeviceModel &model : models)
    if (!model.here && model.language != "host"_L1)
      addDevice(model.name, model.id, describe(model));
}

void TargetBox::setLanguage(const QString &language) {
  if (const int index = findData(language, LanguageRole); index >= 0 && index != currentIndex()) {
    setCurrentIndex(index);
    choose(index);
  }
}

void TargetBox::setDevice(const QString &device) {
  if (device.isEmpty() || device == this->device())
    return;
  if (findData(device, DeviceRole) < 0)
    addDevice(QFileInfo(device).completeBaseName(), device, device);
  setCurrentIndex(findData(device, DeviceRole));
  choose(currentIndex());
}

void TargetBox::choose(int index) {
  if (itemData(index, FileRole).toBool())
    return chooseFile();
  if (std::exchange(current_, index) != index)
    emit changed();
}

void TargetBox::chooseFile() {
  setCurrentIndex(current_);
  const QString path = QFileDialog::getOpenFileName(this, tr("A file that describes a device"), QString(),
                                                    tr("Devices (*.json);;All files (*)"));
  setDevice(path);
}

} // namespace fuselage
