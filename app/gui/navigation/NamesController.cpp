#include "app/gui/navigation/NamesController.h"
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/TextMethods.h"
#include "views/common/Numbers.h"
#include <QMenu>
#include <QTimer>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

/// The caret has to rest this long, in ms, before the engine is asked.
static constexpr int restTime = 80;

NamesController::NamesController(Shell &shell, TextController &text, NavigationController &navigation)
    : Controller(shell), text_(text), navigation_(navigation), rest_(new QTimer(this)) {
  rest_->setSingleShot(true);
  rest_->setInterval(restTime);
  connect(rest_, &QTimer::timeout, this, &NamesController::request);
  follow(text.view());
  connect(&text, &TextController::frontChanged, this, [this] {
    asked_ = 0;
    then_ = Then::Nothing;
    rest_->start();
  });
  connect(&text, &TextController::menuShown, this, &NamesController::addToMenu);
  addCommands();
}

void NamesController::follow(TextView &view) {
  connect(&view, &TextView::caretMoved, this, [this, &view] {
    if (&view == &text_.front() && useAtCaret() < 0)
      rest_->start();
  });
  connect(&view, &TextView::nameActivated, this, &NamesController::goToDefinition);
}

bool NamesController::isIr() const { return &text_.front() == &text_.view(); }

void NamesController::addCommands() {
  definition_ = command(tr("Go to De&finition"), {}, {QKeySequence(Qt::Key_F12)});
  definition_->setToolTip(
      tr("Where the value, symbol or alias under the caret is defined; from there, to its first use"));
  nextUse_ = command(tr("Next &Use"), {}, {QKeySequence(u"Shift+F12"_s)});
  previousUse_ = command(tr("Pre&vious Use"), {}, {QKeySequence(u"Ctrl+Shift+F12"_s)});
  on(definition_, [this] { goToDefinition(); });
  on(nextUse_, [this] { goToUse(1); });
  on(previousUse_, [this] { goToUse(-1); });
  shell().menus().add(Place::ViewFind, {definition_, nextUse_, previousUse_});
}

/// Which of the places that are lit the caret is at; -1: none.
int NamesController::useAtCaret() const {
  const QList<NameUse> &uses = text_.front().nameUses();
  const TextPosition caret = text_.front().caret();
  auto use =
      std::lower_bound(uses.cbegin(), uses.cend(), caret.line, [](const NameUse &u, int l) { return u.line < l; });
  for (; use != uses.cend() && use->line == caret.line; ++use)
    if (use->column <= caret.column && caret.column <= use->column + use->length)
      return int(use - uses.cbegin());
  return -1;
}

void NamesController::request() {
  rest_->stop();
  if (!session().hasDocument())
    return clear();
  place_ = text_.front().caret();
  snapshot_ = text_.snapshot();
  asked_ = isIr() ? ask<method::TextUses>() : ask<method::SourceUses>();
}

template <class Method> quint64 NamesController::ask() {
  return session().client().call<Method>(
      {.snapshot = snapshot_, .line = place_.line, .column = place_.column}, this,
      [this, front = &text_.front()](const protocol::TextUses &found) {
        asked_ = 0;
        if (front == &text_.front())
          take(found);
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::Cancelled)
          return; // another took its place
        asked_ = 0;
        then_ = Then::Nothing;
        clear();
      },
      u"uses"_s);
}

void NamesController::take(const protocol::TextUses &found) {
  if (snapshot_ != text_.snapshot() || place_ != text_.front().caret()) {
    then_ = Then::Nothing;
    return;
  }
  QList<NameUse> uses;
  for (const protocol::TextMatch &use : found.uses)
    uses.append({use.line, use.column, use.length, false});
  for (const protocol::TextMatch &definition : found.definition)
    uses.append({definition.line, definition.column, definition.length, true});
  std::sort(uses.begin(), uses.end(), [](const NameUse &a, const NameUse &b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  name_ = found.name;
  total_ = found.total;
  isExact_ = found.exact;
  text_.front().setNameUses(uses);
  goOn(std::exchange(then_, Then::Nothing));
}

void NamesController::goOn(Then then) {
  if (then == Then::Nothing)
    return;
  const QList<NameUse> &uses = text_.front().nameUses();
  const int at = useAtCaret();
  if (uses.isEmpty() || at < 0) {
    shell().tell(tr("There is no name under the caret of the text"));
    return;
  }
  const bool isAtDefinition = uses[at].isDefinition;
  const auto definition = std::find_if(uses.cbegin(), uses.cend(), [](const NameUse &use) { return use.isDefinition; });
  if (then == Then::Definition && !isAtDefinition) {
    if (definition == uses.cend())
      shell().tell(tr("%1 is not defined in this text").arg(name_));
    else
      goTo(*definition);
    return;
  }
  if (total_ == 0) {
    shell().tell(tr("%1 has no uses").arg(name_));
    return;
  }
  const int step = then == Then::PreviousUse ? -1 : 1, count = int(uses.size());
  int next = at;
  do
    next = (next + step + count) % count;
  while (uses[next].isDefinition);
  goTo(uses[next]);
  const auto number =
      std::count_if(uses.cbegin(), uses.cbegin() + next + 1, [](const NameUse &use) { return !use.isDefinition; });
  const QString text = tr("Use %1 of %2 of %3").arg(groupedNumber(number), groupedNumber(total_), name_);
  shell().tell(isExact_ ? text : tr("%1, by the name alone").arg(text));
}

void NamesController::goToDefinition() {
  then_ = Then::Definition;
  useAtCaret() < 0 || rest_->isActive() ? request() : goOn(std::exchange(then_, Then::Nothing));
}

void NamesController::goToUse(int step) {
  then_ = step > 0 ? Then::NextUse : Then::PreviousUse;
  useAtCaret() < 0 || rest_->isActive() ? request() : goOn(std::exchange(then_, Then::Nothing));
}

void NamesController::goTo(const NameUse &use) {
  const TextPosition place{use.line, use.column};
  if (isIr())
    return navigation_.goToText(place);
  text_.front().setCaret(place);
  text_.front().scrollToLine(place.line, true);
  text_.front().setFocus();
}

void NamesController::addToMenu(QMenu *menu) {
  if (useAtCaret() < 0)
    return;
  menu->addSeparator();
  menu->addActions({definition_, nextUse_, previousUse_});
}

void NamesController::clear() { text_.front().setNameUses({}); }

void NamesController::documentReset() {
  rest_->stop();
  asked_ = 0;
  then_ = Then::Nothing;
  clear();
}

void NamesController::stepShown(const ShownStep &) { clear(); }

} // namespace fuselage
