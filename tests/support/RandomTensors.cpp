#include "tests/support/RandomTensors.h"
#include <vector>

namespace fuselage::test {
namespace {

const std::string whole = "tensor<16xf32>", slice = "tensor<4xf32>";

class Writer {
public:
  Writer(const TensorProgramOptions &options, std::mt19937 &random) : options_(options), random_(random) {}

  std::string write() {
    std::string text;
    if (options_.calls)
      text += function("@helper", "private ", 2, options_.ops / 2 + 1, 1, /*mayCall=*/false);
    return text + function("@main", "", 3, options_.ops, 1 + pick(2), options_.calls);
  }

private:
  unsigned pick(size_t count) { return random_() % count; }
  std::string next() { return "%v" + std::to_string(count_++); }
  std::string offset() { return std::to_string(pick(4) * 4); }
  /// Late values more often, so that programs are deep.
  const std::string &anyOf(const std::vector<std::string> &values) {
    return values[values.size() - 1 - std::min(pick(values.size()), pick(values.size()))];
  }

  std::string function(const std::string &name, const std::string &visibility, int arguments, int ops, int results,
                       bool mayCall) {
    wholes_.clear();
    slices_.clear();
    scalars_ = {"%x"};
    mayCall_ = mayCall;
    std::string text = "func.func " + visibility + name + "(%x: f32, %i: index, %n: index, %p: i1";
    for (int k = 0; k < arguments; ++k) {
      wholes_.push_back("%a" + std::to_string(k));
      text += ", " + wholes_.back() + ": " + whole + (pick(5) == 0 ? " {bufferization.writable = false}" : "");
    }
    std::string body;
    for (int k = 0; k < ops; ++k)
      body += op("  ", 2);
    std::string values, types;
    for (int k = 0; k < results; ++k) {
      values += (k ? ", " : "") + anyOf(wholes_);
      types += (k ? ", " : "") + whole;
    }
    // What was read is used, so that nothing is dead.
    return text + ") -> (" + types + ", f32) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n" +
           body + "  return " + values + ", " + scalars_.back() + " : " + types + ", f32\n}\n";
  }

  /// Ops in a region; values made there are gone after it.
  std::string region(const std::string &indent, int depth, int ops, std::vector<std::string> added,
                     std::vector<std::string> *yielded, int yields) {
    auto wholes = wholes_, slices = slices_, scalars = scalars_;
    wholes_.insert(wholes_.end(), added.begin(), added.end());
    std::string text;
    for (int k = 0; k < ops; ++k)
      text += op(indent, depth);
    for (int k = 0; k < yields; ++k)
      yielded->push_back(anyOf(wholes_));
    wholes_ = wholes;
    slices_ = slices;
    scalars_ = scalars;
    return text;
  }

  std::string loop(const std::string &indent, int depth) {
    int carried = 1 + pick(2);
    std::string inits, types, names = next(), results = names + ":" + std::to_string(carried);
    std::vector<std::string> arguments, yielded;
    for (int k = 0; k < carried; ++k) {
      arguments.push_back(next());
      inits += (k ? ", " : "") + arguments.back() + " = " + anyOf(wholes_);
      types += (k ? ", " : "") + whole;
    }
    std::string body = region(indent + "  ", depth - 1, 1 + pick(3), arguments, &yielded, carried);
    std::string yields;
    for (int k = 0; k < carried; ++k)
      yields += (k ? ", " : "") + yielded[k];
    for (int k = 0; k < carried; ++k)
      wholes_.push_back(names + "#" + std::to_string(k));
    return indent + results + " = scf.for %k" + names.substr(1) + " = %c0 to %n step %c1 iter_args(" + inits +
           ") -> (" + types + ") {\n" + body + indent + "  scf.yield " + yields + " : " + types + "\n" + indent + "}\n";
  }

  std::string branch(const std::string &indent, int depth) {
    std::string name = next(), text = indent + name + " = scf.if %p -> (" + whole + ") {\n";
    for (int side = 0; side < 2; ++side) {
      std::vector<std::string> yielded;
      text += region(indent + "  ", depth - 1, 1 + pick(2), {}, &yielded, 1);
      text += indent + "  scf.yield " + yielded[0] + " : " + whole + "\n" + indent + (side ? "}\n" : "} else {\n");
    }
    wholes_.push_back(name);
    return text;
  }

