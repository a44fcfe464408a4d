// A layer of BERT: 15 dispatches as exported, 7 after the clean-up, 2 with all fusions. What comes
// out needs no op of ours but the dispatches themselves, once attention is loops.
// RUN: fuselage-opt %samples/bert_attention.mlir --pass-pipeline='builtin.module(func.func(fuselage-fusion-cleanup,fuselage-form-dispatches))' | FileCheck %s --check-prefix=SEVEN
// RUN: fuselage-opt %samples/bert_attention.mlir --pass-pipeline='builtin.module(fuselage-fusion-cleanup,func.func(fuselage-form-dispatches))' | FileCheck %s --check-prefix=SEVEN
// RUN: fuselage-opt %samples/bert_attention.mlir --pass-pipeline='builtin.module(fuselage-fuse-all,func.func(fuselage-form-dispatches))' | FileCheck %s --check-prefix=TWO
// RUN: fuselage-opt %samples/bert_attention_16x512.mlir --pass-pipeline='builtin.module(fuselage-fuse-all,func.func(fuselage-form-dispatches))' | FileCheck %s --check-prefix=TWO
// The regions of dispatches read as scf.execute_region, which mlir-opt knows:
// RUN: fuselage-opt %samples/bert_attention_16x512.mlir --pass-pipeline='builtin.module(fuselage-fuse-all,func.func(fuselage-form-dispatches,fuselage-tile-attention))' | sed -E 's/flow.dispatch.region/scf.execute_region/; s/flow.return/scf.yield/' | mlir-opt -o %t.mlir

// SEVEN-COUNT-7: flow.dispatch.region
// SEVEN-NOT:     flow.dispatch.region

// TWO-COUNT-2: flow.dispatch.region
// TWO-NOT:     flow.dispatch.region
