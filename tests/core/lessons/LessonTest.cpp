// Lessons and their goals, as they are written.
#include "core/lessons/Lesson.h"
#include "core/lessons/BuiltInLessons.h"
#include "core/lessons/LessonPicture.h"
#include "core/support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <fstream>
#include <gtest/gtest.h>

namespace fuselage {
namespace {

Goal goalOf(llvm::StringRef line) {
  auto goal = parseGoal(line);
  EXPECT_TRUE(bool(goal)) << line.str();
  return goal ? *goal : (llvm::consumeError(goal.takeError()), Goal());
}

std::string problemOf(llvm::StringRef line) {
  auto goal = parseGoal(line);
  return goal ? std::string() : takeFailure(goal.takeError()).message;
}

/// The page for who writes lessons has a row for each.
TEST(GoalTest, FactsAreInTheHandbook) {
  auto page = llvm::MemoryBuffer::getFile(FUSELAGE_SOURCE_DIR "/resources/docs/lessons.md");
  ASSERT_TRUE(bool(page));
  llvm::SmallVector<llvm::StringRef> rows;
  (*page)->getBuffer().split(rows, '\n');
  for (const FactName &fact : factNames()) {
    const std::string cell = "| `" + (fact.name + (fact.arguments.empty() ? "" : " ") + fact.arguments).str() + "` |";
    EXPECT_TRUE(llvm::any_of(rows, [&](llvm::StringRef row) { return row.starts_with(cell); })) << cell;
  }
}

TEST(GoalTest, GoalsAreRead) {
  Goal goal = goalOf("dispatches <= 9");
  EXPECT_EQ(goal.fact, "dispatches");
  EXPECT_EQ(goal.compare, Goal::Compare::AtMost);
  EXPECT_EQ(goal.number, 9);
  EXPECT_EQ(goalOf("traffic < 1.5 MiB").number, 1.5 * (1 << 20));
  goal = goalOf("edge matmul -> add is fused");
  EXPECT_EQ(goal.arguments, (std::vector<std::string>{"matmul", "add"}));
  EXPECT_EQ(goal.word, "fused");
  EXPECT_EQ(goal.number, 0);
  goal = goalOf("edge %a->%b is not cannot be fused");
  EXPECT_EQ(goal.compare, Goal::Compare::NotEqual);
  EXPECT_EQ(goal.number, 3);
  goal = goalOf("answer = 6 within 5 %");
  EXPECT_DOUBLE_EQ(goal.tolerance, 0.05);
  EXPECT_EQ(goalOf("choice = b").number, 2);
  EXPECT_NE(problemOf("choice = two").find("they are called a to h"), std::string::npos);
  EXPECT_EQ(goalOf("same results").number, 1);
  goal = goalOf("tile traffic matmul <= 2.5 MiB");
  EXPECT_EQ(goal.fact, "tile traffic");
  EXPECT_EQ(goal.arguments, std::vector<std::string>{"matmul"});
  goal = goalOf("handle %tiled is not live");
  EXPECT_EQ(goal.compare, Goal::Compare::NotEqual);
  EXPECT_EQ(goal.word, "live");
  EXPECT_EQ(goalOf("form at 9 -> PerfectForNestForm").arguments, (std::vector<std::string>{"9", "PerfectForNestForm"}));
  EXPECT_EQ(goalOf("form PerfectForNestForm").fact, "form");
  EXPECT_EQ(goalOf("tiles matmul = 4").fact, "tiles");
  EXPECT_EQ(goalOf("step Form dispatches").arguments, std::vector<std::string>{"Form dispatches"});
}

TEST(GoalTest, WhatIsNoGoalSaysWhy) {
  EXPECT_NE(problemOf("despatches <= 9").find("begins with no fact; there are dispatches, missed"), std::string::npos);
  EXPECT_NE(problemOf("dispatches").find("compares with nothing"), std::string::npos);
  EXPECT_NE(problemOf("dispatches <= few").find("'few' is no number"), std::string::npos);
  EXPECT_NE(problemOf("edge matmul is fused").find("write edge A -> B"), std::string::npos);
  EXPECT_NE(problemOf("edge a -> b is melted").find("is none of fused, can be fused"), std::string::npos);
  EXPECT_NE(problemOf("traffic <= 3 Mib").find("is no number of bytes"), std::string::npos);
  EXPECT_NE(problemOf("answer = 6 within much").find("is no share"), std::string::npos);
}

TEST(GoalTest, StatesSayHowFarItIs) {
  const auto state = [](llvm::StringRef goal, double value) { return judge(goalOf(goal), value, ""); };
  EXPECT_EQ(state("dispatches <= 9", 12).text, "12 dispatches, at most 9 wanted");
  EXPECT_FALSE(state("dispatches <= 9", 12).holds);
  EXPECT_EQ(state("dispatches <= 9", 9).text, "9 dispatches");
  EXPECT_TRUE(state("dispatches <= 9", 9).holds);
  EXPECT_EQ(state("traffic < 1 MiB", 3 << 19).text, "1.50 MiB moved by the dispatches, less than 1.00 MiB wanted");
  EXPECT_EQ(state("edge a -> b is fused", 1).text, "the edge a \u2192 b: can be fused, wanted: fused");
  EXPECT_EQ(state("workgroup memory f <= 32 KiB", 48 << 10).text,
            "48.00 KiB of workgroup memory in f, at most 32.00 KiB wanted");
  EXPECT_EQ(state("occupancy f >= 50", 25).text, "25 % occupancy, registers aside, of f, at least 50 % wanted");
  EXPECT_EQ(state("handle %tiled is live", 1).text, "the handle %tiled: consumed, wanted: live");
  EXPECT_EQ(state("selected linalg.matmul", 1).text, "linalg.matmul is selected");
  EXPECT_EQ(state("selected linalg.matmul", 0).text, "another op is selected");
  EXPECT_TRUE(state("answer = 6 within 5 %", 6.3).holds);
  EXPECT_FALSE(state("answer = 6 within 5 %", 6.31).holds);
  EXPECT_EQ(state("answer = 6", 5).text.find('6'), std::string::npos); // the answer stays a secret
  EXPECT_EQ(judge(goalOf("copies = 0"), std::nullopt, "there are no tensors").text, "there are no tensors");
  EXPECT_FALSE(judge(goalOf("copies = 0"), std::nullopt, "").holds);
}

constexpr llvm::StringLiteral whole = R"(---
title: Elementwise fusion
number: 3
minutes: 10
after: 1, 2
module: bias.mlir
leads: Three kernels become one.
picture: fused.svg
---
Before the first task.

## Count the kernels
How many kernels are there?

```mlir
// of the text
```
```goal
answer = 3
```
```hints
- Count the boxes.
- There are as many as colours.
- 3
```
```show
answer 3
```

## Fuse them
Fuse the *edge*.
```goal
dispatches = 1
same results
```
```point
command Fuse This Edge
```
```wrong
clean up
record; step cse
```
)";

TEST(LessonTest, AWholeLesson) {
  auto lesson = parseLesson(whole, "lesson.md");
  ASSERT_TRUE(bool(lesson));
  EXPECT_EQ(lesson->title, "Elementwise fusion");
  EXPECT_EQ(lesson->number, 3u);
  EXPECT_EQ(lesson->after, (std::vector<unsigned>{1, 2}));
  EXPECT_EQ(lesson->picture, "fused.svg");
  EXPECT_EQ(lesson->intro, "Before the first task.");
  ASSERT_EQ(lesson->tasks.size(), 2u);
  EXPECT_EQ(lesson->tasks[0].hints.size(), 3u);
  EXPECT_EQ(lesson->tasks[0].hints[0], "Count the boxes.");
  EXPECT_NE(lesson->tasks[0].text.find("```mlir\n// of the text\n```"), std::string::npos);
  EXPECT_EQ(lesson->tasks[0].show, std::vector<std::string>{"answer 3"});
  EXPECT_EQ(lesson->tasks[1].goals.size(), 2u);
  EXPECT_EQ(lesson->tasks[1].wrong.size(), 2u);
  EXPECT_EQ(lesson->tasks[1].line, 30u);
  EXPECT_EQ(countWords(lesson->tasks[1].text), 3u);
}

/// Every prefix is either read or refused with a line; nothing is taken for whole.
TEST(LessonTest, NoPrefixIsALesson) {
  for (size_t length = 0; length < whole.size(); ++length) {
    auto lesson = parseLesson(whole.take_front(length), "lesson.md");
    if (!lesson) {
      Failure failure = takeFailure(lesson.takeError());
      ASSERT_FALSE(failure.diagnostics.empty());
      EXPECT_GT(failure.diagnostics[0].line + 1, 0u);
    } else {
      EXPECT_FALSE(lesson->tasks.empty());
    }
  }
}

TEST(LessonTest, AllProblemsAreReported) {
  std::string text = whole.str();
  text.replace(text.find("number: 3"), 9, "number: x");
  auto lesson = parseLesson(text, "lesson.md");
  ASSERT_FALSE(bool(lesson));
  EXPECT_EQ(takeFailure(lesson.takeError()).diagnostics[0].line, 3u);
  text = whole.str();
  text.replace(text.find("answer = 3"), 10, "anser = 3 ");
  text.replace(text.find("same results"), 12, "same result ");
  lesson = parseLesson(text, "lesson.md");
  ASSERT_FALSE(bool(lesson));
  EXPECT_EQ(takeFailure(lesson.takeError()).diagnostics.size(), 2u);
  text = whole.str();
  text.replace(text.find("bias.mlir"), 9, "../b.mlir");
  lesson = parseLesson(text, "lesson.md");
  ASSERT_FALSE(bool(lesson));
  EXPECT_NE(takeFailure(lesson.takeError()).message.find("not in the folder"), std::string::npos);
}

/// A folder for a lesson's pictures.
struct PictureFolder {
  llvm::SmallString<128> path;
  PictureFolder() { EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("lesson-picture", path)); }
  ~PictureFolder() { llvm::sys::fs::remove_directories(path); }
  void write(const std::string &name, const std::string &bytes) const {
    std::ofstream(path.str().str() + "/" + name, std::ios::binary) << bytes;
  }
  /// What is wrong with it; empty: nothing.
  std::string problemOf(llvm::StringRef name) const {
    Lesson lesson;
    lesson.folder = path.str().str();
    auto picture = readLessonPicture(lesson, name);
    return picture ? std::string() : takeFailure(picture.takeError()).message;
  }
};

