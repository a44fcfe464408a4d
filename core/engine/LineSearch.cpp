#include "core/engine/LineSearch.h"
#include "core/support/Error.h"

namespace fuselage {

/// std::regex compiles recursively.
static constexpr size_t kMaxPattern = 1000;

namespace {

/// Thrown out of the matcher, which has no other way to be stopped.
struct GivenUp {};

/// What the iterators of one search count down.
struct Steps {
  uint64_t left = 0;
  const std::atomic<bool> *cancelled = nullptr;

  void take() {
    constexpr uint64_t askEvery = 4096;
    if (left == 0 || (left % askEvery == 0 && cancelled && *cancelled))
      throw GivenUp();
    --left;
  }
};

/// A pointer into a line that counts how often the matcher reads.
class CountedChar {
public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;

  CountedChar() = default;
  CountedChar(const char *at, Steps *steps) : at_(at), steps_(steps) {}
  const char *base() const { return at_; }
  reference operator*() const {
    steps_->take();
    return *at_;
  }
  CountedChar &operator++() {
    ++at_;
    return *this;
  }
  CountedChar operator++(int) { return {at_++, steps_}; }
  CountedChar &operator--() {
    --at_;
    return *this;
  }
  CountedChar operator--(int) { return {at_--, steps_}; }
  // The matcher looks for the end on its way through alternatives that read nothing.
  bool operator==(const CountedChar &other) const {
    if (steps_)
      steps_->take();
    return at_ == other.at_;
  }

private:
  const char *at_ = nullptr;
  Steps *steps_ = nullptr;
};

} // namespace

llvm::Expected<LineSearch> LineSearch::create(llvm::StringRef pattern, const std::atomic<bool> *cancelled,
                                              uint64_t stepsPerLine) {
  if (pattern.empty())
    return fail("the search pattern is empty");
  LineSearch search;
  search.plain_ = pattern.str();
  search.cancelled_ = cancelled;
  search.stepsPerLine_ = stepsPerLine;
  if (pattern.find_first_of("\\^$.|?*+()[]{}") == llvm::StringRef::npos)
    return search;
  if (pattern.size() > kMaxPattern)
    return fail("the search pattern has " + std::to_string(pattern.size()) + " bytes; a regular expression may have " +
                std::to_string(kMaxPattern));
  try {
    search.regex_.emplace(search.plain_, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error &error) {
    return fail("'" + pattern.str() + "' is no regular expression: " + error.what());
  }
  return search;
}

llvm::Error LineSearch::forEachMatch(llvm::StringRef line,
                                     llvm::function_ref<void(unsigned begin, unsigned length)> found) const {
  if (!regex_) {
    for (size_t at = line.find(plain_); at != llvm::StringRef::npos; at = line.find(plain_, at + plain_.size()))
      found(at, plain_.size());
    return llvm::Error::success();
  }
  constexpr size_t maxLine = 12 << 10;
  llvm::StringRef head = line.take_front(maxLine);
  Steps steps{.left = stepsPerLine_, .cancelled = cancelled_};
  // Only the matcher itself may throw here: it gives up on what is too complex, and we do.
  try {
    std::regex_iterator<CountedChar> it({head.begin(), &steps}, {head.end(), &steps}, *regex_), end;
    for (; it != end; ++it)
      if (it->length() > 0)
        found((*it)[0].first.base() - head.begin(), it->length());
  } catch (const std::regex_error &) {
    return llvm::Error::success();
  } catch (const GivenUp &) {
    if (cancelled_ && *cancelled_)
      return fail("the search was cancelled");
    return fail("the search for '" + plain_ + "' takes too long; leave out repetitions inside of repetitions");
  }
  return llvm::Error::success();
}

} // namespace fuselage
