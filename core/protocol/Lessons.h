// Lessons: tasks on a module of their own, and how far their goals are.
#pragma once
#include "core/protocol/Diagnostics.h"
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

/// A fact about the program or the window, compared with a value.
template <class Types = StdTypes> struct LessonGoal {
  static constexpr const char *messageName = "LessonGoal";
  Text<Types> text;       ///< as it was written
  Text<Types> fact;       ///< "dispatches", "edge", "answer"
  Texts<Types> arguments; ///< "matmul", "add"
  bool ofWindow = false;  ///< who asks knows the fact, and tells it

  template <class Visitor> void fields(Visitor &visit) {
    visit("text", text);
    visit("fact", fact);
    visit("arguments", arguments);
    visit("of_window", ofWindow);
  }
};

template <class Types = StdTypes> struct LessonTask {
  static constexpr const char *messageName = "LessonTask";
  Text<Types> title;
  Text<Types> text;                       ///< Markdown
  List<Types, LessonGoal<Types>> goals{}; ///< all of them have to hold
  Texts<Types> hints;                     ///< from a question to the answer
  Texts<Types> show;                      ///< actions that reach the goals
  Texts<Types> point;                     ///< what the text talks about

  template <class Visitor> void fields(Visitor &visit) {
    visit("title", title);
    visit("text", text);
    visit("goals", goals);
    visit("hints", hints);
    visit("show", show);
    visit("point", point);
  }
};

template <class Types = StdTypes> struct Lesson {
  static constexpr const char *messageName = "Lesson";
  Text<Types> folder; ///< with its files; of one that is only listed and comes with the program, its name
  Text<Types> title, leads, intro, module;
  Text<Types> picture; ///< of where it leads, a file of the folder; empty: there is none
  int number = 0, minutes = 0;
  Numbers<Types> after; ///< numbers of lessons that come before
  List<Types, LessonTask<Types>> tasks{};

  template <class Visitor> void fields(Visitor &visit) {
    visit("folder", folder);
    visit("title", title);
    visit("leads", leads);
    visit("intro", intro);
    visit("module", module);
    visit("picture", picture);
    visit("number", number);
    visit("minutes", minutes);
    visit("after", after);
    visit("tasks", tasks);
  }
};

template <class Types = StdTypes> struct Lessons {
  static constexpr const char *messageName = "lesson/list";
  List<Types, Lesson<Types>> lessons{};
  List<Types, Diagnostic<Types>> problems{}; ///< of lessons of the user's own that cannot be read

  template <class Visitor> void fields(Visitor &visit) {
    visit("lessons", lessons);
    visit("problems", problems);
  }
};

template <class Types = StdTypes> struct LessonGoalState {
  static constexpr const char *messageName = "LessonGoalState";
  bool holds = false;
  Text<Types> text; ///< "12 dispatches, at most 9 wanted"

  template <class Visitor> void fields(Visitor &visit) {
    visit("holds", holds);
    visit("text", text);
  }
};

template <class Types = StdTypes> struct LessonState {
  static constexpr const char *messageName = "lesson/judge";
  List<Types, LessonGoalState<Types>> goals{};

  template <class Visitor> void fields(Visitor &visit) { visit("goals", goals); }
};

} // namespace fuselage::message
