// lesson/*.
#include "core/protocol/methods/LessonMethods.h"
#include "core/engine/MethodTable.h"
#include "core/engine/lessons/LessonFacts.h"
#include "core/lessons/BuiltInLessons.h"
#include "core/lessons/LessonArchive.h"
#include "core/lessons/LessonShelf.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/support/Paths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace fuselage {
namespace {

message::LessonTask<> messageOf(const LessonTask &task) {
  message::LessonTask<> message{
      .title = task.title, .text = task.text, .hints = task.hints, .show = task.show, .point = task.point};
  for (const Goal &goal : task.goals)
    message.goals.push_back(
        {.text = goal.text, .fact = goal.fact, .arguments = goal.arguments, .ofWindow = isOfWindow(goal.fact)});
  return message;
}

message::Lesson<> messageOf(const Lesson &lesson) {
  message::Lesson<> message{.folder = lesson.folder,
                            .title = lesson.title,
                            .leads = lesson.leads,
                            .intro = lesson.intro,
                            .module = lesson.module,
                            .picture = lesson.picture,
                            .number = static_cast<int>(lesson.number),
                            .minutes = static_cast<int>(lesson.minutes),
                            .after = {lesson.after.begin(), lesson.after.end()}};
  for (const LessonTask &task : lesson.tasks)
    message.tasks.push_back(messageOf(task));
  return message;
}

llvm::Expected<message::Lessons<>> list(Engine &, const method::ListLessons::Request<> &request) {
  message::Lessons<> lessons;
  for (const Lesson &lesson : builtInLessons())
    lessons.lessons.push_back(messageOf(lesson));
  std::vector<std::string> folders = shelvesOfEnvironment();
  llvm::append_range(folders, request.folders);
  const ShelvedLessons shelf = lessonsIn(folders);
  for (const Lesson &lesson : shelf.lessons)
    lessons.lessons.push_back(messageOf(lesson));
  lessons.problems = message::messagesOf(shelf.problems);
  return lessons;
}

/// Where the files of a lesson are put that comes with the program, or in a zip: the document is one of them, and is
/// found there again at the next start.
llvm::Expected<std::string> folderFor(llvm::StringRef name) {
  llvm::SmallString<128> folder(userDataFolder());
  if (folder.empty())
    return fail("there is no home folder for the files of the lesson");
  llvm::sys::path::append(folder, "lessons", name);
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return fail("cannot make the folder '" + folder.str().str() + "': " + error.message());
  return folder.str().str();
}

/// A name of its own for each path.
llvm::Expected<Lesson> readArchive(llvm::StringRef path) {
  auto folder = folderFor("zip-" + llvm::utohexstr(llvm::xxh3_64bits(path)));
  if (!folder)
    return folder.takeError();
  if (llvm::Error error = unpackLesson(path, *folder))
    return error;
  return readLesson(*folder);
}

llvm::Expected<message::Lesson<>> open(Engine &, const method::OpenLesson::Request<> &request) {
  for (Lesson &lesson : builtInLessons()) {
    if (lesson.folder != request.lesson)
      continue;
    auto folder = folderFor(lesson.folder);
    if (!folder)
      return folder.takeError();
    if (llvm::Error error = extractLesson(lesson, *folder))
      return error;
    return messageOf(lesson);
  }
  auto lesson = isLessonArchive(request.lesson) ? readArchive(request.lesson) : readLesson(request.lesson);
  if (!lesson)
    return lesson.takeError();
  return messageOf(*lesson);
}

llvm::Expected<message::LessonState<>> judgeAll(Engine &engine, Document &document,
                                                const method::JudgeLesson::Request<> &request) {
  LessonFacts::Told told;
  for (const auto &[name, text] : request.told)
    if (double number = 0; !llvm::StringRef(text).getAsDouble(number))
      told[name] = number;
  LessonFacts facts(document, request.snapshot, told, &engine.cancelled);
  std::vector<Goal> goals;
  for (const std::string &text : request.goals) {
    auto goal = parseGoal(text);
    if (!goal)
      return goal.takeError();
    goals.push_back(std::move(*goal));
  }
  message::LessonState<> state;
  for (GoalState &judged : facts.judge(goals))
    state.goals.push_back({.holds = judged.holds, .text = std::move(judged.text)});
  return state;
}

} // namespace

void addLessonMethods(MethodTable &table) {
  addMethod<method::ListLessons, list>(table);
  addMethod<method::OpenLesson, open>(table);
  addMethod<method::JudgeLesson, judgeAll>(table);
}

} // namespace fuselage
