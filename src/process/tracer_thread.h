// The thread that traces a process: ptrace(2) serves only the thread that attached, and wait(2) told apart by
// thread takes no child of somebody else's.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace perfpact::process {

class TracerThread {
 public:
  TracerThread();
  ~TracerThread();
  TracerThread(const TracerThread&) = delete;
  TracerThread& operator=(const TracerThread&) = delete;

  /// Runs the job there and waits for its end. One at a time.
  void run(const std::function<void()>& job);

 private:
  void serve();

  std::mutex callers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* job_ = nullptr;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace perfpact::process
