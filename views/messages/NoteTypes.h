// Bookmarks and notes, as Qt values.
#pragma once
#include "core/protocol/Notes.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using message::NoteKind;
using message::NoteState;
using OpAnchor = message::OpAnchor<QtTypes>;
using StepAnchor = message::StepAnchor<QtTypes>;
using Note = message::Note<QtTypes>;
using Notes = message::Notes<QtTypes>;
using NotesSaved = message::NotesSaved<QtTypes>;
using NotePlace = message::NotePlace<QtTypes>;
using NotePlaces = message::NotePlaces<QtTypes>;
using BugReport = message::BugReport<QtTypes>;

} // namespace fuselage::protocol
