#include "count/count.h"

#include "count/stepping.h"
#include "count/valgrind.h"

namespace perfpact::count {

Result<Profile> count(const Options& options, const Sink& sink, Diagnostics& diagnostics) {
  if (options.engine == Engine::Valgrind) return count_by_valgrind(options, sink, diagnostics);
  return count_by_stepping(options, sink, diagnostics);
}

}  // namespace perfpact::count
