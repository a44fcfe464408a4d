// What the window itself knows of by name: commands, settings, steps, passes, parts of the model, pages of help.
#pragma once
#include "views/locator/LocatorQuery.h"
#include "views/messages/DocumentTypes.h"
#include "views/messages/FusionTypes.h"
#include "views/messages/ScheduleTypes.h"
#include "views/messages/SearchTypes.h"

class QMenu;

namespace fuselage {

class ModelOutline;
class StepModel;

/// Pages that LocatorEntry::row of an entry of help names.
enum class HelpKind { FusionReason, BufferReason, Form, Term };

namespace locator_sources {
/// Every action of the menus but separators; those of the last menu are help, those that can be checked settings.
QList<LocatorEntry> commands(const QList<QMenu *> &menus);
QList<LocatorEntry> steps(const StepModel &model);
/// Layers, stages, blocks and dispatches.
QList<LocatorEntry> parts(const ModelOutline &outline);
QList<LocatorEntry> passes(const protocol::Catalog &catalog);
QList<LocatorEntry> reasons(HelpKind kind, const QList<protocol::ReasonHelp> &reasons);
/// Of the glossary.
QList<LocatorEntry> terms();
QList<LocatorEntry> forms(const QList<protocol::FormHelp> &forms);
/// What can be typed in front.
QList<LocatorEntry> prefixes();
LocatorEntry entryOf(const protocol::SearchHit &hit, int snapshot);

/// Those that fit, ranked; of each kind the best, at most so many.
QList<LocatorEntry> matching(const QList<LocatorEntry> &all, const LocatorQuery &query, int mostOfAKind);
} // namespace locator_sources

} // namespace fuselage
