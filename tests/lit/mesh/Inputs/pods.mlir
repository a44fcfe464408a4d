// A mesh of three axes, whose devices are counted backwards.
sdy.mesh @pods = <["pod"=2, "data"=2, "model"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%x: tensor<10x8xf32> {sdy.sharding = #sdy.sharding<@pods, [{"pod", "data"}, {}]>}) -> tensor<10x8xf32> {
  return %x : tensor<10x8xf32>
}
