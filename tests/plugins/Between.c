/* A library that brings the MLIR of another LLVM with it. */
int ofAnotherLlvm(void);
int between(void) { return ofAnotherLlvm(); }
