// lesson/*.
#pragma once
#include "core/protocol/Lessons.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

struct ListLessons {
  static constexpr const char *name = "lesson/list";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    Texts<Types> folders{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("folders", folders,
            optional.file(FileUse::Lessons).doc("with lessons of the user's own, beside those of `FUSELAGE_LESSONS`"));
    }
  };
  template <class Types> using Reply = message::Lessons<Types>;
};

struct OpenLesson {
  static constexpr const char *name = "lesson/open";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    Text<Types> lesson{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("lesson", lesson,
            required.file(FileUse::Lessons)
                .doc("the `folder` of one that lesson/list names, a folder with a lesson.md, that file, or a zip "
                     "of the folder"));
    }
  };
  template <class Types> using Reply = message::Lesson<Types>;
};

struct JudgeLesson {
  static constexpr const char *name = "lesson/judge";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Texts<Types> goals{};
    Map<Types, Text<Types>> told{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("goals", goals, optional.doc("as lessons write them"));
      visit("told", told, optional.doc("facts that only the window knows, as numbers: `answer`, `selected matmul`"));
    }
  };
  template <class Types> using Reply = message::LessonState<Types>;
};

} // namespace fuselage::method
