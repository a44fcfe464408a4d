// A window with lessons.
#pragma once
#include "app/gui/learn/LearnController.h"
#include "app/gui/learn/LearnPanel.h"
#include "core/protocol/methods/LessonMethods.h"
#include "tests/views/window/WindowBench.h"
#include <QDir>
#include <QFile>

namespace fuselage {

struct LearnBench : WindowBench {
  LearnController &learn = window.controller<LearnController>();
  LearnPanel &panel = learn.panel();

  LearnBench() { QTRY_VERIFY_WITH_TIMEOUT(session.state() == EngineSession::State::Ready, patience); }
  void rest() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  void openLesson(const QString &name) {
    learn.open(name);
    QTRY_VERIFY_WITH_TIMEOUT(!learn.lesson().title.isEmpty() && window.isSettled(), patience);
  }
  /// The names of all lessons that come with the program.
  QStringList lessons() {
    QStringList names;
    bool isThere = false;
    session.client().call<method::ListLessons>(
        {}, &window,
        [&](const protocol::Lessons &known) {
          for (const protocol::Lesson &lesson : known.lessons)
            names.append(lesson.folder);
          isThere = true;
        },
        [&](const protocol::Error &) { isThere = true; });
    [&] { QTRY_VERIFY_WITH_TIMEOUT(isThere, patience); }();
    return names;
  }
};

/// A lesson of one task, "Mine"; `fields` are lines of its front matter. False: it cannot be written.
inline bool writeLesson(const QString &folder, const QByteArray &number, const QByteArray &intro = {},
                        const QByteArray &fields = {}) {
  QFile text(folder + QStringLiteral("/lesson.md")), module(folder + QStringLiteral("/m.mlir"));
  return QDir().mkpath(folder) && text.open(QIODevice::WriteOnly) && module.open(QIODevice::WriteOnly) &&
         text.write("---\ntitle: Mine\nnumber: " + number + "\nmodule: m.mlir\n" + fields + "---\n" + intro +
                    "## One\nAnswer 1.\n```goal\nanswer = 1\n```\n"
                    "```show\nanswer 1\n```\n") > 0 &&
         module.write("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %a : tensor<4xf32>\n}\n") > 0;
}

} // namespace fuselage
