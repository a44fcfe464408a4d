// Writes random functions on f32 tensors, op by op.
#pragma once
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <random>
#include <string>
#include <vector>

namespace fuselage::test {

using Shape = std::vector<int64_t>;

inline std::string typeOf(const Shape &shape) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + "f32>";
}

/// "(d0, d1, d2)"
inline std::string dims(size_t count) {
  std::string text = "(";
  for (size_t i = 0; i < count; ++i)
    text += (i ? ", d" : "d") + std::to_string(i);
  return text + ")";
}

inline std::string mapOf(size_t loops, const std::vector<std::string> &results) {
  return "affine_map<" + dims(loops) + " -> (" + llvm::join(results, ", ") + ")>";
}

inline std::vector<std::string> identity(size_t rank) {
  std::vector<std::string> results;
  for (size_t i = 0; i < rank; ++i)
    results.push_back("d" + std::to_string(i));
  return results;
}

struct Tensor {
  std::string name;
  Shape shape;
};

/// Writes ops one after the other; values so far can be read by later ones.
class ChainWriter {
public:
  explicit ChainWriter(std::mt19937 &random) : random_(random) {}

  int64_t pick(int64_t count) { return int64_t(random_() % uint64_t(count)); }

  Tensor argument(const Shape &shape) {
    Tensor tensor{"%arg" + std::to_string(arguments_.size()), shape};
    arguments_.push_back(tensor);
    return tensor;
  }

  Tensor empty(const Shape &shape) { return define(shape, "tensor.empty() : " + typeOf(shape)); }

  Tensor filled(const Shape &shape, const std::string &scalar) {
    Tensor init = empty(shape);
    return define(shape, "linalg.fill ins(" + scalar + " : f32) outs(" + init.name + " : " + typeOf(shape) + ") -> " +
                             typeOf(shape));
  }

  /// A linalg.generic; `payload` defines %y from %x0, %x1, ... and %o. Empty: a move of %x0.
  Tensor generic(const std::vector<Tensor> &inputs, const std::vector<std::string> &maps,
                 const std::vector<std::string> &iterators, const Tensor &init, const std::string &payload) {
    std::string names, types, arguments, kinds;
    for (auto [i, input] : llvm::enumerate(inputs)) {
      names += (i ? ", " : "") + input.name;
      types += (i ? ", " : "") + typeOf(input.shape);
      arguments += "%x" + std::to_string(i) + ": f32, ";
    }
    for (auto [i, iterator] : llvm::enumerate(iterators))
      kinds += (i ? ", \"" : "\"") + iterator + "\"";
    return define(init.shape, "linalg.generic {indexing_maps = [" + llvm::join(maps, ", ") + "], iterator_types = [" +
                                  kinds + "]} ins(" + names + " : " + types + ") outs(" + init.name + " : " +
                                  typeOf(init.shape) + ") {\n  ^bb0(" + arguments + "%o: f32):\n" + payload +
                                  "\n    linalg.yield " + (payload.empty() ? "%x0" : "%y") + " : f32\n  } -> " +
                                  typeOf(init.shape));
  }

  Tensor elementwise(const std::vector<Tensor> &inputs, const std::vector<std::string> &maps, const Shape &shape,
                     const std::string &payload) {
    std::vector<std::string> all(maps);
    all.push_back(mapOf(shape.size(), identity(shape.size())));
    return generic(inputs, all, std::vector<std::string>(shape.size(), "parallel"), empty(shape), payload);
  }

  Tensor define(const Shape &shape, const std::string &op) {
    Tensor tensor{"%v" + std::to_string(count_++), shape};
    body_ += "  " + tensor.name + " = " + op + "\n";
    return tensor;
  }

  std::string finish(const std::vector<Tensor> &results) {
    std::string text = "func.func @dispatch(", returned, types;
    for (auto [i, argument] : llvm::enumerate(arguments_))
      text += (i ? ", " : "") + argument.name + ": " + typeOf(argument.shape);
    for (auto [i, result] : llvm::enumerate(results)) {
      returned += (i ? ", " : "") + result.name;
      types += (i ? ", " : "") + typeOf(result.shape);
    }
    return text + ") -> (" + types + ") {\n  %zero = arith.constant 0.0 : f32\n" +
           "  %lowest = arith.constant 0xFF800000 : f32\n  %scale = arith.constant 0.375 : f32\n" + body_ +
           "  return " + returned + " : " + types + "\n}\n";
  }

private:
  std::mt19937 &random_;
  std::vector<Tensor> arguments_;
  std::string body_;
  int count_ = 0;
};

} // namespace fuselage::test
