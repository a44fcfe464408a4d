#include "core/inductor/TraceArtifacts.h"
#include "core/support/JsonDepth.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>

using llvm::StringRef;

namespace fuselage::inductor {
namespace {

constexpr size_t kMostGraphs = 256;

/// The JSON of a header; empty: the line is none.
StringRef headerIn(StringRef line) {
  bool isLogged = line.size() > 5 && line.front() == 'V' && llvm::all_of(line.substr(1, 4), llvm::isDigit);
  size_t at = isLogged ? line.find("] {") : StringRef::npos;
  return at == StringRef::npos ? StringRef() : line.substr(at + 2);
}

/// Nullopt: it is no JSON, or nested deeper than that.
std::optional<llvm::json::Value> parseJson(StringRef text, int deepest) {
  if (jsonDepth(text) > deepest)
    return std::nullopt;
  auto json = llvm::json::parse(text);
  if (json)
    return std::move(*json);
  llvm::consumeError(json.takeError());
  return std::nullopt;
}

class TraceReader {
public:
  explicit TraceReader(StringRef text) : rest_(text) {}
  TraceArtifacts read();

private:
  void readHeader(StringRef header);
  std::string takePayload();
  void addGraph(const std::string &frame);
  void addMappings(const std::string &frame);
  void readVersion();

  StringRef rest_;
  unsigned line_ = 0; // the last that was taken
  TraceArtifacts found_;
  std::map<std::string, std::vector<size_t>> ofFrame_; // graphs
};

/// The lines after a header, each of which has a tab in front.
std::string TraceReader::takePayload() {
  std::string payload;
  while (rest_.starts_with("\t")) {
    StringRef line;
    std::tie(line, rest_) = rest_.split('\n');
    ++line_;
    payload += line.drop_front();
    payload += '\n';
  }
  return payload;
}

void TraceReader::addGraph(const std::string &frame) {
  if (found_.graphs.size() >= kMostGraphs)
    return;
  std::vector<size_t> &known = ofFrame_[frame];
  std::string name = "frame " + frame + (known.empty() ? "" : "." + std::to_string(known.size()));
  known.push_back(found_.graphs.size());
  unsigned firstLine = line_ + 1;
  found_.graphs.push_back({.name = std::move(name), .text = takePayload(), .firstLine = firstLine, .mappings = {}});
}

/// Those of the last graph of the frame: torch writes them when its code is made.
void TraceReader::addMappings(const std::string &frame) {
  auto known = ofFrame_.find(frame);
  if (known != ofFrame_.end())
    found_.graphs[known->second.back()].mappings = takePayload();
}

void TraceReader::readVersion() {
  constexpr int deepest = 8;
  std::optional<llvm::json::Value> json = parseJson(takePayload(), deepest);
  const llvm::json::Object *object = json ? json->getAsObject() : nullptr;
  if (std::optional<StringRef> version = object ? object->getString("pytorch_version") : std::nullopt)
    found_.version = version->take_front(40).str();
}

void TraceReader::readHeader(StringRef header) {
  if (!header.contains("\"inductor_post_grad_graph\"") && !header.contains("\"torch_version\"") &&
      !header.contains("\"inductor_provenance_tracking_node_mappings\""))
    return; // most are others, and some are long
  constexpr int deepest = 20;
  std::optional<llvm::json::Value> json = parseJson(header, deepest);
  const llvm::json::Object *object = json ? json->getAsObject() : nullptr;
  const llvm::json::Object *artifact = object ? object->getObject("artifact") : nullptr;
  StringRef name = artifact ? artifact->getString("name").value_or("") : StringRef();
  auto number = [&](StringRef key) { return std::to_string(object->getInteger(key).value_or(0)); };
  if (object && (object->get("inductor_post_grad_graph") || name == "inductor_post_grad_graph"))
    addGraph(number("frame_id") + "/" + number("frame_compile_id"));
  else if (name == "inductor_provenance_tracking_node_mappings")
    addMappings(number("frame_id") + "/" + number("frame_compile_id"));
  else if (name == "torch_version")
    readVersion();
}

TraceArtifacts TraceReader::read() {
  while (!rest_.empty()) {
    StringRef line;
    std::tie(line, rest_) = rest_.split('\n');
    ++line_;
    if (StringRef header = headerIn(line); !header.empty())
      readHeader(header);
  }
  return std::move(found_);
}

} // namespace

bool isTorchTrace(StringRef text) { return !headerIn(text.split('\n').first).empty(); }

TraceArtifacts readTorchTrace(StringRef text) { return TraceReader(text).read(); }

} // namespace fuselage::inductor
