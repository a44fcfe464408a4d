#include "app/cli/Options.h"
#include "core/run/values/InputValue.h"
#include "core/support/StandardOutput.h"
#include "core/text/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

int usageError(llvm::StringRef command, const std::string &message) {
  std::string name = command.empty() ? "fuselage" : ("fuselage " + command).str();
  llvm::errs() << name << ": " << printable(message) << "\nTry '" << name << " --help'.\n";
  return ExitUsage;
}

std::optional<std::string> nearestName(llvm::StringRef name, llvm::ArrayRef<std::string> known) {
  std::optional<std::string> best;
  // Two swapped letters are two edits: a word of five may have them.
  unsigned bestDistance = std::max<size_t>(1, (name.size() + 1) / 3) + 1;
  for (const std::string &candidate : known) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, bestDistance);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

void Options::flag(std::string name, std::string help, bool &target) {
  options_.push_back({std::move(name), "", std::move(help), 0, [&target](llvm::StringRef) {
                        target = true;
                        return std::string();
                      }});
}

void Options::text(std::string name, std::string placeholder, std::string help, std::string &target, char shortName) {
  options_.push_back(
      {std::move(name), std::move(placeholder), std::move(help), shortName, [&target](llvm::StringRef value) {
         target = value.str();
         return std::string();
       }});
}

void Options::choice(std::string name, std::vector<std::string> choices, std::string help, std::string &target) {
  std::string placeholder = llvm::join(choices, "|");
  custom(std::move(name), placeholder, std::move(help), [&target, choices = std::move(choices)](llvm::StringRef value) {
    if (!llvm::is_contained(choices, value))
      return "takes one of " + llvm::join(choices, ", ") + ", not '" + value.str() + "'";
    target = value.str();
    return std::string();
  });
}

void Options::number(std::string name, std::string help, uint64_t &target, uint64_t least, uint64_t most) {
  custom(std::move(name), "N", std::move(help), [&target, least, most](llvm::StringRef value) {
    uint64_t number;
    if (value.getAsInteger(10, number) || number < least || number > most)
      return "takes a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", not '" +
             value.str() + "'";
    target = number;
    return std::string();
  });
}

void Options::sizes(std::string help, std::map<std::string, int64_t> &target) {
  custom("size", "arg0.1=N", std::move(help), [&target](llvm::StringRef text) {
    auto [name, value] = text.split('=');
    int64_t size = 0;
    if (name.empty() || value.getAsInteger(10, size) || size < 0)
      return "takes ARGUMENT.DIMENSION=SIZE, such as arg0.1=128, not '" + text.str() + "'";
    target[name.str()] = size;
    return std::string();
  });
}

void Options::inputs(const std::string &what, std::map<std::string, std::string> &target) {
  custom("input", "arg0=VALUE",
         what + "random (default), integers (small ones), zeros, ones, iota, a number, or @FILE.npy; may be repeated",
         [&target](llvm::StringRef text) -> std::string {
           auto [name, how] = text.split('=');
           if (std::string complaint = checkInputForm(name, how); !complaint.empty())
             return complaint;
           return target.try_emplace(name.str(), how.str()).second ? "" : "gives " + name.str() + " twice";
         });
}

void Options::custom(std::string name, std::string placeholder, std::string help, Setter setter) {
  options_.push_back({std::move(name), std::move(placeholder), std::move(help), 0, std::move(setter)});
}

const Options::Option *Options::find(llvm::StringRef name) const {
  for (const Option &option : options_)
    if (name == "--" + option.name || (option.shortName && name == std::string{'-', option.shortName}))
      return &option;
  return nullptr;
}

int Options::unknownOption(llvm::StringRef name) const {
  std::vector<std::string> known{"--help"};
  for (const Option &option : options_)
    known.push_back("--" + option.name);
  std::string message = "unknown option '" + name.str() + "'";
  if (auto nearest = nearestName(name, known))
    message += "; did you mean '" + *nearest + "'?";
  return usageError(command_, message);
}

