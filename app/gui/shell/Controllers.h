// The controllers of a window, in the order in which they were made.
#pragma once
#include "app/gui/shell/Controller.h"
#include <memory>
#include <vector>

namespace fuselage {

class Controllers {
public:
  Controllers() = default;
  Controllers(const Controllers &) = delete;
  Controllers &operator=(const Controllers &) = delete;
  ~Controllers() { clear(); }

  template <class T> T &add(std::unique_ptr<T> controller) {
    T &added = *controller;
    list_.push_back(std::move(controller));
    return added;
  }
  /// Null: there is none of this class.
  template <class T> T *find() const {
    for (const std::unique_ptr<Controller> &controller : list_)
      if (auto *found = dynamic_cast<T *>(controller.get()))
        return found;
    return nullptr;
  }
  const std::vector<std::unique_ptr<Controller>> &list() const { return list_; }
  /// The last one first: it may hold on to those before.
  void clear() {
    while (!list_.empty())
      list_.pop_back();
  }

private:
  std::vector<std::unique_ptr<Controller>> list_;
};

} // namespace fuselage
