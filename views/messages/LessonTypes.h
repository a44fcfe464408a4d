// Lessons, as Qt values.
#pragma once
#include "core/protocol/Lessons.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using LessonGoal = message::LessonGoal<QtTypes>;
using LessonTask = message::LessonTask<QtTypes>;
using Lesson = message::Lesson<QtTypes>;
using Lessons = message::Lessons<QtTypes>;
using LessonGoalState = message::LessonGoalState<QtTypes>;
using LessonState = message::LessonState<QtTypes>;

} // namespace fuselage::protocol
