// A small encoder of named layers, as text.
#pragma once
#include <QByteArray>

namespace fuselage {

/// `layers` times two matmuls with weights of attention, three elementwise ops, a matmul with a weight of the mlp and
/// the sum with what came in, %hN; of layer N.
inline QByteArray layeredModel(int layers) {
  QByteArray arguments = "%h0: tensor<8x8xf32>", body;
  const QByteArray type = "tensor<8x8xf32>";
  const auto op = [&](const QByteArray &to, const QByteArray &name, const QByteArray &inputs, const QByteArray &types) {
    body += "  %" + to + " = linalg." + name + " ins(" + inputs + " : " + types + ") outs(" +
            (name == "matmul" ? "%f" : "%e") + " : " + type + ") -> " + type + "\n";
  };
  for (int l = 0; l < layers; ++l) {
    const QByteArray n = QByteArray::number(l), next = QByteArray::number(l + 1);
    for (const char *part : {"attention.query", "attention.key", "mlp.fc"})
      arguments += ", %" + QByteArray(part).replace('.', '_') + n + ": " + type +
                   " {fuselage.parameter = \"model::m.encoder.layer." + n + '.' + part + ".weight\"}";
    const QByteArray two = type + ", " + type;
    op("q" + n, "matmul", "%h" + n + ", %attention_query" + n, two);
    op("k" + n, "matmul", "%h" + n + ", %attention_key" + n, two);
    op("s" + n, "div", "%q" + n + ", %k" + n, two);
    op("t" + n, "exp", "%s" + n, type);
    op("u" + n, "tanh", "%t" + n, type);
    op("v" + n, "matmul", "%u" + n + ", %mlp_fc" + n, two);
    op("h" + next, "add", "%v" + n + ", %h" + n, two);
  }
  return "func.func @main(" + arguments + ") -> " + type +
         " {\n  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : " + type +
         "\n  %f = linalg.fill ins(%z : f32) outs(%e : " + type + ") -> " + type + "\n" + body + "  return %h" +
         QByteArray::number(layers) + " : " + type + "\n}\n";
}

} // namespace fuselage
