#include "core/analysis/gate/FusionGate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

using Finding = message::GateFinding<>;
using llvm::json::Array;
using llvm::json::Object;

/// A path as the URI reference that SARIF wants: relative to the root of the repository, or a file URI.
static std::string uriOf(llvm::StringRef path) {
  std::string uri = path.starts_with("/") ? "file://" : "";
  path.consume_front("./");
  for (char c : path) {
    bool isPlain = llvm::isAlnum(c) || llvm::StringRef("/-._~!$&'()*+,;=@").contains(c);
    uri += isPlain ? std::string(1, c) : "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
  }
  return uri;
}

static Object locationOf(const FusionGateReport &gate, llvm::StringRef loc, llvm::StringRef function) {
  auto [rest, column] = loc.rsplit(':');
  auto [path, line] = rest.rsplit(':');
  unsigned lineNumber = 0, columnNumber = 0;
  bool isKnown = !line.getAsInteger(10, lineNumber) && !column.getAsInteger(10, columnNumber) && lineNumber > 0;
  Object place{{"artifactLocation", Object{{"uri", uriOf(isKnown ? path : llvm::StringRef(gate.file))}}}};
  if (isKnown) {
    Object region{{"startLine", lineNumber}};
    if (columnNumber > 0)
      region["startColumn"] = columnNumber;
    place["region"] = std::move(region);
  }
  Object location{{"physicalLocation", std::move(place)}};
  if (!function.empty())
    location["logicalLocations"] =
        Array{Object{{"name", function}, {"fullyQualifiedName", "@" + function.str()}, {"kind", "function"}}};
  return location;
}

static Array rules() {
  static constexpr llvm::StringLiteral names[] = {"NewMissedEdge", "LostFusion", "MoreDispatches", "MoreBytes"};
  static constexpr llvm::StringLiteral texts[] = {
      "An edge is not fused that the base does not have, or not as a missed one.",
      "The base fuses the two ops; now the value between them goes through memory.",
      "The program has more dispatches than the base.", "The dispatches move more bytes than those of the base."};
  Array all;
  for (size_t kind = 0; kind < message::gateKindCount; ++kind)
    all.push_back(Object{{"id", std::string("fuselage/") + message::gateKindNames[kind]},
                         {"name", names[kind]},
                         {"shortDescription", Object{{"text", texts[kind]}}},
                         {"help", Object{{"text", "'fuselage explain FILE' lists the reasons, and the transforms that "
                                                  "fuse an edge. '--allow' says how much may become worse."}}},
                         {"defaultConfiguration", Object{{"level", "error"}}}});
  return all;
}

static Object resultOf(const FusionGateReport &gate, const Finding &finding) {
  std::string rule = std::string("fuselage/") + message::gateKindNames[size_t(finding.kind)];
  Object result{{"ruleId", rule},
                {"ruleIndex", int64_t(finding.kind)},
                {"level", finding.allowed ? "note" : "error"},
                {"baselineState", "new"},
                {"message", Object{{"text", finding.message}}},
                {"locations", Array{locationOf(gate, finding.to.loc, finding.function)}},
                {"partialFingerprints", Object{{"fuselage/v1", finding.fingerprint}}}};
  if (finding.from.op >= 0 && !finding.from.loc.empty()) {
    Object producer = locationOf(gate, finding.from.loc, "");
    producer["id"] = 1;
    producer["message"] = Object{{"text", "the producer, " + finding.from.name}};
    result["relatedLocations"] = Array{std::move(producer)};
  }
  Object properties;
  if (finding.bytes >= 0)
    properties["bytes"] = finding.bytes;
  if (!finding.reason.empty())
    properties["reason"] = finding.reason;
  if (!properties.empty())
    result["properties"] = std::move(properties);
  return result;
}

std::string gateSarif(const FusionGateReport &gate, llvm::StringRef version) {
  Array results;
  for (const Finding &finding : gate.findings)
    results.push_back(resultOf(gate, finding));
  Object driver{{"name", "fuselage"}, {"version", version}, {"rules", rules()}};
  Object run{{"tool", Object{{"driver", std::move(driver)}}},
             {"columnKind", "unicodeCodePoints"},
             {"invocations", Array{Object{{"executionSuccessful", true}, {"exitCode", gate.passed ? 0 : 1}}}},
             {"automationDetails", Object{{"id", "fuselage/explain/" + uriOf(gate.file)}}},
             {"results", std::move(results)}};
  llvm::json::Value log = Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                                 {"version", "2.1.0"},
                                 {"runs", Array{std::move(run)}}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", log) << "\n";
  return text;
}

} // namespace fuselage
