// The device that kernels are made for: every value in the order of device files, numbers as they were.
// RUN: fuselage-opt %s --split-input-file | FileCheck %s
// RUN: fuselage-opt %s --split-input-file | fuselage-opt --split-input-file | FileCheck %s

// CHECK: module attributes {fuselage.device = #fuselage.device<name = "A GPU", kind = discrete, language = ptx, chip = sm_90, subgroup_size = 32,
// CHECK-SAME: subgroup_operations = ["basic", "shuffle"], max_threads = 1024, workgroup_bytes = 49152, workgroup_bytes_opt_in = 232448,
// CHECK-SAME: unit_workgroup_bytes = 233472, registers_per_unit = 65536, registers_per_thread = 255, threads_per_unit = 2048, compute_units = 132,
// CHECK-SAME: matrix_shapes = ["m16n8k16 f16"], cache_line_bytes = 128, bandwidth_gb_s = 3.350000e+03, reads_through_texels = false>}
module attributes {fuselage.device = #fuselage.device<
    name = "A GPU", reads_through_texels = false, bandwidth_gb_s = 3350, kind = "discrete", language = ptx, chip = "sm_90",
    subgroup_size = 32, subgroup_operations = ["basic", "shuffle"], max_threads = 1024, workgroup_bytes = 49152,
    workgroup_bytes_opt_in = 232448, unit_workgroup_bytes = 233472, registers_per_unit = 65536, registers_per_thread = 255,
    threads_per_unit = 2048, compute_units = 132, matrix_shapes = ["m16n8k16 f16"], cache_line_bytes = 128>} {
}

// -----

// Nothing is known, and words that are none have quotes.
// CHECK: module attributes {fuselage.device = #fuselage.device<>}
module attributes {fuselage.device = #fuselage.device<>} {
  // CHECK: fuselage.device = #fuselage.device<kind = software, language = host, chip = "x86-64-v3", matrix_shapes = []>
  func.func private @host() attributes {fuselage.device = #fuselage.device<kind = software, language = host, chip = "x86-64-v3", matrix_shapes = []>}
}
