// What the methods of the protocol act on, and the table of them.
#pragma once
#include "core/engine/Document.h"
#include "core/engine/Rpc.h"
#include "core/ir/module/PassCatalog.h"
#include "core/protocol/json/JsonWriter.h"
#include "llvm/ADT/StringMap.h"
#include <atomic>
#include <functional>

namespace fuselage {

/// The engine's state; one thread at a time. `send` sends a notification; `cancelled` is raised
/// by other threads while a method runs.
class Engine {
public:
  using Notify = std::function<void(llvm::StringRef method, llvm::json::Value params)>;
  explicit Engine(Notify send) : send(std::move(send)) {}

  /// The open document, or an error that says to open one.
  llvm::Expected<Document *> document();

  /// A notification by its description.
  template <message::Message T> void notify(const T &message) { send(T::messageName, message::encode(message)); }

  Notify send;
  std::atomic<bool> cancelled = false;
  std::unique_ptr<Document> current;
  /// What a feature keeps as long as the engine runs, whatever document is open. Null: it has set nothing.
  template <class T> std::shared_ptr<T> &extension() { return extensions_.get<T>(); }
  /// Ends what features have going on, and closes the document.
  void close() {
    extensions_.clear();
    current.reset();
  }
  /// Every registered pass.
  const std::vector<CatalogEntry> &passes() {
    if (passes_.empty())
      passes_ = listRegisteredPasses();
    return passes_;
  }

private:
  std::vector<CatalogEntry> passes_; // filled on first use
  Extensions extensions_;
};

/// Answers with the text of JSON.
using Method = std::function<llvm::Expected<std::string>(Engine &, Params &)>;
/// Filled by addMethod(), see MethodTable.h.
using MethodTable = llvm::StringMap<Method>;

/// All methods but `shutdown`, which is the server's: of the sources that CMakeLists.txt lists as method_sources.
MethodTable allMethods();

} // namespace fuselage
