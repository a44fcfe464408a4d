// A lesson: tasks on a module of its own, each with goals that the engine can check.
#pragma once
#include "core/lessons/Goal.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace fuselage {

/// One thing to do. `line`s count from 1 in the lesson's file.
struct LessonTask {
  std::string title;
  std::string text{};               ///< Markdown, at most `mostWords` words
  std::vector<Goal> goals{};        ///< all of them have to hold
  std::vector<std::string> hints{}; ///< from a question to the answer
  std::vector<std::string> show{};  ///< actions that reach the goals, see LessonAction.h
  std::vector<std::string> point{}; ///< what the text talks about: "op matmul", "panel fusion", "command Fuse All"
  std::vector<std::string> wrong{}; ///< actions, "; " between several, that do not reach the goals: each line a way
  unsigned line = 0;

  static constexpr unsigned mostWords = 80;
};

/// A folder with a lesson.md and the modules that it opens.
struct Lesson {
  std::string folder; ///< that it was read from
  std::string title;
  std::string leads;   ///< a sentence: where it leads
  std::string intro;   ///< Markdown before the first task
  std::string module;  ///< the file that it begins with, in `folder`
  std::string picture; ///< of where it leads, a file in `folder`; empty: there is none
  unsigned number = 0;
  unsigned minutes = 0;
  std::vector<unsigned> after; ///< numbers of lessons that come before
  std::vector<LessonTask> tasks;
};

/// Reads the lesson.md of a folder, which may be named itself. Failure: a diagnostic per problem, each with its line.
///
///   ---
///   title: Elementwise fusion
///   number: 3
///   minutes: 10
///   after: 1, 2
///   module: bias.mlir
///   picture: fused.svg
///   leads: Three kernels become one.
///   ---
///   Words before the first task.
///
///   ## Title of a task
///   What to look at and what to do.
///   ```goal
///   dispatches <= 1
///   ```
///   ```hints
///   - Which two ops go over the same elements?
///   ```
///   ```show
///   fuse add -> mul
///   ```
///   ```point
///   command Fuse This Edge
///   ```
///   ```wrong
///   clean up
///   ```
llvm::Expected<Lesson> readLesson(llvm::StringRef path);

/// The same of a text; `name` stands for the file in diagnostics.
llvm::Expected<Lesson> parseLesson(llvm::StringRef text, llvm::StringRef name);

/// Words as a reader counts them: code and links are words, too.
unsigned countWords(llvm::StringRef markdown);

} // namespace fuselage
