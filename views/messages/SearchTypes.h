// What is found by its name, in a snapshot and over the steps, as Qt values.
#pragma once
#include "core/protocol/Search.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using SearchKind = message::SearchKind;
using SearchHit = message::SearchHit<QtTypes>;
using SearchHits = message::SearchHits<QtTypes>;
using HistoryChange = message::HistoryChange;
using RewriteChange = message::RewriteChange;
using HistoryRewrite = message::HistoryRewrite<QtTypes>;
using HistoryEvent = message::HistoryEvent<QtTypes>;
using History = message::History<QtTypes>;
using SearchProgress = message::SearchProgress<QtTypes>;
using SnapshotCounts = message::SnapshotCounts<QtTypes>;

} // namespace fuselage::protocol
