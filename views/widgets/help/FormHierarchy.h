// Which normal form implies which, as a picture.
#pragma once
#include "views/messages/ScheduleTypes.h"
#include <QImage>

class QPalette;

namespace fuselage {

/// A box for each form, to the right of those that it implies, with an arrow to each of them. `scale`: pixels of the
/// device.
QImage paintFormHierarchy(const QList<protocol::FormHelp> &forms, const QPalette &palette, qreal scale);

} // namespace fuselage
