#include "tests/support/LayeredModel.h"
#include <initializer_list>
#include <type_traits>

namespace fuselage::test {

/// `text` with "{0}", "{1}", .. replaced by what comes after it.
template <class... Parts> static std::string filled(std::string text, const Parts &...parts) {
  auto textOf = [](const auto &part) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>)
      return std::to_string(part);
    else
      return std::string(part);
  };
  unsigned number = 0;
  for (const std::string &part : std::initializer_list<std::string>{textOf(parts)...}) {
    std::string place = "{" + std::to_string(number++) + "}";
    for (size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + part.size()))
      text.replace(at, place.size(), part);
  }
  return text;
}

/// A generic whose operands are read through `maps`, the last one being the result's; `body` computes %r.
static std::string generic(const std::string &name, const std::string &maps, const std::string &iterators,
                           const std::string &ins, const std::string &init, const std::string &body,
                           const std::string &type) {
  return filled("  {0} = linalg.generic {indexing_maps = [{1}], iterator_types = [{2}]} {3} outs({4}) {\n"
                "{5}    linalg.yield %r : f32\n  } -> {6}\n",
                name, maps, iterators, ins, init, body, type);
}

/// The experts of a layer: %out_N becomes %dense_N, and what they add to it is %out_N.
static std::string experts(unsigned number, unsigned count) {
  const std::string full = "tensor<8x16xf32>";
  std::string gate = filled("tensor<8x{0}xf32>", count), sum = filled("%dense_{0}", number);
  std::string text =
      filled("  %eg_{0} = tensor.empty() : {1}\n  %zg_{0} = linalg.fill ins(%zero : f32) outs(%eg_{0} : {1}) "
             "-> {1}\n  %gate_{0} = linalg.matmul ins(%norm_{0}, %r{0} : {2}, tensor<16x{3}xf32>) "
             "outs(%zg_{0} : {1}) -> {1}\n",
             number, gate, full, count);
  for (unsigned expert = 0; expert < count; ++expert) {
    std::string next = filled(expert + 1 == count ? "%out_{0}" : "%sum_{0}_{1}", number, expert);
    text +=
        filled("  %ee_{0}_{1} = tensor.empty() : {2}\n  %ze_{0}_{1} = linalg.fill ins(%zero : f32) outs(%ee_{0}_{1} : "
               "{2}) -> {2}\n  %y_{0}_{1} = linalg.matmul ins(%norm_{0}, %x{0}_{1} : {2}, tensor<16x16xf32>) "
               "outs(%ze_{0}_{1} : {2}) -> {2}\n  %s_{0}_{1} = tensor.extract_slice %gate_{0}[0, {1}] [8, 1] [1, 1] : "
               "{3} to tensor<8xf32>\n",
               number, expert, full, gate);
    text += generic(
        next, "#full, #full, #row, #full", R"("parallel", "parallel")",
        filled("ins({0}, %y_{1}_{2}, %s_{1}_{2} : {3}, {3}, tensor<8xf32>)", sum, number, expert, full),
        filled("%ee_{0}_{1} : {2}", number, expert, full),
        "  ^bb0(%a: f32, %b: f32, %g: f32, %o: f32):\n    %m = arith.mulf %b, %g : f32\n    %r = arith.addf %a, "
        "%m : f32\n",
        full);
    sum = next;
  }
  return text;
}

