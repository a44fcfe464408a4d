// Colours and fonts of every view, in one place, for light and dark.
#pragma once
#include "views/common/Numbers.h"
#include "views/common/SceneData.h"
#include <QColor>
#include <QFont>
#include <QPalette>

class QPainter;

namespace fuselage {

/// Classes of tokens in MLIR text.
enum class TokenKind {
  Plain,
  Comment,
  String,
  Value,
  Op,
  Type,
  Attribute,
  Number,
  Symbol,
  Keyword,
  Label,
  Punctuation
};
constexpr int tokenKindCount = int(TokenKind::Punctuation) + 1;

/// What to use: the desktop's own colours, or one of ours.
enum class ThemeMode { System, Light, Dark };

/// A palette of meanings. Views take it from their QPalette (Theme::of) and follow when that
/// changes, so a manual choice is made by applyThemeMode() alone.
struct Theme {
  /// How many accents dispatches share.
  static constexpr int hueCount = 12;
  bool dark = false;

  QColor window, surface, surfaceMuted, surfaceRaised; ///< behind panels; boxes; quiet boxes; overlays
  QColor text, textMuted, textFaint;                   ///< 7:1, 4.5:1, decoration
  QColor border, borderStrong;
  QColor accent, accentText, accentSoft; ///< selection and focus; text on it; its tint

  QColor canvas, canvasDot;                                  ///< graph background
  QColor edge, edgeStrong;                                   ///< quiet edges, edges that move many bytes
  QColor edgeInput, edgeOutput;                              ///< of the selection; neither is the colour of a verdict
  QColor halo;                                               ///< of tiles, and values below zero in charts
  QColor edgeFused, edgePossible, edgeTried, edgeImpossible; ///< by verdict; 4.5:1 on the canvas
  QColor match, matchCurrent;                                ///< search hits

  QColor added, removed, changed; ///< lines, icons and text; 4.5:1 on surface
  QColor addedLine, removedLine, changedLine, gap;
  QColor addedWord, removedWord, changedWord;
  QColor success, warning, error;

  QColor gutter, gutterText, currentLine, opLines, opBar, selection; ///< text views
  QColor tokens[tokenKindCount];

  static const Theme &light();
  static const Theme &night();
  /// Light or dark, by the lightness of the palette's window colour.
  static const Theme &of(const QPalette &palette);

  /// A QPalette with these colours, for the Fusion style.
  QPalette palette() const;

  const QColor &token(TokenKind kind) const { return tokens[int(kind)]; }
  /// Accent of a dispatch; neighbours in number differ. -1: the neutral accent.
  QColor dispatch(int index) const;
  /// Fill of a node, before dispatch and heat.
  QColor nodeFill(NodeData::Kind kind) const;
  /// The colour of quiet words, or, on a ground that takes their contrast, one nearer to that of text: 4.5:1.
  QColor mutedOn(const QColor &ground) const;
  QColor change(Change change) const;
  /// Of an edge; the quiet colour for None.
  QColor fusion(FusionMark mark) const;
  /// 0 to 1, from cool to hot; readable for the colour-blind, and in grey. Clamps.
  QColor heat(double value) const;
};

/// Sets style hints and the palette of the running QApplication.
void applyThemeMode(ThemeMode mode);

/// `a` over `b` at `amount` (0: b, 1: a).
QColor mix(const QColor &a, const QColor &b, double amount);
/// WCAG 2.1 contrast ratio, 1 to 21.
double contrastRatio(const QColor &a, const QColor &b);
/// Black or white, whichever reads better on `background`.
QColor readableOn(const QColor &background);

/// A line around what has the keyboard, within `rect`.
void paintFocus(QPainter &painter, const QRect &rect, const QPalette &palette);

/// The application's font, or DejaVu Sans where the system names none that exists.
QFont uiFont(int pixelSize, QFont::Weight weight = QFont::Normal);
/// DejaVu Sans, whose widths the engine lays boxes out for; the UI font where it is missing.
QFont graphFont(int pixelSize, QFont::Weight weight = QFont::Normal);
/// Of IR and scripts, before zooming.
inline constexpr double textPointSize = 10;
/// The system's fixed-pitch font, or DejaVu Sans Mono where that is not really fixed.
QFont monoFont(double pointSize = textPointSize);

} // namespace fuselage