size_t Options::mostPositionals() const {
  return positionalName_.empty() ? 0 : llvm::StringRef(positionalName_).count(' ') + 1;
}

std::optional<int> Options::parse(llvm::ArrayRef<llvm::StringRef> arguments) {
  bool onlyPositional = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    if (!onlyPositional && argument == "--") {
      onlyPositional = true;
      continue;
    }
    if (onlyPositional || argument == "-" || !argument.starts_with("-")) {
      if (positionals_.size() >= mostPositionals())
        return usageError(command_, "unexpected argument '" + argument.str() + "'");
      positionals_.push_back(argument.str());
      continue;
    }
    if (argument == "--help" || argument == "-h") {
      printHelp();
      return ExitOk;
    }
    auto [name, inlineValue] = argument.split('=');
    const Option *option = find(name);
    if (!option)
      return unknownOption(name);
    bool hasInlineValue = argument.contains('=');
    if (option->placeholder.empty() && hasInlineValue)
      return usageError(command_, "'" + name.str() + "' takes no value");
    llvm::StringRef value = inlineValue;
    if (!option->placeholder.empty() && !hasInlineValue) {
      if (++i == arguments.size())
        return usageError(command_, "'" + name.str() + "' needs a value: " + option->placeholder);
      value = arguments[i];
    }
    if (std::string complaint = option->set(value); !complaint.empty())
      return usageError(command_, "'" + name.str() + "' " + complaint);
  }
  llvm::StringRef needed = llvm::StringRef(positionalName_).take_until([](char c) { return c == '['; }).trim();
  size_t least = needed.empty() ? 0 : needed.count(' ') + 1;
  if (positionals_.size() < least)
    return usageError(command_, "needs a " + positionalName_);
  if (positionals_.empty())
    positionals_.push_back("");
  for (const auto &act : afterwards_)
    if (std::optional<int> code = act())
      return code;
  return std::nullopt;
}

/// Prints text in lines of at most 100 columns; the cursor is at column `indent`, where further lines begin, too. An
/// empty line separates paragraphs.
static void printWrapped(llvm::raw_ostream &os, llvm::StringRef text, size_t indent) {
  constexpr size_t lineWidth = 100;
  llvm::SmallVector<llvm::StringRef> paragraphs;
  text.split(paragraphs, "\n\n");
  for (auto [number, paragraph] : llvm::enumerate(paragraphs)) {
    if (number > 0)
      os << '\n' << std::string(indent, ' ');
    size_t column = indent;
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(paragraph, words);
    for (llvm::StringRef word : words) {
      if (column > indent && column + 1 + word.size() > lineWidth) {
        os << '\n' << std::string(indent, ' ');
        column = indent;
      }
      if (column > indent)
        os << ' ';
      os << word;
      column += word.size() + (column > indent);
    }
    os << '\n';
  }
}

void Options::printHelp() const {
  llvm::raw_ostream &os = results();
  os << "usage: fuselage " << command_ << (positionalName_.empty() ? "" : " ") << positionalName_ << " [options]\n\n";
  printWrapped(os, summary_, /*indent=*/0);
  os << "\nOptions:\n";
  constexpr size_t helpColumn = 32;
  auto print = [&](const std::string &left, const std::string &help) {
    bool fits = left.size() + 2 < helpColumn;
    os << "  " << left << (fits ? std::string(helpColumn - 2 - left.size(), ' ') : "\n" + std::string(helpColumn, ' '));
    printWrapped(os, help, helpColumn);
  };
  for (const Option &option : options_) {
    std::string left =
        option.shortName ? std::string{'-', option.shortName} + ", --" + option.name : "--" + option.name;
    print(option.placeholder.empty() ? left : left + " " + option.placeholder, option.help);
  }
  print("-h, --help", "print this text");
  if (!examples_.empty())
    os << "\nExamples:\n";
  for (const std::string &example : examples_)
    os << "  " << example << '\n';
}

} // namespace fuselage::cli
