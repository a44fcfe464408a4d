#alias = #acme.layout<tiled, [8, 8], "a \" b">
!ty = !acme.handle<i32, #acme.mode<fast>>
acme.module @top version 3 {
  acme.kernel @k(%x: !ty, %y: tensor<4x!acme.fp8>) -> !ty attributes {layout = #alias} {
    %0 = acme.const <7> : !ty
    %1 = acme.add %x, %0 : !ty
    %2, %3 = acme.split %1 into 2 parts along <0> : !ty -> !ty, !ty
    %4:2 = acme.pair(%2, %3) {a = #alias, "b c" = 3 : i8} : (!ty, !ty) -> (!ty, tensor<2xf32, #alias>)
    acme.store %4#1 to %y[%4#0] cache = none : tensor<2xf32, #alias>, tensor<4x!acme.fp8>
    %5 = acme.if %4#0 : !ty -> !ty then {
      acme.yield %2 : !ty
    } else {
      acme.yield %3 : !ty
    }
    %6 = acme.call @helper(%5, %5) : (!ty, !ty) -> !ty
    acme.loop %i in 0 to 10 step 2 {
      %7 = acme.use %i
      acme.next
    }
    acme.region ins(%a = %5 : !ty) {
      acme.yield %a : !ty
    }
    acme.barrier
    acme.asm "mov $0, $1" clobbers ["r0", "r1"] (%5) : !ty
    acme.switch %5 [
      1: ^one,
      2: ^two(%6 : !ty)
    ]
  ^one:
    acme.goto ^two(%5 : !ty)
  ^two(%arg: !ty):
    %8 = acme.infer %arg
    %9 = acme.infer %8
    acme.return %9
  }
  acme.kernel @decl(!ty, i32) -> (i1, i1)
  acme.table @t = dense<[1, 2, 3]> : tensor<3xi8>
  acme.generic(){} : () -> ()
  "acme.quoted"() {x} : () -> ()
  acme.empty {
  }
  acme.multi {} {} loc("here")
  acme.a acme.b
  %c = acme.oneline %c0 : i32 %d = acme.oneline2 %c : i32 acme.sink %c, %d : i32, i32
  %c0 = acme.late : i32
  acme.expr %c + %d * 2 - 1 | %c < %d : i32
  acme.dims 4x8x?xf32
  acme.nested [[1, 2], [3]] {k = {l = [1, {m}]}} (("x"), ())
}
