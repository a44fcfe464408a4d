"""Attention as tensors: attention.py TYPE HEADS QUERIES KEYS DEPTH mask|causal|scaled"""
import sys

element, heads, queries, keys, depth, kind = sys.argv[1:]
q, k, v = (f"tensor<{heads}x{n}x{depth}x{element}>" for n in (queries, keys, keys))
s, o = f"tensor<{heads}x{queries}x{keys}xf32>", f"tensor<{heads}x{queries}x{depth}xf32>"
p = s.replace("f32", element)
widen = "" if element == "f32" else f"%a = arith.extf %na : {element} to f32\n    %b = arith.extf %nb : {element} to f32\n"
product = f"""^bb0(%{'' if element == 'f32' else 'n'}a: {element}, %{'' if element == 'f32' else 'n'}b: {element}, %c: f32):
    {widen}    %z = arith.mulf %a, %b : f32
    %t = arith.addf %c, %z : f32
    linalg.yield %t : f32"""
rest = {"scaled": "linalg.yield %x : f32",
        "mask": "%y = arith.addf %x, %m : f32\n    linalg.yield %y : f32",
        "causal": """%i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %seen = arith.cmpi sle, %j, %i : index
    %never = arith.constant 0xFF800000 : f32
    %y = arith.select %seen, %x, %never : f32
    linalg.yield %y : f32"""}[kind]
narrow = "" if element == "f32" else f"""%pe = tensor.empty() : {p}
  %w = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}} ins(%p : {s}) outs(%pe : {p}) {{
  ^bb0(%a: f32, %b: {element}):
    %x = arith.truncf %a : f32 to {element}
    linalg.yield %x : {element}
  }} -> {p}"""
print(f"""
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#v = affine_map<(b, i, j, k) -> (b, k, j)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @attention(%q: {q}, %k: {k}, %v: {v}, %mask: {s}) -> {o} {{
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %es = tensor.empty() : {s}
  %fs = linalg.fill ins(%zero : f32) outs(%es : {s}) -> {s}
  %s = linalg.generic {{indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}}
    ins(%q, %k : {q}, {k}) outs(%fs : {s}) {{
  {product}
  }} -> {s}
  %l = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}}
    ins(%s, %mask : {s}, {s}) outs(%es : {s}) {{
  ^bb0(%a: f32, %m: f32, %c: f32):
    %x = arith.mulf %a, %scale : f32
    {rest}
  }} -> {s}
  %p = linalg.softmax dimension(2) ins(%l : {s}) outs(%es : {s}) -> {s}
  {narrow}
  %eo = tensor.empty() : {o}
  %fo = linalg.fill ins(%zero : f32) outs(%eo : {o}) -> {o}
  %o = linalg.generic {{indexing_maps = [#q, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}}
    ins(%{'p' if element == 'f32' else 'w'}, %v : {p}, {v}) outs(%fo : {o}) {{
  {product}
  }} -> {o}
  return %o : {o}
}}""")
