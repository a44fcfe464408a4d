#include "views/common/Style.h"
#include "views/common/Theme.h"
#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QStyleOption>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr double corner = 5;
static constexpr int scrollBarWidth = 11, shortestHandle = 28;

Style::Style() : QProxyStyle(QStyleFactory::create(u"Fusion"_s)) {}

QIcon Style::standardIcon(StandardPixmap icon, const QStyleOption *option, const QWidget *widget) const {
  QIcon &known = icons_[int(icon)];
  if (known.isNull())
    known = QProxyStyle::standardIcon(icon, option, widget);
  return known;
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const {
  switch (metric) {
  case PM_SplitterWidth:
  case PM_DockWidgetSeparatorExtent:
    return 5; // a line with room to take it
  case PM_ToolBarItemSpacing:
    return 2;
  case PM_ToolBarItemMargin:
    return 3;
  case PM_ToolBarFrameWidth:
    return 1;
  case PM_TabBarTabHSpace:
    return 22;
  case PM_TabBarTabVSpace:
    return 11;
  case PM_TabBarBaseOverlap:
  case PM_TabBarTabShiftVertical:
  case PM_TabBarTabShiftHorizontal:
  case PM_TabBarTabOverlap:
    return 0;
  case PM_ScrollBarExtent:
    return scrollBarWidth;
  case PM_ScrollBarSliderMin:
    return shortestHandle;
  case PM_HeaderMargin:
  case PM_FocusFrameHMargin: // between a number at the right of its column and the text at the left of the next
    return 4;
  case PM_IndicatorWidth:
  case PM_IndicatorHeight:
  case PM_ExclusiveIndicatorWidth:
  case PM_ExclusiveIndicatorHeight:
    return 15;
  default:
    return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int Style::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const {
  switch (hint) {
  case SH_TabBar_ElideMode:
    return Qt::ElideNone;
  case SH_ScrollBar_LeftClickAbsolutePosition:
    return 0;
  case SH_Table_GridLineColor:
    return int(Theme::of(option ? option->palette : QApplication::palette()).border.rgb());
  default:
    return QProxyStyle::styleHint(hint, option, widget, data);
  }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                              const QWidget *widget) const {
  QSize grown = QProxyStyle::sizeFromContents(type, option, size, widget);
  switch (type) {
  case CT_ToolButton:
    return grown + QSize(4, 2);
  case CT_ItemViewItem:
    return grown + QSize(0, 2);
  case CT_MenuItem:
    return grown + QSize(0, 2);
  case CT_PushButton:
    return grown + QSize(8, 4);
  case CT_LineEdit:
  case CT_ComboBox:
  case CT_SpinBox:
    return grown + QSize(0, 2);
  default:
    return grown;
  }
}

/// Without arrows: the handle alone, and the groove that it moves in.
QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                            const QWidget *widget) const {
  const auto *bar = control == CC_ScrollBar ? qstyleoption_cast<const QStyleOptionSlider *>(option) : nullptr;
  if (!bar)
    return QProxyStyle::subControlRect(control, option, part, widget);
  const bool isFlat = bar->orientation == Qt::Horizontal;
  const int length = isFlat ? bar->rect.width() : bar->rect.height();
  const qint64 range = qint64(bar->maximum) - bar->minimum;
  int handle = length;
  if (range > 0)
    handle = std::clamp(int(qint64(length) * bar->pageStep / (range + bar->pageStep)), std::min(shortestHandle, length),
                        length);
  const int begin =
      sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - handle, bar->upsideDown);
  const auto span = [&](int from, int to) {
    const QRect rect = isFlat ? QRect(bar->rect.x() + from, bar->rect.y(), to - from, bar->rect.height())
                              : QRect(bar->rect.x(), bar->rect.y() + from, bar->rect.width(), to - from);
    return visualRect(bar->direction, bar->rect, rect);
  };
  switch (part) {
  case SC_ScrollBarGroove:
    return bar->rect;
  case SC_ScrollBarSlider:
    return span(begin, begin + handle);
  case SC_ScrollBarSubPage:
    return span(0, begin);
  case SC_ScrollBarAddPage:
    return span(begin + handle, length);
  default:
    return {};
  }
}

static void paintScrollBar(const QStyleOptionSlider &bar, const QRect &handle, QPainter &painter) {
  const Theme &theme = Theme::of(bar.palette);
  painter.fillRect(bar.rect, bar.palette.color(QPalette::Base));
  if (bar.maximum <= bar.minimum)
    return;
  const bool isHeld = bar.state & QStyle::State_Sunken, isMeant = bar.state & QStyle::State_MouseOver;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.textMuted, theme.surface, isHeld ? 0.9 : isMeant ? 0.7 : 0.45));
  const QRectF rect = QRectF(handle).adjusted(2.5, 2.5, -2.5, -2.5);
  const double radius = std::min(rect.width(), rect.height()) / 2;
  painter.drawRoundedRect(rect, radius, radius);
  painter.restore();
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                               const QWidget *widget) const {
  if (const auto *bar = control == CC_ScrollBar ? qstyleoption_cast<const QStyleOptionSlider *>(option) : nullptr)
    return paintScrollBar(*bar, subControlRect(control, bar, SC_ScrollBarSlider, widget), *painter);
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

static void paintBox(QPainter &painter, const QRectF &rect, const QColor &fill, const QColor &line, double width = 1) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(line.isValid() ? QPen(line, width) : QPen(Qt::NoPen));
  painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(rect.adjusted(width / 2, width / 2, -width / 2, -width / 2), corner, corner);
  painter.restore();
}

