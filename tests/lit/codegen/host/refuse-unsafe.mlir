// A module that is run may do nothing but compute.
// RUN: fuselage-opt --fuselage-host-refuse-unsafe --split-input-file --verify-diagnostics %s

func.func private @system(%a: i32) -> i32
func.func @f(%a: i32) -> i32 {
  // expected-error @below {{the host does not run a call of @system, which has no body in the module}}
  %r = call @system(%a) : (i32) -> i32
  return %r : i32
}

// -----

// expected-error @below {{the host does not run @f, which calls itself, directly or through others: it might never end}}
func.func @f(%a: i32) -> i32 {
  %r = call @f(%a) : (i32) -> i32
  return %r : i32
}
