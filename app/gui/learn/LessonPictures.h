// Pictures of lessons, whose authors may be anybody.
#pragma once
#include "views/messages/LessonTypes.h"
#include <QImage>

namespace fuselage {

/// A picture of the folder of a lesson, as large as fits into `most` (pixels of the widget), no larger than it is, on a
/// ground that is not transparent. Null: it is not in that folder, it is none, or it exceeds the limits of
/// LessonPictureLimits.
QImage pictureOfLesson(const QString &folder, const QString &name, QSize most, qreal ratio);
/// Of where the lesson leads; of one that comes with the program also before it is opened. Null: it has none.
QImage pictureOf(const protocol::Lesson &lesson, QSize most, qreal ratio);

} // namespace fuselage