/// The beginning of a PNG of this width and height, each in one byte of 256 pixels.
std::string png(char width, char height) {
  return std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", 18) + width + std::string(3, '\0') + height + '\0';
}

/// A start of image, an application's segment, and the start of a frame.
std::string jpeg(char height, char width) {
  return std::string("\xff\xd8\xff\xe0\0\4ab\xff\xc0\0\x11\x8", 13) + height + '\0' + width + '\0' + "more";
}

TEST(LessonPictureTest, PicturesAreOfTheFolderAndOfLimitedSize) {
  const PictureFolder folder;
  folder.write("a.svg", "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
  folder.write("text.svg", "text");
  folder.write("parts.svg", "<svg><use href = '#a'/><image xlink:href=\"data:image/png;base64,AA==\"/></svg>");
  folder.write("files.svg", "<svg><image xlink:href=\"/etc/a.png\"/></svg>");
  folder.write("entity.svg", "<!DOCTYPE svg [<!ENTITY a '&#60;image/>'>]><svg>&a;</svg>");
  folder.write("packed.svg", "\x1f\x8b\x08 packed");
  folder.write("a.png", png(32, 32));
  folder.write("wide.png", png(33, 1));
  folder.write("a.jpg", jpeg(32, 1));
  folder.write("high.jpeg", jpeg(33, 1));
  folder.write("cut.jpg", "\xff\xd8");
  folder.write("large.svg", "<svg>" + std::string(LessonPictureLimits::mostBytes, ' '));
  folder.write("a.gif", "GIF89a");
  for (const char *name : {"a.svg", "parts.svg", "a.png", "a.jpg"})
    EXPECT_EQ(folder.problemOf(name), "") << name;
  EXPECT_EQ(folder.problemOf("text.svg"), "the picture 'text.svg' is no SVG");
  EXPECT_EQ(folder.problemOf("files.svg"), "the picture 'files.svg' refers to other files");
  EXPECT_EQ(folder.problemOf("entity.svg"), "the picture 'entity.svg' refers to other files");
  EXPECT_EQ(folder.problemOf("packed.svg"), "the picture 'packed.svg' is no SVG");
  EXPECT_EQ(folder.problemOf("wide.png"), "the picture 'wide.png' is wider or higher than 8192 pixels");
  EXPECT_EQ(folder.problemOf("high.jpeg"), "the picture 'high.jpeg' is wider or higher than 8192 pixels");
  EXPECT_EQ(folder.problemOf("cut.jpg"), "the picture 'cut.jpg' is no JPEG");
  EXPECT_EQ(folder.problemOf("large.svg"), "the picture 'large.svg' has more than 4 MiB");
  EXPECT_EQ(folder.problemOf("a.gif"), "the picture 'a.gif' ends in neither .svg, .png nor .jpg");
  EXPECT_EQ(folder.problemOf("gone.svg"), "the picture 'gone.svg' does not exist");
  for (const char *name : {"../a.svg", "/etc/a.svg", "b/../../a.svg", "file:a.svg", ""})
    EXPECT_NE(folder.problemOf(name).find("is not in the folder"), std::string::npos) << name;
  const PictureFolder other;
  other.write("a.svg", "<svg/>");
  ASSERT_FALSE(llvm::sys::fs::create_link(other.path + "/a.svg", folder.path + "/link.svg"));
  EXPECT_NE(folder.problemOf("link.svg").find("is a link out of the folder"), std::string::npos);
}

TEST(LessonPictureTest, EachLessonOfTheProgramHasOne) {
  for (Lesson &lesson : builtInLessons()) {
    lesson.folder = FUSELAGE_SOURCE_DIR "/resources/lessons/" + lesson.folder;
    auto picture = readLessonPicture(lesson, lesson.picture);
    EXPECT_TRUE(bool(picture)) << lesson.folder << (picture ? "" : takeFailure(picture.takeError()).message);
  }
}

} // namespace
} // namespace fuselage
