// Which op of today an old name is.
#include "core/ir/source/LegacyText.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace fuselage {

/// Ops of std that moved to arith, math, cf, func, complex, memref, tensor under their assembly.
static StringRef movedStdOp(StringRef word) {
  return llvm::StringSwitch<StringRef>(word)
      .Case("addf", "arith.addf")
      .Case("subf", "arith.subf")
      .Case("mulf", "arith.mulf")
      .Case("divf", "arith.divf")
      .Case("remf", "arith.remf")
      .Case("negf", "arith.negf")
      .Case("addi", "arith.addi")
      .Case("subi", "arith.subi")
      .Case("muli", "arith.muli")
      .Cases({"divi_signed", "divis"}, "arith.divsi")
      .Cases({"divi_unsigned", "diviu"}, "arith.divui")
      .Cases({"remi_signed", "remis"}, "arith.remsi")
      .Cases({"remi_unsigned", "remiu"}, "arith.remui")
      .Case("ceildivi_signed", "arith.ceildivsi")
      .Case("floordivi_signed", "arith.floordivsi")
      .Case("and", "arith.andi")
      .Case("or", "arith.ori")
      .Case("xor", "arith.xori")
      .Case("shift_left", "arith.shli")
      .Case("shift_right_signed", "arith.shrsi")
      .Case("shift_right_unsigned", "arith.shrui")
      .Case("cmpi", "arith.cmpi")
      .Case("cmpf", "arith.cmpf")
      .Case("select", "arith.select")
      .Case("index_cast", "arith.index_cast")
      .Case("sitofp", "arith.sitofp")
      .Case("uitofp", "arith.uitofp")
      .Case("fptosi", "arith.fptosi")
      .Case("fptoui", "arith.fptoui")
      .Case("fpext", "arith.extf")
      .Case("fptrunc", "arith.truncf")
      .Case("sexti", "arith.extsi")
      .Case("zexti", "arith.extui")
      .Case("trunci", "arith.trunci")
      .Case("bitcast", "arith.bitcast")
      .Case("maxf", "arith.maximumf")
      .Case("minf", "arith.minimumf")
      .Case("maxsi", "arith.maxsi")
      .Case("maxui", "arith.maxui")
      .Case("minsi", "arith.minsi")
      .Case("minui", "arith.minui")
      .Case("absf", "math.absf")
      .Case("ceilf", "math.ceil")
      .Case("floorf", "math.floor")
      .Case("exp", "math.exp")
      .Case("exp2", "math.exp2")
      .Case("expm1", "math.expm1")
      .Case("log", "math.log")
      .Case("log2", "math.log2")
      .Case("log10", "math.log10")
      .Case("log1p", "math.log1p")
      .Case("sqrt", "math.sqrt")
      .Case("rsqrt", "math.rsqrt")
      .Case("sin", "math.sin")
      .Case("cos", "math.cos")
      .Case("tanh", "math.tanh")
      .Case("atan", "math.atan")
      .Case("atan2", "math.atan2")
      .Case("powf", "math.powf")
      .Case("copysign", "math.copysign")
      .Case("fmaf", "math.fma")
      .Case("br", "cf.br")
      .Case("cond_br", "cf.cond_br")
      .Case("switch", "cf.switch")
      .Case("assert", "cf.assert")
      .Case("call", "func.call")
      .Case("call_indirect", "func.call_indirect")
      .Case("return", "func.return")
      .Case("alloc", "memref.alloc")
      .Case("alloca", "memref.alloca")
      .Case("dealloc", "memref.dealloc")
      .Case("load", "memref.load")
      .Case("store", "memref.store")
      .Case("view", "memref.view")
      .Case("subview", "memref.subview")
      .Case("transpose", "memref.transpose")
      .Case("memref_cast", "memref.cast")
      .Case("memref_reinterpret_cast", "memref.reinterpret_cast")
      .Case("memref_reshape", "memref.reshape")
      .Case("memref_copy", "memref.copy")
      .Case("global_memref", "memref.global")
      .Case("get_global_memref", "memref.get_global")
      .Case("assume_alignment", "memref.assume_alignment")
      .Case("prefetch", "memref.prefetch")
      .Case("dma_start", "memref.dma_start")
      .Case("dma_wait", "memref.dma_wait")
      .Case("atomic_rmw", "memref.atomic_rmw")
      .Case("generic_atomic_rmw", "memref.generic_atomic_rmw")
      .Case("atomic_yield", "memref.atomic_yield")
      .Case("extract_element", "tensor.extract")
      .Case("tensor_cast", "tensor.cast")
      .Case("tensor_from_elements", "tensor.from_elements")
      .Case("dynamic_tensor_from_elements", "tensor.generate")
      .Case("subtensor", "tensor.extract_slice")
      .Case("subtensor_insert", "tensor.insert_slice")
      .Case("create_complex", "complex.create")
      .Case("re", "complex.re")
      .Case("im", "complex.im")
      .Case("addcf", "complex.add")
      .Case("subcf", "complex.sub")
      .Default("");
}

bool isStdOp(StringRef word) {
  if (!movedStdOp(word).empty())
    return true;
  return llvm::StringSwitch<bool>(word)
      .Cases({"constant", "dim", "rank", "splat", "tensor_load", "tensor_store", "tensor_to_memref", "absi",
              "tensor_reshape", "sub_view", "memref_shape_cast"},
             true)
      .Default(false);
}

/// Ops of dialects of today that were renamed between 2021 and 2025 and kept their assembly.
static StringRef renamedDialectOp(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("builtin.func", "func.func")
      .Case("arith.maxf", "arith.maximumf")
      .Case("arith.minf", "arith.minimumf")
      .Case("math.abs", "math.absf")
      .Case("bufferization.to_memref", "bufferization.to_buffer")
      .Case("linalg.tensor_collapse_shape", "tensor.collapse_shape")
      .Case("linalg.tensor_expand_shape", "tensor.expand_shape")
      .Case("linalg.collapse_shape", "memref.collapse_shape")
      .Case("linalg.expand_shape", "memref.expand_shape")
      .Case("linalg.pad_tensor", "tensor.pad")
      .Case("tensor.subtensor", "tensor.extract_slice")
      .Case("tensor.subtensor_insert", "tensor.insert_slice")
      .Default("");
}

StringRef renamedOp(StringRef name, StringRef text) {
  if (name.contains('.') && !name.starts_with("std."))
    return renamedDialectOp(name);
  StringRef word = name;
  word.consume_front("std.");
  text = text.ltrim();
  if (word == "constant") // of a function, or of a value
    return text.starts_with("@") ? "func.constant" : "arith.constant";
  if (word != "dim" && word != "rank" && word != "splat")
    return movedStdOp(word);
  // Of a tensor or a memref, as the type says; the type of a splat may be a vector, which has no such
  // op today. `dim %a, 1` with a constant index was written until 2020.
  auto operands = splitOutsideBrackets(text.take_front(findOutsideBrackets(text, ":")), ',');
  if (word == "dim" && (operands.size() != 2 || !operands[1].starts_with("%")))
    return "";
  size_t colon = findOutsideBrackets(text, ":");
  StringRef type = colon == StringRef::npos ? "" : text.substr(colon + 1).ltrim();
  if (type.starts_with("tensor<"))
    return word == "dim" ? "tensor.dim" : word == "rank" ? "tensor.rank" : "tensor.splat";
  if (type.starts_with("memref<") && word != "splat")
    return word == "dim" ? "memref.dim" : "memref.rank";
  return "";
}

} // namespace fuselage
