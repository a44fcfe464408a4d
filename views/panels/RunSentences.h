// What a run was, and how two compare, in sentences.
#pragma once
#include "views/messages/RunTypes.h"

namespace fuselage {

/// Device, times, verdict, how it was timed, and where the wall time went; of a run that did not come to its end, how
/// far it came. Its `why` says what ended it, if nobody cancelled it.
QString outcomeOf(const protocol::RunReport &report);

/// How a run compares with one before, both measured: the sums, their ratio, and whether the launches lie apart.
/// `gone`: dispatches of before that are not in this one. Empty: there is one run only.
QString comparisonOf(const protocol::RunReport &before, const QString &beforeName, const protocol::RunReport &now,
                     int gone);

} // namespace fuselage
