// What came of a search, in a sentence.
#pragma once
#include "views/messages/TuneTypes.h"

namespace fuselage {

/// Of a search that has an outcome: of one item how its best compares, where that lies below the
/// peaks, and what became of it; of many how many are faster, and all of their calls together.
QString outcomeText(const protocol::TuneProgress &progress);
/// What a search said beside, a line each: what its journal has, what could not be measured again, and, where that is
/// so, that there are no peaks, because of `peaks`.
QString notesText(const protocol::TuneProgress &progress, const QString &peaks);

} // namespace fuselage
