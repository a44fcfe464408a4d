// Writes the ops of a random module; each step adds some that read what there is.
#pragma once
#include "RandomModules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace fuselage::test {

constexpr int64_t dynamic = -1; ///< the one size that is not known

using Shape = std::vector<int64_t>;
using Dims = std::vector<int>; ///< of a map: loops; -1 is the constant 0

struct Tensor {
  std::string name;
  Shape shape;
};

/// Sizes in text, `?` for the one that is not known.
std::string join(const Shape &shape, const char *separator);
std::string typeOf(const Shape &shape);
std::string mapOf(size_t loops, const Dims &dims);
Dims identity(size_t rank);

class ModuleWriter {
public:
  ModuleWriter(const ModuleOptions &options, std::mt19937 &random) : options_(options), random_(random) {}
  std::string write();

private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  bool chance(int of) { return pick(of) == 0; }
  int64_t size() { return std::vector<int64_t>{1, 2, 3, 4, 6}[pick(5)]; }
  Dims shuffled(size_t count) {
    Dims dims = identity(count);
    std::shuffle(dims.begin(), dims.end(), random_);
    return dims;
  }
  /// Mostly the last value: chains; now and then an older one: several users.
  Tensor any() { return values_[chance(3) ? pick(values_.size()) : values_.size() - 1]; }
  Tensor argument(const Shape &shape) {
    return arguments_.emplace_back(Tensor{"%arg" + std::to_string(arguments_.size()), shape});
  }

  void line(const std::string &text) { body_ += "  " + text + "\n"; }
  Tensor define(const Shape &shape, const std::string &op) {
    Tensor tensor{"%v" + std::to_string(count_++), shape};
    line(tensor.name + " = " + op);
    return tensor;
  }
  Tensor empty(const Shape &shape) {
    std::vector<std::string> sizes(llvm::count(shape, dynamic), "%n");
    return define(shape, "tensor.empty(" + llvm::join(sizes, ", ") + ") : " + typeOf(shape));
  }
  Tensor filled(const Shape &shape) {
    Tensor init = empty(shape);
    return define(shape,
                  "linalg.fill ins(%zero : f32) outs(" + init.name + " : " + typeOf(shape) + ") -> " + typeOf(shape));
  }

  struct Read {
    Tensor tensor;
    Dims dims;
  };
  struct Payload {
    std::vector<std::string> lines; ///< of %x0, %x1, ... and %o0, %o1, ...
    std::vector<std::string> yielded;
  };
  void generic(const Shape &loops, const std::vector<Read> &reads, const std::vector<Read> &inits,
               const Payload &payload);
  Dims readDims(const Shape &shape, const Dims &loops);
  Read secondRead(const Shape &loops);

  void elementwise();
  void reduction();
  void contraction();
  void named();
  void reshape();
  void slice();
  void joined();
  void gather();
  void loop();
  void effect();
  void named(const std::string &op, const std::vector<Tensor> &inputs, const Tensor &init,
             const std::string &tail = "");

  const ModuleOptions &options_;
  std::mt19937 &random_;
  std::vector<Tensor> arguments_, values_;
  std::string body_;
  int count_ = 0;
  bool hasEffects_ = false;
};

} // namespace fuselage::test
