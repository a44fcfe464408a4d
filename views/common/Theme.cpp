#include "views/common/Theme.h"
#include "core/pictures/PictureColors.h"
#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace fuselage {

static QColor rgb(unsigned value) { return QColor(QRgb(0xff000000u | value)); }

static void setTokens(Theme &theme, std::initializer_list<std::pair<TokenKind, unsigned>> colors) {
  for (auto [kind, value] : colors)
    theme.tokens[int(kind)] = rgb(value);
}

const Theme &Theme::light() {
  static const Theme theme = [] {
    Theme t;
    t.window = rgb(0xf3f4f6), t.surface = rgb(0xffffff), t.surfaceMuted = rgb(0xf0f1f4);
    t.surfaceRaised = rgb(0xffffff);
    t.text = rgb(0x1c2128), t.textMuted = rgb(0x59626e), t.textFaint = rgb(0x9aa2ad);
    t.border = rgb(0xd5d9e0), t.borderStrong = rgb(0xa9b0bb);
    t.accent = rgb(0x2563c9), t.accentText = rgb(0xffffff), t.accentSoft = rgb(0xdce7fa);
    t.canvas = rgb(0xf7f8fa), t.canvasDot = rgb(0xe2e5ea);
    t.edge = rgb(0xa3abb7), t.edgeStrong = rgb(0x717b89);
    t.edgeInput = rgb(0x0b7285), t.edgeOutput = rgb(0x6d28d9);
    t.halo = rgb(0xb35309);
    t.edgeFused = rgb(picture::fusedEdge), t.edgePossible = rgb(picture::possibleEdge),
    t.edgeTried = rgb(picture::triedEdge), t.edgeImpossible = rgb(picture::impossibleEdge);
    t.match = rgb(0xf2c94c), t.matchCurrent = rgb(0xe07b00);
    t.added = rgb(0x0b6e4f), t.removed = rgb(0xb3361b), t.changed = rgb(0x8a5a00);
    t.addedLine = rgb(0xe3f5ec), t.removedLine = rgb(0xfdeae5), t.changedLine = rgb(0xfdf5dc);
    t.gap = rgb(0xeef0f3);
    t.addedWord = rgb(0xb4e4cb), t.removedWord = rgb(0xf9cdc1), t.changedWord = rgb(0xf5dd94);
    t.success = rgb(0x0b6e4f), t.warning = rgb(0x8a5a00), t.error = rgb(0xb3261e);
    t.gutter = rgb(0xf7f8fa), t.gutterText = rgb(0x616a76), t.currentLine = rgb(0xf1f5fc);
    t.opLines = rgb(0xe6effd), t.opBar = rgb(0x2563c9), t.selection = rgb(0xc3d9fb);
    setTokens(t, {{TokenKind::Plain, 0x1c2128},
                  {TokenKind::Comment, 0x4f5a65},
                  {TokenKind::String, 0x0b5c3b},
                  {TokenKind::Value, 0x1d4e9e},
                  {TokenKind::Op, 0x6f2da8},
                  {TokenKind::Type, 0x075d6c},
                  {TokenKind::Attribute, 0x7d4100},
                  {TokenKind::Number, 0x8a2b12},
                  {TokenKind::Symbol, 0x8c1d5a},
                  {TokenKind::Keyword, 0x4a4f9c},
                  {TokenKind::Label, 0x3c4a5c},
                  {TokenKind::Punctuation, 0x4d5663}});
    return t;
  }();
  return theme;
}

