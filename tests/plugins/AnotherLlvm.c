/* Stands for the MLIR of another LLVM: a library of its name. */
int ofAnotherLlvm(void) { return 0; }
