// Words of notes that the file beside the document does not have yet.
#include "app/bridge/MessageReader.h"
#include "app/bridge/MessageWriter.h"
#include "app/gui/notes/NotesController.h"
#include "views/widgets/Banner.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

void NotesController::textEdited(int row) {
  const protocol::Note &note = model_.notes()[row];
  if (!before_.contains(note.id))
    before_.insert(note.id, known_.value(note.id));
  known_.insert(note.id, note.text);
  keepDraft();
  isDirty_ = true;
  later_->start();
  paintMarks();
}

/// The engine writes the file, a moment later, and may be gone then.
void NotesController::keepDraft() {
  QJsonArray edits;
  for (const protocol::Note &note : model_.notes())
    if (before_.contains(note.id))
      edits.append(QJsonObject{{u"note"_s, toJson(note)}, {u"before"_s, before_.value(note.id)}});
  draft_.keep(edits.isEmpty() ? QJsonObject() : QJsonObject{{u"edits"_s, edits}});
}

void NotesController::restoreDraft(const QString &tab) {
  draft_.leave();
  lost_ = draft_.restore(tab)["edits"_L1].toArray();
  if (isLoaded_)
    applyDraft();
}

/// Words that were typed into a note, onto what the file says of it now.
void NotesController::applyDraft() {
  bool isOther = false;
  for (const QJsonValue &lost : std::exchange(lost_, {})) {
    protocol::Note note;
    message::decode(lost["note"_L1].toObject(), note);
    const auto isSame = [&](const protocol::Note &known) { return known.id == note.id; };
    const qsizetype row = std::find_if(model_.notes().begin(), model_.notes().end(), isSame) - model_.notes().begin();
    if (row == model_.notes().size()) {
      model_.add(note);
      ++changes_;
      textEdited(int(row));
    } else if (const QString onDisk = model_.notes()[row].text; onDisk != note.text) {
      const bool isUntouched = onDisk == lost["before"_L1].toString();
      isOther |= !isUntouched;
      model_.setText(int(row), isUntouched ? note.text : onDisk + u"\n\n"_s + note.text);
    }
  }
  keepDraft();
  if (isOther)
    shell().banner().showMessage(
        Banner::Kind::Info,
        tr("A note changed on disk after you typed in it. Both texts are kept in the note, yours below."));
  else if (isDirty_)
    shell().tell(tr("Your unsaved notes are back"));
}

} // namespace fuselage