const Theme &Theme::night() {
  static const Theme theme = [] {
    Theme t;
    t.dark = true;
    t.window = rgb(0x1f2227), t.surface = rgb(0x282c33), t.surfaceMuted = rgb(0x22262c);
    t.surfaceRaised = rgb(0x2d323a);
    t.text = rgb(0xe6e9ee), t.textMuted = rgb(0xa7b0bc), t.textFaint = rgb(0x6d7683);
    t.border = rgb(0x3b414b), t.borderStrong = rgb(0x5b6471);
    t.accent = rgb(0x6ea8ff), t.accentText = rgb(0x0e1420), t.accentSoft = rgb(0x2a3b57);
    t.canvas = rgb(0x191c20), t.canvasDot = rgb(0x272b31);
    t.edge = rgb(0x626c79), t.edgeStrong = rgb(0x98a3b1);
    t.edgeInput = rgb(0x4cc3d9), t.edgeOutput = rgb(0xc8a6ff);
    t.halo = rgb(0xf0a35e);
    t.edgeFused = rgb(picture::darkFusedEdge), t.edgePossible = rgb(picture::darkPossibleEdge),
    t.edgeTried = rgb(picture::darkTriedEdge), t.edgeImpossible = rgb(picture::darkImpossibleEdge);
    t.match = rgb(0xc99a1b), t.matchCurrent = rgb(0xffb347);
    t.added = rgb(0x5fd0a0), t.removed = rgb(0xff9277), t.changed = rgb(0xe8bd56);
    t.addedLine = rgb(0x1b3429), t.removedLine = rgb(0x3d231e), t.changedLine = rgb(0x352e1a);
    t.gap = rgb(0x1c1f24);
    t.addedWord = rgb(0x214b39), t.removedWord = rgb(0x602f24), t.changedWord = rgb(0x4c4018);
    t.success = rgb(0x5fd0a0), t.warning = rgb(0xe8bd56), t.error = rgb(0xff8b80);
    t.gutter = rgb(0x1f2227), t.gutterText = rgb(0x8993a0), t.currentLine = rgb(0x292e36);
    t.opLines = rgb(0x24324a), t.opBar = rgb(0x6ea8ff), t.selection = rgb(0x2a446d);
    setTokens(t, {{TokenKind::Plain, 0xe6e9ee},
                  {TokenKind::Comment, 0xa9b3be},
                  {TokenKind::String, 0x9ddcae},
                  {TokenKind::Value, 0x9cc4ff},
                  {TokenKind::Op, 0xd8b4fa},
                  {TokenKind::Type, 0x7fd6e4},
                  {TokenKind::Attribute, 0xf0c38a},
                  {TokenKind::Number, 0xffb59e},
                  {TokenKind::Symbol, 0xf7a9d0},
                  {TokenKind::Keyword, 0xb6bdfb},
                  {TokenKind::Label, 0xc7d0db},
                  {TokenKind::Punctuation, 0xbcc4ce}});
    return t;
  }();
  return theme;
}

const Theme &Theme::of(const QPalette &palette) {
  QColor back = palette.color(QPalette::Window), front = palette.color(QPalette::WindowText);
  return back.lightnessF() < front.lightnessF() ? night() : light();
}

QPalette Theme::palette() const {
  QPalette p;
  p.setColor(QPalette::Window, window);
  p.setColor(QPalette::WindowText, text);
  p.setColor(QPalette::Base, surface);
  p.setColor(QPalette::AlternateBase, surfaceMuted);
  p.setColor(QPalette::Text, text);
  p.setColor(QPalette::PlaceholderText, textMuted);
  p.setColor(QPalette::Button, dark ? surfaceRaised : window);
  p.setColor(QPalette::ButtonText, text);
  p.setColor(QPalette::BrightText, error);
  p.setColor(QPalette::ToolTipBase, surfaceRaised);
  p.setColor(QPalette::ToolTipText, text);
  p.setColor(QPalette::Highlight, accentSoft); // quiet: text keeps its colours on it
  p.setColor(QPalette::HighlightedText, text);
  p.setColor(QPalette::Link, accent);
  p.setColor(QPalette::LinkVisited, mix(accent, textMuted, 0.5));
  p.setColor(QPalette::Light, mix(surface, rgb(0xffffff), dark ? 0.85 : 0.2));
  p.setColor(QPalette::Midlight, border);
  p.setColor(QPalette::Mid, borderStrong);
  p.setColor(QPalette::Dark, dark ? rgb(0x121417) : borderStrong);
  p.setColor(QPalette::Shadow, dark ? rgb(0x0b0c0e) : rgb(0x7b8490));
  for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, textFaint);
  p.setColor(QPalette::Disabled, QPalette::Highlight, border);
  return p;
}

QColor Theme::dispatch(int index) const {
  static_assert(picture::accentCount == hueCount);
  if (index < 0)
    return borderStrong;
  const unsigned *hues = dark ? picture::darkDispatchAccents : picture::dispatchAccents;
  return rgb(hues[index % hueCount]);
}

QColor Theme::nodeFill(NodeData::Kind kind) const {
  switch (kind) {
  case NodeData::Kind::Constant:
  case NodeData::Kind::Empty:
  case NodeData::Kind::Reshape:
  case NodeData::Kind::Slice:
    return surfaceMuted;
  case NodeData::Kind::Argument:
  case NodeData::Kind::Return:
    return mix(accent, surface, dark ? 0.16 : 0.10);
  case NodeData::Kind::Control:
    return mix(textMuted, surface, 0.12);
  case NodeData::Kind::Gap:
    return mix(error, surface, dark ? 0.12 : 0.1);
  default:
    return surface;
  }
}

