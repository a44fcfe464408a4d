// The name under the caret of the IR, or of the text in its place: lit where it is written, with ways to its definition
// and its uses.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/text/TextView.h"

class QMenu;
class QTimer;

namespace fuselage {

class NavigationController;
class TextController;

class NamesController : public Controller {
  Q_OBJECT
public:
  NamesController(Shell &shell, TextController &text, NavigationController &navigation);

  /// Another text that may stand in the place of the IR, by the name alone.
  void follow(TextView &view);
  /// Of the name under the caret; from the definition itself, to the first use.
  void goToDefinition();
  /// The use after the caret, or one before it; past the last comes the first.
  void goToUse(int step);

  void documentReset() override;
  void stepShown(const ShownStep &step) override;
  bool isSettled() const override { return asked_ == 0; }

private:
  enum class Then { Nothing, Definition, NextUse, PreviousUse };
  void addCommands();
  void request();
  template <class Method> quint64 ask();
  void take(const protocol::TextUses &found);
  void goOn(Then then);
  bool isIr() const;
  void goTo(const NameUse &use);
  void clear();
  int useAtCaret() const;
  void addToMenu(QMenu *menu);

  TextController &text_;
  NavigationController &navigation_;
  QTimer *rest_;
  QAction *definition_, *nextUse_, *previousUse_;
  QString name_;
  qint64 total_ = 0;
  bool isExact_ = true;
  TextPosition place_{-1, 0}; ///< that was asked about
  int snapshot_ = 0;
  quint64 asked_ = 0;
  Then then_ = Then::Nothing; ///< to be done with the answer
};

} // namespace fuselage
