#include "app/gui/shell/Mnemonics.h"
#include <QAbstractButton>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSet>

namespace fuselage {

namespace {

/// Hands out letters.
class Letters {
public:
  void take(const QString &text) {
    if (const QChar letter = of(text); !letter.isNull())
      taken_.insert(letter);
  }
  /// Alt and a letter: with a field that has it, too, neither would do anything.
  void takeKey(const QKeySequence &key) {
    if (key.count() == 1 && key[0].keyboardModifiers() == Qt::AltModifier && key[0].key() >= Qt::Key_A &&
        key[0].key() <= Qt::Key_Z)
      taken_.insert(QChar(key[0].key()));
  }
  /// The text with a letter that nobody has; now it is taken.
  QString keep(const QString &text) {
    const QChar letter = of(text);
    if (letter.isNull())
      return text;
    const QString own = taken_.contains(letter) ? withFree(text) : text;
    take(own);
    return own;
  }

private:
  static QChar of(const QString &text) {
    const QString key = QKeySequence::mnemonic(text).toString();
    return key.isEmpty() ? QChar() : key.back().toUpper();
  }
  /// At the beginning of a word, if there is such a letter.
  QString withFree(QString text) const {
    text.remove(u'&');
    for (const bool atWord : {true, false})
      for (qsizetype i = 0; i < text.size(); ++i)
        if (text[i].isLetterOrNumber() && (!atWord || i == 0 || text[i - 1] == u' ') &&
            !taken_.contains(text[i].toUpper()))
          return text.insert(i, u'&');
    return text;
  }
  QSet<QChar> taken_;
};

} // namespace

void makeMnemonicsUnique(const QMenu &menu) {
  Letters letters;
  for (QAction *action : menu.actions()) {
    if (action->menu())
      makeMnemonicsUnique(*action->menu());
    if (const QString text = letters.keep(action->text()); text != action->text())
      action->setText(text);
  }
}

void makeMnemonicsUnique(const QWidget &window) {
  Letters letters;
  if (const auto *bar = window.findChild<QMenuBar *>({}, Qt::FindDirectChildrenOnly))
    for (const QAction *action : bar->actions())
      letters.take(action->text());
  for (const QAction *action : window.findChildren<QAction *>())
    for (const QKeySequence &key : action->shortcuts())
      letters.takeKey(key);
  for (QAbstractButton *button : window.findChildren<QAbstractButton *>())
    if (const QString text = letters.keep(button->text()); text != button->text())
      button->setText(text);
  for (QLabel *label : window.findChildren<QLabel *>())
    if (const QString text = label->buddy() ? letters.keep(label->text()) : label->text(); text != label->text())
      label->setText(text);
}

} // namespace fuselage
