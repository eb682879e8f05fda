#include "process/tracer_thread.h"

namespace perfpact::process {

TracerThread::TracerThread() : thread_([this] { serve(); }) {}

TracerThread::~TracerThread() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TracerThread::run(const std::function<void()>& job) {
  const std::lock_guard one_caller(callers_);
  std::unique_lock lock(mutex_);
  job_ = &job;
  changed_.notify_all();
  changed_.wait(lock, [this] { return job_ == nullptr; });
}

void TracerThread::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return done_ || job_ != nullptr; });
    if (job_ == nullptr) return;
    (*job_)();
    job_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace perfpact::process