static void paintToolButton(const QStyleOption &option, QPainter &painter) {
  const Theme &theme = Theme::of(option.palette);
  const QRectF rect = QRectF(option.rect).adjusted(1, 1, -1, -1);
  if (option.state & QStyle::State_On)
    paintBox(painter, rect, theme.accentSoft, mix(theme.accent, theme.accentSoft, 0.35));
  else if (option.state & QStyle::State_Sunken)
    paintBox(painter, rect, mix(theme.text, theme.window, 0.16), {});
  else if (option.state & QStyle::State_MouseOver && option.state & QStyle::State_Enabled)
    paintBox(painter, rect, mix(theme.text, theme.window, 0.09), {});
  if (option.state & QStyle::State_HasFocus)
    paintBox(painter, rect, {}, theme.accent, 1.5);
}

static void paintPushButton(const QStyleOption &option, QPainter &painter) {
  const Theme &theme = Theme::of(option.palette);
  const auto *button = qstyleoption_cast<const QStyleOptionButton *>(&option);
  const bool isEnabled = option.state & QStyle::State_Enabled;
  const bool isFlat = button && button->features & QStyleOptionButton::Flat;
  const bool isDefault = button && button->features & QStyleOptionButton::DefaultButton;
  QColor fill = theme.surfaceRaised;
  if (option.state & (QStyle::State_Sunken | QStyle::State_On))
    fill = theme.accentSoft;
  else if (isEnabled && option.state & QStyle::State_MouseOver)
    fill = mix(theme.text, theme.surfaceRaised, 0.07);
  else if (isFlat)
    fill = {};
  const QColor line = isFlat ? QColor() : isDefault && isEnabled ? theme.accent : theme.borderStrong;
  paintBox(painter, option.rect, fill, isEnabled || isFlat ? line : theme.border);
  if (option.state & QStyle::State_HasFocus)
    paintBox(painter, option.rect, {}, theme.accent, 2);
}

