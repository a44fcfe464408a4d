#include "core/ir/module/LargeStack.h"
#include <pthread.h>

using Work = llvm::function_ref<void()>;

static void *callWork(void *work) {
  (*static_cast<Work *>(work))();
  return nullptr;
}

void fuselage::runOnLargeStack(Work work) {
  constexpr size_t stackBytes = size_t(256) << 20;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  bool started = pthread_attr_setstacksize(&attributes, stackBytes) == 0 &&
                 pthread_create(&thread, &attributes, callWork, &work) == 0;
  pthread_attr_destroy(&attributes);
  if (started)
    pthread_join(thread, nullptr);
  else
    work();
}
