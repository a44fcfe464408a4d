// Something that the user can choose for good.
#pragma once
#include <QList>
#include <QString>
#include <functional>

class QWidget;

namespace fuselage {

struct Preference {
  enum class Kind { Switch, Choice, Number, Text };
  struct Choice {
    QString value, label;
  };

  QString section, name;
  QString hint{}; ///< a sentence more; may be empty
  Kind kind = Kind::Switch;
  QList<Choice> choices{};                    ///< of a Choice
  int least = 0, most = 0;                    ///< of a Number
  QString unit{};                             ///< of a Number
  std::function<QString()> value{};           ///< "on" or "off" of a Switch
  std::function<void(const QString &)> set{}; ///< takes effect at once
};

/// A page of its own in the dialog.
struct PreferencePage {
  QString title;
  QString words; ///< that a search finds it by, beside the title
  std::function<QWidget *(QWidget *parent)> make;
};

} // namespace fuselage
