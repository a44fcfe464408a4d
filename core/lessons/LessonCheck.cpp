#include "core/lessons/LessonCheck.h"
#include "core/lessons/LessonPicture.h"
#include "core/support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

WindowNames readWindowNames(llvm::StringRef text) {
  WindowNames names;
  for (llvm::StringRef line : llvm::split(text, '\n'))
    if (!line.trim().empty())
      names.insert(line.trim().str());
  return names;
}

namespace {
class LessonChecker {
public:
  LessonChecker(const Lesson &lesson, llvm::ArrayRef<Lesson> known, const WindowNames *names)
      : lesson_(lesson), known_(known), names_(names) {}
  std::vector<LessonProblem> check();

private:
  void complain(const llvm::Twine &what);
  void checkPicture(llvm::StringRef file);
  void checkPictures(llvm::StringRef markdown);
  void checkPoint(llvm::StringRef target);
  void checkWindowName(const std::string &name);
  void checkTask(const LessonTask &task);
  void checkAfter();
  const Lesson *find(unsigned number) const;
  bool leadsBack(unsigned number, std::set<unsigned> &seen, std::string &way) const;

  const Lesson &lesson_;
  llvm::ArrayRef<Lesson> known_;
  const WindowNames *names_;
  unsigned task_ = 0; ///< from 1
  std::vector<LessonProblem> problems_;
};
} // namespace

void LessonChecker::complain(const llvm::Twine &what) {
  problems_.push_back({.task = task_, .line = task_ ? lesson_.tasks[task_ - 1].line : 1, .what = what.str()});
}

void LessonChecker::checkPicture(llvm::StringRef file) {
  if (auto picture = readLessonPicture(lesson_, file); !picture)
    complain(takeFailure(picture.takeError()).message);
}

/// `![what it shows](picture.svg)`
void LessonChecker::checkPictures(llvm::StringRef markdown) {
  for (size_t at = markdown.find("!["); at != llvm::StringRef::npos; at = markdown.find("![", at + 2)) {
    const size_t begin = markdown.find("](", at);
    if (begin == llvm::StringRef::npos)
      return;
    const llvm::StringRef file = markdown.substr(begin + 2).take_until([](char c) { return c == ')' || c == ' '; });
    if (markdown.slice(at + 2, begin).trim().empty())
      complain("the picture '" + file + "' has no words that say what it shows");
    checkPicture(file);
  }
}

void LessonChecker::checkWindowName(const std::string &name) {
  if (!names_ || names_->count(name))
    return;
  const llvm::StringRef kind = llvm::StringRef(name).split(' ').first;
  std::string there;
  if (kind != "command") // there are hundreds
    for (const std::string &other : *names_)
      if (llvm::StringRef(other).starts_with((kind + " ").str()))
        there += (there.empty() ? "; there are " : ", ") + llvm::StringRef(other).split(' ').second.str();
  complain("the window has no " + name + there);
}

void LessonChecker::checkPoint(llvm::StringRef target) {
  const auto [kind, name] = target.split(' ');
  if (name.empty() || (kind != "op" && kind != "panel" && kind != "view" && kind != "command"))
    return complain("'" + target + "' points at nothing; write op, panel, view or command and a name");
  if (kind != "op")
    checkWindowName(target.str());
}

void LessonChecker::checkTask(const LessonTask &task) {
  constexpr unsigned wantedHints = 3;
  if (task.hints.size() != wantedHints)
    complain("it has " + std::to_string(task.hints.size()) + (task.hints.size() == 1 ? " hint" : " hints") + ", not 3");
  if (llvm::any_of(task.hints, [](const std::string &hint) { return hint.empty(); }))
    complain("a hint is empty");
  if (unsigned words = countWords(task.text); words > LessonTask::mostWords)
    complain("it has " + std::to_string(words) + " words; at most " + std::to_string(LessonTask::mostWords) + " fit");
  if (task.show.empty())
    complain("nothing shows how it is done: a block of show is missing");
  checkPictures(task.text);
  for (const std::string &target : task.point)
    checkPoint(target);
  for (const std::string &action : task.show)
    if (llvm::StringRef(action).starts_with("panel ") || llvm::StringRef(action).starts_with("view "))
      checkWindowName(action);
  for (const Goal &goal : task.goals)
    if (goal.fact == "panel" || goal.fact == "view")
      checkWindowName(goal.fact + " " + goal.arguments.front());
}

const Lesson *LessonChecker::find(unsigned number) const {
  if (number == lesson_.number)
    return &lesson_;
  const auto found = llvm::find_if(known_, [&](const Lesson &other) { return other.number == number; });
  return found == known_.end() ? nullptr : &*found;
}

/// Whether lesson `number` comes after this one. `way`: " -> 3 -> 5".
bool LessonChecker::leadsBack(unsigned number, std::set<unsigned> &seen, std::string &way) const {
  const size_t before = way.size();
  way += " -> " + std::to_string(number);
  if (number == lesson_.number)
    return true;
  const Lesson *lesson = seen.insert(number).second ? find(number) : nullptr;
  for (unsigned next : lesson ? lesson->after : std::vector<unsigned>())
    if (leadsBack(next, seen, way))
      return true;
  way.resize(before);
  return false;
}

void LessonChecker::checkAfter() {
  for (unsigned number : lesson_.after) {
    std::set<unsigned> seen;
    std::string way = std::to_string(lesson_.number);
    if (!find(number))
      complain("it comes after lesson " + std::to_string(number) + ", which is not there");
    else if (leadsBack(number, seen, way))
      complain("it comes after itself: " + way);
  }
}

std::vector<LessonProblem> LessonChecker::check() {
  checkAfter();
  if (!lesson_.picture.empty())
    checkPicture(lesson_.picture);
  checkPictures(lesson_.intro);
  for (const LessonTask &task : lesson_.tasks) {
    ++task_;
    checkTask(task);
  }
  return std::move(problems_);
}

std::vector<LessonProblem> checkLessonText(const Lesson &lesson, llvm::ArrayRef<Lesson> known,
                                           const WindowNames *names) {
  return LessonChecker(lesson, known, names).check();
}

} // namespace fuselage
