// Text that many values share.
#pragma once
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace fuselage {

/// An immutable string whose copies share its characters, also between threads. As large as a pointer, where a
/// std::string takes 32 bytes and more for each copy. Whoever makes many equal ones has to copy one.
class SharedText {
public:
  SharedText() = default;
  SharedText(const SharedText &) = default;
  SharedText &operator=(const SharedText &) = default;
  SharedText(SharedText &&) noexcept = default; // so that vectors that grow move what they hold
  SharedText &operator=(SharedText &&) noexcept = default;
  SharedText(std::string text) : characters_(text.empty() ? nullptr : new Characters(std::move(text))) {}
  SharedText(llvm::StringRef text) : SharedText(text.str()) {}
  SharedText(const char *text) : SharedText(std::string(text)) {}

  llvm::StringRef ref() const { return characters_ ? llvm::StringRef(characters_->text) : llvm::StringRef(); }
  operator llvm::StringRef() const { return ref(); }
  std::string str() const { return ref().str(); }
  bool empty() const { return !characters_; }

  friend bool operator==(const SharedText &a, const SharedText &b) {
    return a.characters_ == b.characters_ || a.ref() == b.ref();
  }
  friend bool operator==(const SharedText &a, llvm::StringRef b) { return a.ref() == b; }
  friend bool operator==(const SharedText &a, const char *b) { return a.ref() == b; }
  friend bool operator==(const SharedText &a, const std::string &b) { return a.ref() == b; }

private:
  struct Characters : llvm::ThreadSafeRefCountedBase<Characters> {
    explicit Characters(std::string text) : text(std::move(text)) {}
    const std::string text;
  };
  llvm::IntrusiveRefCntPtr<const Characters> characters_; ///< null: empty
};

/// Makes equal texts one.
class SharedTexts {
public:
  const SharedText &of(llvm::StringRef text) {
    auto [entry, isNew] = all_.try_emplace(text);
    if (isNew)
      entry->second = SharedText(text);
    return entry->second;
  }

private:
  llvm::StringMap<SharedText> all_;
};

} // namespace fuselage
