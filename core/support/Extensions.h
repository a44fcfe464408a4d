// State that features keep with what they share, such as the open document, each by a type of its own.
#pragma once
#include <any>
#include <list>
#include <memory>

namespace fuselage {

/// The owner knows none of the types: a feature declares its type in its own files, and adds nothing here. They are few
/// (a feature has one or two), so that they are searched.
class Extensions {
public:
  /// What is kept of type T; null until the feature sets it, which may be anew at any time. The reference stays valid
  /// as long as this lives and is not cleared. T may be incomplete where it is not set.
  template <class T> std::shared_ptr<T> &get() {
    for (std::any &each : held_)
      if (auto *found = std::any_cast<std::shared_ptr<T>>(&each))
        return *found;
    return *std::any_cast<std::shared_ptr<T>>(&held_.emplace_back(std::shared_ptr<T>()));
  }
  /// References are void.
  void clear() { held_.clear(); }

private:
  std::list<std::any> held_;
};

} // namespace fuselage
