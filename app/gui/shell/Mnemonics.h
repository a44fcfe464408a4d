// Letters that go with Alt: controllers and panels choose theirs without knowing of each other.
#pragma once

class QMenu;
class QWidget;

namespace fuselage {

/// The first entry that asks for a letter has it; the others get one of their text that is free, or none. Menus within
/// it, too.
void makeMnemonicsUnique(const QMenu &menu);
/// The same for the controls of a window; the titles of its menus and the shortcuts of its commands come first.
void makeMnemonicsUnique(const QWidget &window);

} // namespace fuselage
