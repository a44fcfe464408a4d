#include "core/reduce/report/Reproducer.h"
#include "core/support/ShellWords.h"

namespace fuselage {
namespace {

/// A line that FileCheck takes literally.
std::string checkLine(llvm::StringRef words) {
  std::string text;
  for (; !words.empty(); words = words.drop_front()) {
    if (words.starts_with("{{") || words.starts_with("[["))
      text += std::string("{{[") + words.front() + "]}}";
    else
      text += words.front();
  }
  return "// CHECK: " + text + "\n";
}

/// lit takes % for the begin of a substitution.
std::string literal(llvm::StringRef command) {
  std::string text;
  for (char c : command)
    text += c == '%' ? "%%" : std::string(1, c);
  return text;
}

/// A command on the test itself.
std::string onItself(std::string (*command)(const Reduction &, const ReproducerOptions &, llvm::StringRef),
                     const Reduction &reduction, const ReproducerOptions &options) {
  const std::string placeholder = "THIS_TEST";
  std::string text = literal(command(reduction, options, placeholder));
  return text.replace(text.find(placeholder), placeholder.size(), "%s");
}

std::string faultLines(const Reduction &reduction, const ReproducerOptions &options) {
  const Fault &fault = reduction.symptom.fault;
  const std::string command = onItself(optCommand, reduction, options);
  const std::string check = fault.message.empty() ? "" : " | FileCheck %s";
  const std::string said = fault.message.empty() ? "" : checkLine(fault.message);
  switch (fault.kind) {
  case FaultKind::Crash:
    // LLVM's fatal errors may also end the process in order.
    return "// RUN: not " + std::string(fault.signal ? "--crash " : "") + command + " 2>&1" + check + "\n" + said;
  case FaultKind::Hang:
    return "// RUN: not timeout 10 " + command + "\n";
  case FaultKind::Memory:
    return "// RUN: not --crash bash -c " + joinShellWords({"ulimit -v 8000000; exec " + command}) + "\n";
  default:
    return "// RUN: not " + command + " 2>&1" + check + "\n" + said;
  }
}

/// The command that judges gets the IR after the passes.
std::string commandLines(const Reduction &reduction, const ReproducerOptions &options) {
  std::string judge = literal(reduction.symptom.command);
  const std::string file = reduction.passes.empty() ? "%s" : "%t";
  if (size_t at = judge.find("{}"); at != std::string::npos)
    judge.replace(at, 2, file);
  else
    judge += " " + file;
  std::string text;
  if (!reduction.passes.empty())
    text = "// RUN: " + onItself(optCommand, reduction, options) + " -o %t\n";
  return text + "// RUN: " + judge + "\n";
}

} // namespace

std::string litTest(const Reduction &reduction, const ReproducerOptions &options) {
  std::string text;
  switch (reduction.symptom.kind) {
  case SymptomKind::Fault:
    text = faultLines(reduction, options) + "\n// Passes as long as " + describe(reduction.symptom) + "\n";
    break;
  case SymptomKind::WrongResults:
  case SymptomKind::LostFusion:
  case SymptomKind::MoreBytes:
  case SymptomKind::MoreTime:
    text = "// RUN: " + onItself(bisectCommand, reduction, options) + " | FileCheck %s\n" +
           checkLine("Nothing is to blame") + "\n// Fails as long as " + describe(reduction.symptom) + "\n";
    break;
  case SymptomKind::Command:
    text = commandLines(reduction, options) + "\n// Fails as long as " + describe(reduction.symptom) + "\n";
    break;
  }
  return text + "\n" + reduction.text;
}

} // namespace fuselage
