#include "core/lessons/Lesson.h"
#include "core/support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace fuselage {

unsigned countWords(llvm::StringRef markdown) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(markdown, words);
  return llvm::count_if(words, [](llvm::StringRef word) { return llvm::any_of(word, llvm::isAlnum); });
}

namespace {

/// Reads a lesson line by line, and goes on after a problem, so that all are reported.
class LessonParser {
public:
  LessonParser(llvm::StringRef text, llvm::StringRef name) : rest_(text), name_(name) {}
  llvm::Expected<Lesson> parse();

private:
  bool next();
  void complain(const llvm::Twine &message);
  void readFrontMatter();
  void takeField(llvm::StringRef key, llvm::StringRef value);
  void takeNumber(llvm::StringRef value, unsigned &number);
  void readBlock(llvm::StringRef kind);
  void takeLine(llvm::StringRef kind, llvm::StringRef line);
  void beginTask(llvm::StringRef title);
  void checkWhole();

  llvm::StringRef rest_, name_, line_;
  unsigned number_ = 0;
  Lesson lesson_;
  std::vector<Diagnostic> problems_;
};

} // namespace

bool LessonParser::next() {
  if (rest_.empty())
    return false;
  std::tie(line_, rest_) = rest_.split('\n');
  line_ = line_.rtrim('\r');
  ++number_;
  return true;
}

void LessonParser::complain(const llvm::Twine &message) {
  problems_.push_back({.message = message.str(), .file = name_.str(), .line = number_, .column = 1});
}

void LessonParser::takeNumber(llvm::StringRef value, unsigned &number) {
  if (value.getAsInteger(10, number))
    complain("'" + value + "' is no whole number");
}

void LessonParser::takeField(llvm::StringRef key, llvm::StringRef value) {
  if (key == "title")
    lesson_.title = value.str();
  else if (key == "leads")
    lesson_.leads = value.str();
  else if (key == "module")
    lesson_.module = value.str();
  else if (key == "picture")
    lesson_.picture = value.str();
  else if (key == "number")
    takeNumber(value, lesson_.number);
  else if (key == "minutes")
    takeNumber(value, lesson_.minutes);
  else if (key == "after")
    for (llvm::StringRef part : llvm::split(value, ','))
      takeNumber(part.trim(), lesson_.after.emplace_back());
  else
    complain("'" + key +
             "' is no field of a lesson; there are title, number, minutes, after, module, leads and "
             "picture");
}

/// Between two lines of "---".
void LessonParser::readFrontMatter() {
  if (!next() || line_ != "---")
    return complain("a lesson begins with its fields, between two lines of ---");
  bool isClosed = false;
  while (!isClosed && next()) {
    auto [key, value] = line_.split(':');
    isClosed = line_ == "---";
    if (!isClosed && !line_.trim().empty())
      takeField(key.trim(), value.trim());
  }
  if (!isClosed)
    complain("the fields of the lesson have no end: a line of --- is missing");
}

void LessonParser::beginTask(llvm::StringRef title) {
  lesson_.tasks.push_back({.title = title.trim().str(), .line = number_});
}

void LessonParser::takeLine(llvm::StringRef kind, llvm::StringRef line) {
  LessonTask &task = lesson_.tasks.back();
  if (kind == "goal") {
    if (llvm::Expected<Goal> goal = parseGoal(line))
      task.goals.push_back(std::move(*goal));
    else
      complain(takeFailure(goal.takeError()).message);
  } else if (kind == "hints") {
    line.consume_front("- ");
    task.hints.push_back(line.trim().str());
  } else {
    (kind == "show" ? task.show : kind == "wrong" ? task.wrong : task.point).push_back(line.str());
  }
}

/// Up to the fence that ends it.
void LessonParser::readBlock(llvm::StringRef kind) {
  const unsigned begin = number_;
  if (lesson_.tasks.empty())
    complain("a block of " + kind + " belongs to a task, which begins with ##");
  while (next() && line_.trim() != "```")
    if (!lesson_.tasks.empty() && !line_.trim().empty())
      takeLine(kind, line_.trim());
  if (line_.trim() != "```")
    complain("the block that begins in line " + llvm::Twine(begin) + " has no end");
}

static bool isBlock(llvm::StringRef kind) {
  return kind == "goal" || kind == "hints" || kind == "show" || kind == "point" || kind == "wrong";
}

void LessonParser::checkWhole() {
  for (const auto &[key, isMissing] :
       {std::pair("title", lesson_.title.empty()), std::pair("module", lesson_.module.empty()),
        std::pair("number", lesson_.number == 0)})
    if (isMissing)
      complain(llvm::Twine("the lesson has no ") + key);
  if (llvm::StringRef module = lesson_.module; module.contains('/') || module.contains('\\') || module == "..")
    complain("the module '" + module + "' is not in the folder of the lesson");
  if (lesson_.tasks.empty())
    complain("the lesson has no task: a line that begins with ## is the title of one");
  for (const LessonTask &task : lesson_.tasks) {
    number_ = task.line;
    if (task.goals.empty())
      complain("the task has no goal");
  }
}

llvm::Expected<Lesson> LessonParser::parse() {
  readFrontMatter();
  while (problems_.empty() && next()) {
    std::string &text = lesson_.tasks.empty() ? lesson_.intro : lesson_.tasks.back().text;
    if (llvm::StringRef fence = line_.trim(); fence.consume_front("```") && isBlock(fence))
      readBlock(fence);
    else if (line_.starts_with("## "))
      beginTask(line_.drop_front(3));
    else
      text += line_.str() + "\n";
  }
  checkWhole();
  for (LessonTask &task : lesson_.tasks)
    task.text = llvm::StringRef(task.text).trim().str();
  lesson_.intro = llvm::StringRef(lesson_.intro).trim().str();
  if (problems_.empty())
    return std::move(lesson_);
  return fail(problems_.front().message, problems_);
}

llvm::Expected<Lesson> parseLesson(llvm::StringRef text, llvm::StringRef name) {
  return LessonParser(text, name).parse();
}

llvm::Expected<Lesson> readLesson(llvm::StringRef given) {
  const bool isFile = llvm::sys::path::filename(given) == "lesson.md";
  llvm::StringRef folder = isFile ? llvm::sys::path::parent_path(given) : given;
  if (folder.empty())
    folder = ".";
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "lesson.md");
  constexpr uint64_t mostBytes = 256 << 10;
  uint64_t size = 0;
  if (!llvm::sys::fs::file_size(path, size) && size > mostBytes)
    return fail("'" + path.str().str() + "' has more than 256 KiB");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return fail("'" + path.str().str() + "' cannot be read: " + buffer.getError().message());
  llvm::Expected<Lesson> lesson = parseLesson((*buffer)->getBuffer(), path);
  if (lesson)
    lesson->folder = folder.str();
  return lesson;
}

} // namespace fuselage
