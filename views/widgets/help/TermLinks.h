// Terms of the glossary in a text: underlined where they are first used, with their meaning on hover and on a click.
#pragma once
#include "core/text/Glossary.h"
#include <QString>

class QTextBrowser;
class QUrl;

namespace fuselage {

/// That of Help.
const Glossary &helpGlossary();

/// Underlines each term where the page first uses it; headings, code and links stay as they are. The page's links are
/// not opened by itself (setOpenLinks(false)), but by its owner.
void linkTerms(QTextBrowser &page);

/// Says the meaning of a term that was clicked, or followed by keyboard. False: the link is none.
bool showTerm(QTextBrowser &page, const QUrl &link);

} // namespace fuselage
