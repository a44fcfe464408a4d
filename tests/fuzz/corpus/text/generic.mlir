"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32, sym_name = "g"}> ({
  ^bb0(%a: i32):
    %0:2 = "foo.pair"(%a) {x = 1 : i8, "y" = [@s, unit, !foo.t<"x">]} : (i32) -> (i32, vector<4x[4]xi1>)
    "func.return"(%0#1) : (vector<4x[4]xi1>) -> ()
  }) : () -> ()
}) {a = #foo<bar>, b = dense_resource<r> : tensor<2xi8>} : () -> ()
{-# dialect_resources: { builtin: { r: "0x400000000102" } } #-}
