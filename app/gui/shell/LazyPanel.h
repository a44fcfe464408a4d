// Panels that are made when they are first needed: a window has thirty, and shows three.
#pragma once
#include <QList>
#include <QPointer>
#include <QString>
#include <QWidget>
#include <functional>
#include <utility>

namespace fuselage {

/// Stands in a dock for a panel, and asks for it when it is seen or given the keyboard.
class PanelPlace : public QWidget {
  Q_OBJECT
public:
  PanelPlace();
  /// Fills the place.
  void hold(QWidget *panel);
  /// All fields of the panel are there: the Tab key comes to them where it came to the place.
  void settle(QWidget *panel);

signals:
  void wanted();
  /// The panel is there, and its fields have their turn of the keyboard.
  void held(QWidget *panel);

protected:
  void showEvent(QShowEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
};

/// A panel is made by whoever uses it (`->`), and when its dock is first seen. What is said to it before, by tell(), is
/// kept until then: whoever only says something does not make it.
template <class Panel> class LazyPanel {
public:
  using Make = std::function<Panel *()>;
  using News = std::function<void(Panel &panel)>;

  explicit LazyPanel(Make make = [] { return new Panel; }) : make_(std::move(make)), place_(new PanelPlace) {
    QObject::connect(place_, &PanelPlace::wanted, place_, [this] { get(); });
  }
  ~LazyPanel() {
    if (place_ && !place_->parent())
      delete place_; // nobody has taken it
    if (place_)      // a dock that outlives the controller makes nothing any more
      QObject::disconnect(place_, &PanelPlace::wanted, place_, nullptr);
  }
  LazyPanel(const LazyPanel &) = delete;
  LazyPanel &operator=(const LazyPanel &) = delete;

  /// For a dock or a tab, which owns it.
  QWidget *place() const { return place_; }
  bool isMade() const { return panel_; }
  Panel &get() const {
    if (!panel_) {
      panel_ = make_();
      place_->hold(panel_); // first: a part of it that is shown before would be a window of its own
      for (const auto &[about, news] : std::exchange(news_, {}))
        news(*panel_);
      place_->settle(panel_);
    }
    return *panel_;
  }
  Panel *operator->() const { return &get(); }

  /// Now, or once the panel is made, in the order in which it was said.
  void tell(const News &news) { tell({}, news); }
  /// What is said about the same replaces what was said before.
  void tell(const QString &about, const News &news) {
    if (panel_)
      return news(*panel_);
    if (!about.isEmpty())
      news_.removeIf([&](const auto &said) { return said.first == about; });
    news_.append({about, news});
  }

private:
  Make make_;
  QPointer<PanelPlace> place_;
  mutable Panel *panel_ = nullptr;
  mutable QList<std::pair<QString, News>> news_; ///< and what each is about
};

} // namespace fuselage
