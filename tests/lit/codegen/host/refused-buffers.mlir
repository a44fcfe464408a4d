// RUN: fuselage-opt --fuselage-host-legalize-buffers --split-input-file --verify-diagnostics %s

func.func @wide(%a: f128) -> f128 {
  // expected-error @below {{'math.exp' cannot run: no function of f128 is known}}
  %r = math.exp %a : f128
  return %r : f128
}
