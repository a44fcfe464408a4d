#include "core/analysis/gate/FusionGate.h"
#include "core/pictures/RooflineSvg.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

using Finding = message::GateFinding<>;
using Count = message::GateCount<>;

static std::string worseText(const Count &count) {
  if (count.worse < 0)
    return "no longer known";
  return count.kind == GateKind::MoreBytes ? gateBytes(count.worse) : std::to_string(count.worse);
}

/// "model.mlir:12:8: "; the file alone where the line is unknown.
static std::string placeOf(const FusionGateReport &gate, const Finding &finding) {
  return (finding.to.loc.empty() ? gate.file : finding.to.loc) + ": ";
}

static std::string lineOf(const FusionGateReport &gate, const Finding &finding) {
  return placeOf(gate, finding) + finding.message + (finding.function.empty() ? "" : " [@" + finding.function + "]");
}

static void appendFindings(const FusionGateReport &gate, GateKind kind, llvm::StringRef indent, std::string &text) {
  for (const Finding &finding : gate.findings)
    if (finding.kind == kind)
      text += indent.str() + lineOf(gate, finding) + "\n";
}

std::string gateText(const FusionGateReport &gate) {
  std::string text = gate.file + " against " + gate.base + ", policy " + gate.policy + "\n";
  for (const Count &count : gate.counts) {
    text += llvm::formatv("{0}: {1} (allowed: {2}){3}\n", gateTitle(count.kind), worseText(count), count.allowed,
                          count.passed ? "" : " FAILED")
                .str();
    appendFindings(gate, count.kind, "  ", text);
  }
  if (gate.better > 0)
    text += llvm::formatv("better: {0} {1} that the base misses {2} fused or gone\n", gate.better,
                          gate.better == 1 ? "edge" : "edges", gate.better == 1 ? "is" : "are")
                .str();
  return text + (gate.passed ? "passed\n" : "failed: see --allow for what may become worse\n");
}

std::string gateJunit(const FusionGateReport &gate) {
  auto failures = llvm::count_if(gate.counts, [](const Count &count) { return !count.passed; });
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::string totals = llvm::formatv("tests=\"{0}\" failures=\"{1}\" errors=\"0\"", gate.counts.size(), failures).str();
  xml += "<testsuites name=\"fuselage explain --against\" " + totals + ">\n";
  xml += "  <testsuite name=\"" + message::roofline::escapeXml(gate.file) + "\" " + totals +
         " skipped=\"0\" time=\"0\">\n";
  for (const Count &count : gate.counts) {
    std::string found;
    appendFindings(gate, count.kind, "", found);
    xml += "    <testcase classname=\"" + message::roofline::escapeXml(gate.file) + "\" name=\"" +
           gateTitle(count.kind).str() + "\" file=\"" + message::roofline::escapeXml(gate.file) + "\" time=\"0\">\n";
    if (!count.passed)
      xml += "      <failure type=\"" + std::string(message::gateKindNames[size_t(count.kind)]) + "\" message=\"" +
             message::roofline::escapeXml(gateTitle(count.kind).str() + ": " + worseText(count) +
                                          " (allowed: " + count.allowed + ")") +
             "\">" + message::roofline::escapeXml(found) + "</failure>\n";
    else if (!found.empty())
      xml += "      <system-out>" + message::roofline::escapeXml(found) + "</system-out>\n";
    xml += "    </testcase>\n";
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

} // namespace fuselage