  std::string parallel(const std::string &indent, int depth) {
    std::string name = next(), argument = next(), shared = anyOf(wholes_), cut = next();
    std::vector<std::string> yielded;
    std::string body = region(indent + "  ", depth - 1, 1 + pick(2), {argument}, &yielded, 1);
    body += indent + "  " + cut + " = tensor.extract_slice " + yielded[0] + "[" + offset() + "] [4] [1] : " + whole +
            " to " + slice + "\n";
    wholes_.push_back(name);
    return indent + name + " = scf.forall (%t" + name.substr(1) + ") in (4) shared_outs(" + argument + " = " + shared +
           ") -> (" + whole + ") {\n" + body + indent + "  scf.forall.in_parallel {\n" + indent +
           "    tensor.parallel_insert_slice " + cut + " into " + argument + "[%t" + name.substr(1) +
           "] [4] [1] : " + slice + " into " + whole + "\n" + indent + "  }\n" + indent + "}\n";
  }

  std::string op(const std::string &indent, int depth) {
    std::string a = anyOf(wholes_), b = anyOf(wholes_), name = next();
    std::string assign = indent + name + " = ";
    unsigned kind = pick(18);
    if (kind >= 15 && depth == 0)
      kind -= 10;
    switch (kind) {
    case 0:
    case 1:
      wholes_.push_back(name);
      return assign + "tensor.insert " + anyOf(scalars_) + " into " + a + "[%i] : " + whole + "\n";
    case 2:
    case 3: {
      std::string sum = next();
      scalars_.push_back(sum);
      return assign + "tensor.extract " + a + "[%i] : " + whole + "\n" + indent + sum + " = arith.addf " + name + ", " +
             scalars_[scalars_.size() - 2] + " : f32\n";
    }
    case 4:
    case 5:
      slices_.push_back(name);
      return assign + "tensor.extract_slice " + a + "[" + offset() + "] [4] [1] : " + whole + " to " + slice + "\n";
    case 6:
    case 7:
      if (slices_.empty())
        return op(indent, depth);
      wholes_.push_back(name);
      return assign + "tensor.insert_slice " + anyOf(slices_) + " into " + a + "[" + offset() + "] [4] [1] : " + slice +
             " into " + whole + "\n";
    case 8:
      wholes_.push_back(name);
      return assign + "linalg.fill ins(" + anyOf(scalars_) + " : f32) outs(" + a + " : " + whole + ") -> " + whole +
             "\n";
    case 9:
      wholes_.push_back(name);
      return assign + "linalg.add ins(" + a + ", " + b + " : " + whole + ", " + whole + ") outs(" +
             anyOf(wholesBefore(name)) + " : " + whole + ") -> " + whole + "\n";
    case 10: {
      if (slices_.empty())
        return op(indent, depth);
      std::string x = anyOf(slices_), out = anyOf(slices_);
      slices_.push_back(name);
      return assign + "linalg.exp ins(" + x + " : " + slice + ") outs(" + out + " : " + slice + ") -> " + slice + "\n";
    }
    case 11:
      wholes_.push_back(name);
      return assign + "tensor.empty() : " + whole + "\n";
    case 12:
      wholes_.push_back(name);
      return assign + "arith.constant dense<" + std::to_string(pick(3)) + ".0> : " + whole + "\n";
    case 13:
      wholes_.push_back(name);
      return assign + "arith.select %p, " + a + ", " + b + " : " + whole + "\n";
    case 14:
      if (mayCall_ && pick(2)) {
        wholes_.push_back(name + "#0");
        scalars_.push_back(name + "#1");
        return indent + name + ":2 = func.call @helper(%x, %i, %n, %p, " + a + ", " + b +
               ") : (f32, index, index, i1, " + whole + ", " + whole + ") -> (" + whole + ", f32)\n";
      }
      if (!options_.foreign)
        return op(indent, depth);
      wholes_.push_back(name);
      return assign + "\"foreign.op\"(" + a + ") : (" + whole + ") -> " + whole + "\n";
    case 15:
      return loop(indent, depth);
    case 16:
      return branch(indent, depth);
    default:
      return parallel(indent, depth);
    }
  }

  /// A value cannot be used by the op that makes it.
  std::vector<std::string> wholesBefore(const std::string &name) {
    std::vector<std::string> values = wholes_;
    if (values.back() == name)
      values.pop_back();
    return values;
  }

  const TensorProgramOptions &options_;
  std::mt19937 &random_;
  std::vector<std::string> wholes_, slices_, scalars_;
  bool mayCall_ = false;
  int count_ = 0;
};

} // namespace

std::string randomTensorProgram(const TensorProgramOptions &options, std::mt19937 &random) {
  return Writer(options, random).write();
}

} // namespace fuselage::test