static std::string layer(unsigned number, const LayeredModelOptions &options) {
  const std::string full = "tensor<8x16xf32>", parallel = R"("parallel", "parallel")";
  auto of = [&](const char *name) { return filled("%{0}_{1}", name, number); };
  std::string in = number == 1 ? "%x" : filled("%out_{0}", number - 1);
  std::string scale = number == options.otherLayer ? "divf" : "mulf";
  std::string text;
  auto empty = [&](const char *name, const std::string &type) {
    text += filled("  {0} = tensor.empty() : {1}\n", of(name), type);
  };
  auto fill = [&](const char *name, const char *init, const std::string &type) {
    text += filled("  {0} = linalg.fill ins(%zero : f32) outs({1} : {2}) -> {2}\n", of(name), of(init), type);
  };
  empty("e", full);
  empty("er", "tensor<8xf32>");
  fill("fr", "er", "tensor<8xf32>");
  text += generic(of("squares"), "#full, #row", R"("parallel", "reduction")", "ins(" + in + " : " + full + ")",
                  of("fr") + " : tensor<8xf32>",
                  "  ^bb0(%a: f32, %o: f32):\n    %s = arith.mulf %a, %a : f32\n    %r = arith.addf %o, %s : f32\n",
                  "tensor<8xf32>");
  std::string weight = "%g" + std::to_string(number), weightMap = "#column", weightType = "tensor<16xf32>";
  if (options.also & 8) {
    text += filled("  {0} = linalg.broadcast ins({1} : tensor<16xf32>) outs({2} : {3}) dimensions = [0]\n",
                   of("spread"), weight, of("e"), full);
    weight = of("spread");
    weightMap = "#full";
    weightType = full;
  }
  text += generic(of("norm"), "#full, #row, " + weightMap + ", #full, #full", parallel,
                  "ins(" + in + ", " + of("squares") + ", " + weight + ", %table : " + full + ", tensor<8xf32>, " +
                      weightType + ", " + full + ")",
                  of("e") + " : " + full,
                  "  ^bb0(%a: f32, %n: f32, %g: f32, %t: f32, %o: f32):\n    %q = math.rsqrt %n : f32\n    %m = "
                  "arith.mulf %a, %q : f32\n    %p = arith." +
                      scale + " %m, %g : f32\n    %r = arith.addf %p, %t : f32\n",
                  full);
  fill("z", "e", full);
  text += filled("  {0} = linalg.matmul ins({1}, %v{2} : {3}, tensor<16x16xf32>) outs({4} : {3}) -> {3}\n", of("up"),
                 of("norm"), number, full, of("z"));
  text += generic(of("relu"), "#full, #full", parallel, "ins(" + of("up") + " : " + full + ")", of("e") + " : " + full,
                  "  ^bb0(%a: f32, %o: f32):\n    %r = arith.maximumf %a, %zero : f32\n", full);
  std::string activation = of("relu"), second = "%w" + std::to_string(number);
  if (options.also & 1) {
    empty("ew", "tensor<16x16xf32>");
    text += filled("  {0} = linalg.transpose ins({1} : tensor<16x16xf32>) outs({2} : tensor<16x16xf32>) "
                   "permutation = [1, 0]\n",
                   of("turned"), second, of("ew"));
    second = of("turned");
  }
  if (options.also & 4) {
    text += filled("  {0} = tensor.expand_shape {1} [[0], [1, 2]] output_shape [8, 4, 4] : {2} into "
                   "tensor<8x4x4xf32>\n",
                   of("heads"), activation, full);
    empty("eh", "tensor<8x4x4xf32>");
    text += filled("  {0} = linalg.exp ins({1} : tensor<8x4x4xf32>) outs({2} : tensor<8x4x4xf32>) -> "
                   "tensor<8x4x4xf32>\n  {3} = tensor.collapse_shape {0} [[0], [1, 2]] : tensor<8x4x4xf32> into "
                   "{4}\n",
                   of("exp"), of("heads"), of("eh"), of("joined"), full);
    activation = of("joined");
  }
  if (options.also & 16) {
    fill("fm", "er", "tensor<8xf32>");
    text += filled("  {0} = linalg.reduce { arith.maximumf } ins({1} : {2}) outs({3} : tensor<8xf32>) dimensions "
                   "= [1]\n",
                   of("most"), activation, full, of("fm"));
    text += generic(of("scaled"), "#full, #row, #full", parallel,
                    "ins(" + activation + ", " + of("most") + " : " + full + ", tensor<8xf32>)", of("e") + " : " + full,
                    "  ^bb0(%a: f32, %m: f32, %o: f32):\n    %r = arith.subf %a, %m : f32\n", full);
    activation = of("scaled");
  }
  text += filled("  {0} = linalg.matmul ins({1}, {2} : {3}, tensor<16x16xf32>) outs({4} : {3}) -> {3}\n", of("down"),
                 activation, second, full, of("z"));
  std::string skipped = !(options.also & 2) ? in : number < 3 ? "%x" : filled("%out_{0}", number - 2);
  text += generic(of(options.experts ? "dense" : "out"), "#full, #full, #full", parallel,
                  "ins(" + of("down") + ", " + skipped + " : " + full + ", " + full + ")", of("e") + " : " + full,
                  "  ^bb0(%a: f32, %b: f32, %o: f32):\n    %r = arith.addf %a, %b : f32\n", full);
  return options.experts ? text + experts(number, options.experts) : text;
}

std::string layeredModel(LayeredModelOptions options) {
  std::string arguments, body, results, types;
  for (unsigned number = 1; number <= options.layers; ++number) {
    arguments += filled(", %g{0}: tensor<16xf32>, %v{0}: tensor<16x16xf32>, %w{0}: tensor<16x16xf32>", number);
    if (options.experts)
      arguments += filled(", %r{0}: tensor<16x{1}xf32>", number, options.experts);
    for (unsigned expert = 0; expert < options.experts; ++expert)
      arguments += filled(", %x{0}_{1}: tensor<16x16xf32>", number, expert);
    body += layer(number, options);
    if (options.returnsEach || number == options.layers) {
      results += filled("{0}%out_{1}", results.empty() ? "" : ", ", number);
      types += (types.empty() ? "" : ", ") + std::string("tensor<8x16xf32>");
    }
  }
  return "#full = affine_map<(d0, d1) -> (d0, d1)>\n#row = affine_map<(d0, d1) -> (d0)>\n"
         "#column = affine_map<(d0, d1) -> (d1)>\n"
         "func.func @main(%x: tensor<8x16xf32>" +
         arguments + ") -> (" + types +
         ") {\n  %zero = arith.constant 0.0 : f32\n  %et = tensor.empty() : tensor<8x16xf32>\n" +
         generic("%table", "#full, #full", R"("parallel", "parallel")", "ins(%x : tensor<8x16xf32>)",
                 "%et : tensor<8x16xf32>", "  ^bb0(%a: f32, %o: f32):\n    %r = math.cos %a : f32\n",
                 "tensor<8x16xf32>") +
         body + "  return " + results + " : " + types + "\n}\n";
}

} // namespace fuselage::test
