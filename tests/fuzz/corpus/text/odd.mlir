module {
  // café ÿþ
  "a.b"() {s = "\22\FFx\n"} : () -> ()}