/// Boxes to check are seen on every ground: their line has 3:1 at least.
static void paintCheck(const QStyleOption &option, QPainter &painter, bool isRound) {
  const Theme &theme = Theme::of(option.palette);
  const bool isOn = option.state & QStyle::State_On, isPartly = option.state & QStyle::State_NoChange;
  const bool isEnabled = option.state & QStyle::State_Enabled;
  const double side = std::min(option.rect.width(), option.rect.height());
  QRectF rect(0, 0, side, side);
  rect.moveCenter(QRectF(option.rect).center());
  rect.adjust(1, 1, -1, -1);
  const QColor accent = isEnabled ? theme.accent : theme.borderStrong;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(isOn || isPartly ? accent : isEnabled ? theme.textMuted : theme.borderStrong, 1.3));
  painter.setBrush(isOn || isPartly ? accent : theme.surface);
  const double radius = isRound ? rect.width() / 2 : 3;
  painter.drawRoundedRect(rect, radius, radius);
  painter.setPen(QPen(theme.accentText, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  const auto at = [&](double x, double y) { return rect.topLeft() + QPointF(x * rect.width(), y * rect.height()); };
  if (isPartly) {
    painter.drawLine(at(0.25, 0.5), at(0.75, 0.5));
  } else if (isOn && isRound) {
    painter.setBrush(theme.accentText);
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(rect.center(), rect.width() * 0.2, rect.width() * 0.2);
  } else if (isOn) {
    const QPointF mark[] = {at(0.22, 0.53), at(0.43, 0.73), at(0.79, 0.29)};
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(mark, 3);
  }
  painter.restore();
}

static void paintEdit(const QStyleOption &option, QPainter &painter, bool hasGround) {
  const Theme &theme = Theme::of(option.palette);
  const bool isFocused = option.state & QStyle::State_HasFocus;
  paintBox(painter, option.rect, hasGround ? option.palette.color(QPalette::Base) : QColor(),
           isFocused ? theme.accent : theme.borderStrong, isFocused ? 1.5 : 1);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                          const QWidget *widget) const {
  const Theme &theme = Theme::of(option->palette);
  switch (element) {
  case PE_FrameTabBarBase:
    painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), theme.border);
    return;
  case PE_PanelScrollAreaCorner:
    painter->fillRect(option->rect, option->palette.color(QPalette::Base));
    return;
  case PE_PanelButtonTool:
    return paintToolButton(*option, *painter);
  case PE_PanelButtonCommand:
    return paintPushButton(*option, *painter);
  case PE_IndicatorCheckBox:
  case PE_IndicatorItemViewItemCheck:
    return paintCheck(*option, *painter, /*isRound=*/false);
  case PE_IndicatorRadioButton:
    return paintCheck(*option, *painter, /*isRound=*/true);
  case PE_PanelLineEdit: {
    const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
    if (frame && frame->lineWidth <= 0) // of a spin box, a table, ..: it has a frame around it
      return painter->fillRect(option->rect, option->palette.color(QPalette::Base));
    return paintEdit(*option, *painter, /*hasGround=*/true);
  }
  case PE_FrameLineEdit:
    return paintEdit(*option, *painter, /*hasGround=*/false);
  case PE_FrameFocusRect:
    return paintBox(*painter, option->rect, {}, theme.accent, 1.5);
  case PE_IndicatorDockWidgetResizeHandle:
  case PE_IndicatorToolBarSeparator: {
    const QRect &rect = option->rect;
    const bool isUpright =
        element == PE_IndicatorToolBarSeparator ? option->state & State_Horizontal : rect.height() > rect.width();
    const int inset = element == PE_IndicatorToolBarSeparator ? 6 : 0;
    painter->fillRect(isUpright ? QRect(rect.center().x(), rect.top() + inset, 1, rect.height() - 2 * inset)
                                : QRect(rect.left() + inset, rect.center().y(), rect.width() - 2 * inset, 1),
                      option->state & State_MouseOver ? theme.accent : theme.border);
    return;
  }
  default:
    QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

static void paintTab(const QStyleOptionTab &tab, QPainter &painter) {
  const Theme &theme = Theme::of(tab.palette);
  const bool isSelected = tab.state & QStyle::State_Selected;
  if (isSelected)
    painter.fillRect(tab.rect, theme.surface);
  else if (tab.state & QStyle::State_MouseOver)
    painter.fillRect(tab.rect, mix(theme.text, theme.window, 0.06));
  const bool isBelow = tab.shape == QTabBar::RoundedSouth || tab.shape == QTabBar::TriangularSouth;
  constexpr int line = 2;
  if (isSelected)
    painter.fillRect(
        QRect(tab.rect.left(), isBelow ? tab.rect.bottom() - line + 1 : tab.rect.top(), tab.rect.width(), line),
        theme.accent);
  if (tab.state & QStyle::State_HasFocus)
    paintBox(painter, QRectF(tab.rect).adjusted(2, 3, -2, -2), {}, theme.accent, 1.5);
}

static void paintHeader(const QStyleOption &option, QPainter &painter, bool isSection) {
  const Theme &theme = Theme::of(option.palette);
  const QRect &rect = option.rect;
  const bool isMeant = isSection && option.state & QStyle::State_MouseOver && option.state & QStyle::State_Enabled;
  painter.fillRect(rect, isMeant ? mix(theme.text, theme.window, 0.06) : theme.window);
  painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.border);
  if (isSection)
    painter.fillRect(QRect(rect.right(), rect.top() + 4, 1, rect.height() - 8), theme.border);
}

void Style::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                        const QWidget *widget) const {
  const Theme &theme = Theme::of(option->palette);
  switch (element) {
  case CE_TabBarTabShape:
    if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option))
      return paintTab(*tab, *painter);
    break;
  case CE_TabBarTabLabel:
    if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
      QStyleOptionTab label(*tab);
      label.state &= ~State_HasFocus; // paintTab() shows it
      label.palette.setColor(QPalette::WindowText, tab->state & State_Selected ? theme.text : theme.textMuted);
      return QProxyStyle::drawControl(element, &label, painter, widget);
    }
    break;
  case CE_HeaderSection:
    return paintHeader(*option, *painter, /*isSection=*/true);
  case CE_HeaderEmptyArea:
    return paintHeader(*option, *painter, /*isSection=*/false);
  case CE_Splitter:
    return drawPrimitive(PE_IndicatorDockWidgetResizeHandle, option, painter, widget);
  case CE_ToolBar:
    painter->fillRect(option->rect, theme.window);
    painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), theme.border);
    return;
  case CE_MenuBarEmptyArea:
    painter->fillRect(option->rect, theme.window);
    return;
  case CE_MenuBarItem:
    if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
      painter->fillRect(option->rect, theme.window);
      if (option->state & (State_Selected | State_Sunken))
        paintBox(*painter, QRectF(option->rect).adjusted(2, 2, -2, -2), theme.accentSoft, {});
      drawItemText(painter, option->rect, Qt::AlignCenter | Qt::TextShowMnemonic, option->palette,
                   option->state & State_Enabled, item->text, QPalette::WindowText);
      return;
    }
    break;
  default:
    break;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void applyStyle() {
  if (!dynamic_cast<Style *>(QApplication::style()))
    QApplication::setStyle(new Style);
}

} // namespace fuselage
