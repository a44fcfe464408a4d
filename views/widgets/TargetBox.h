// What kernels are made for: a language, or a device that need not be here.
#pragma once
#include "views/messages/DeviceTypes.h"
#include <QComboBox>

namespace fuselage {

class TargetBox : public QComboBox {
  Q_OBJECT
public:
  /// One of the languages: how it is called here, and its name: "spirv", "ptx", "host".
  struct Language {
    QString text, name;
  };
  explicit TargetBox(const QList<Language> &languages, QWidget *parent = nullptr);

  /// The language where one is chosen; empty for a device.
  QString language() const;
  /// The id of a model, or the path of a device file; empty for a language.
  QString device() const;
  void setLanguage(const QString &language);
  /// Also before the models are known: then it is there under its id.
  void setDevice(const QString &device);
  /// Those that are not here.
  void setModels(const QList<protocol::DeviceModel> &models);
  bool hasModels() const { return hasModels_; }

signals:
  /// The user, or one of the setters, has chosen another.
  void changed();

private:
  void addDevice(const QString &text, const QString &device, const QString &toolTip);
  void choose(int index);
  void chooseFile();

  bool hasModels_ = false;
  int current_ = 0; ///< before the user asked for a file
};

} // namespace fuselage
