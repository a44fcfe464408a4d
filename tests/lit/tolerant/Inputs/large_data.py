"""large_data.py write OUT       text of 40 MiB with four large constants
large_data.py compare A B     whether two texts have the same long literals, as far as their data goes"""
import random
import re
import sys

TYPE = "tensor<1280x1024xf32>"


def digits(seed):
    data = bytearray(random.Random(seed).randbytes(1280 * 1024 * 4))
    data[3::4] = b"\x3c" * (len(data) // 4)  # small numbers
    return data.hex()


def write(path):
    with open(path, "w") as out:
        out.write(f"func.func @f(%x: {TYPE}) -> {TYPE} {{\n  %e = tensor.empty() : {TYPE}\n")
        last = "%x"
        for number in range(4):
            value = f'dense<"0x{digits(number)}">' if number < 2 else f"dense_resource<w{number}>"
            out.write(f"  %c{number} = arith.constant {value} : {TYPE}\n"
                      f"  %s{number} = linalg.add ins({last}, %c{number} : {TYPE}, {TYPE}) outs(%e : {TYPE}) -> {TYPE}\n")
            last = f"%s{number}"
        out.write(f"  return {last} : {TYPE}\n}}\n\n{{-#\n  dialect_resources: {{\n    builtin: {{\n")
        out.write(",\n".join(f'      w{number}: "0x40000000{digits(number)}"' for number in (2, 3)))
        out.write("\n    }\n  }\n#-}\n")


def literals(path):
    """Without the alignment that those of resources start with."""
    with open(path) as text:
        found = re.findall(r'(dense<|: )"0x([0-9A-Fa-f]{8192,})"', text.read())
    return sorted(digits.upper()[0 if place == "dense<" else 8:] for place, digits in found)


if sys.argv[1] == "write":
    write(sys.argv[2])
else:
    a, b = literals(sys.argv[2]), literals(sys.argv[3])
    print(f"{len(a)} literals are the same" if a == b else f"{len(a)} and {len(b)} literals differ")