QColor Theme::mutedOn(const QColor &ground) const {
  for (double amount = 0; amount < 1; amount += 0.2)
    if (const QColor ink = mix(text, textMuted, amount); contrastRatio(ink, ground) >= 4.5)
      return ink;
  return text;
}

QColor Theme::change(Change change) const {
  switch (change) {
  case Change::Added:
    return added;
  case Change::Removed:
    return removed;
  case Change::Changed:
    return changed;
  case Change::Same:
    break;
  }
  return borderStrong;
}

QColor Theme::fusion(FusionMark mark) const {
  switch (mark) {
  case FusionMark::Fused:
    return edgeFused;
  case FusionMark::Possible:
    return edgePossible;
  case FusionMark::Tried:
    return edgeTried;
  case FusionMark::Impossible:
    return edgeImpossible;
  case FusionMark::NotTried:
  case FusionMark::None:
    break;
  }
  return edge;
}

QColor Theme::heat(double value) const {
  // Monotonic in lightness, after the idea of Matplotlib's magma; no red against green.
  static constexpr unsigned onLight[] = {0xfff3d6, 0xfdd49e, 0xfb9f6b, 0xe8604f, 0xb8305f, 0x701f57};
  static constexpr unsigned onDark[] = {0x2b2a45, 0x5a2a6b, 0x9b3173, 0xd9485f, 0xf8854f, 0xfcd98a};
  value = std::isfinite(value) ? std::clamp(value, 0.0, 1.0) : 0.0;
  double place = value * (std::size(onLight) - 1);
  size_t low = std::min<size_t>(size_t(place), std::size(onLight) - 2);
  const unsigned *ramp = dark ? onDark : onLight;
  return mix(rgb(ramp[low + 1]), rgb(ramp[low]), place - double(low));
}

void applyThemeMode(ThemeMode mode) {
  // A palette without any colour set gives the application the desktop's own palette back.
  QApplication::setPalette(mode == ThemeMode::System  ? QPalette()
                           : mode == ThemeMode::Light ? Theme::light().palette()
                                                      : Theme::night().palette());
}

QColor mix(const QColor &a, const QColor &b, double amount) {
  auto blend = [&](double x, double y) { return std::clamp(x * amount + y * (1 - amount), 0.0, 1.0); };
  return QColor::fromRgbF(float(blend(a.redF(), b.redF())), float(blend(a.greenF(), b.greenF())),
                          float(blend(a.blueF(), b.blueF())));
}

/// Relative luminance, WCAG 2.1.
static double luminance(const QColor &color) {
  auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrastRatio(const QColor &a, const QColor &b) {
  double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QColor readableOn(const QColor &background) {
  // Pure black and white: one of them always has 4.5:1.
  QColor dark = rgb(0x000000), light = rgb(0xffffff);
  return contrastRatio(dark, background) >= contrastRatio(light, background) ? dark : light;
}

void paintFocus(QPainter &painter, const QRect &rect, const QPalette &palette) {
  const Theme &theme = Theme::of(palette);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(mix(theme.accent, theme.surface, 0.6));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect.adjusted(0, 0, -1, -1));
  painter.restore();
}

/// The application's, or one that is there; looked up once for each, which takes longer than a frame may.
static QFont readableFont(const QFont &wanted) {
  static QFont asked, found;
  static bool isKnown = false;
  if (!isKnown || asked != wanted) {
    isKnown = true;
    asked = found = wanted;
    if (const QFontInfo info(wanted); !info.exactMatch() && !QFontDatabase::hasFamily(info.family()))
      found = QFont(QStringLiteral("DejaVu Sans"));
  }
  return found;
}

QFont uiFont(int pixelSize, QFont::Weight weight) {
  QFont font = readableFont(QApplication::font());
  font.setPixelSize(pixelSize);
  font.setWeight(weight);
  return font;
}

QFont graphFont(int pixelSize, QFont::Weight weight) {
  QFont font(QStringLiteral("DejaVu Sans"));
  static const bool isThere = QFontInfo(font).exactMatch();
  if (!isThere)
    return uiFont(pixelSize, weight);
  font.setPixelSize(pixelSize);
  font.setWeight(weight);
  return font;
}

QFont monoFont(double pointSize) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  if (!QFontInfo(font).fixedPitch())
    font = QFont(QStringLiteral("DejaVu Sans Mono"));
  font.setStyleHint(QFont::Monospace);
  font.setPointSizeF(pointSize);
  font.setKerning(false);
  return font;
}

} // namespace fuselage
