#include "markov/prism_explicit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <system_error>

#include "markov/diagnostics.h"

namespace perfpact::markov {
namespace {

namespace fs = std::filesystem;

/// Lists the files of an export, one a line; what tells an export from a directory of the user's.
constexpr const char* kMarker = ".perfpact-export";

/// A directory that is removed again unless it was moved to its place.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(fs::path path) : path_(std::move(path)) {}
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Reported cannot_write(const fs::path& path, const std::string& why, Diagnostics& diagnostics) {
  return diagnostics.report(diag::kExportCannotWrite, Span{}, path.string(), why);
}

std::set<std::string> files_of_earlier_export(const fs::path& directory) {
  std::set<std::string> names;
  std::ifstream marker(directory / kMarker);
  for (std::string line; std::getline(marker, line);) names.insert(line);
  if (!names.empty()) names.insert(kMarker);
  return names;
}

/// Reports when the directory holds anything that an earlier export did not write.
Result<void> check_target(const fs::path& directory, Diagnostics& diagnostics) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status))
    return std::unexpected(diagnostics.report(diag::kExportNotADirectory, Span{}, directory.string()));
  const std::set<std::string> ours = files_of_earlier_export(directory);
  std::set<std::string> others;
  for (auto entry = fs::recursive_directory_iterator(directory, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().lexically_relative(directory).generic_string();
    // A directory of an export is judged by what it holds.
    const bool is_ours =
        ours.contains(name) || (entry->is_directory() && !fs::is_empty(entry->path(), error));
    if (!is_ours) others.insert(name);
  }
  if (error) return std::unexpected(cannot_write(directory, error.message(), diagnostics));
  if (others.empty()) return {};
  return std::unexpected(
      diagnostics.report(diag::kExportDirectoryInUse, Span{}, directory.string(), *others.begin()));
}

Result<void> write_file(const fs::path& path, const std::string& text, Diagnostics& diagnostics) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) return std::unexpected(cannot_write(path, std::strerror(errno), diagnostics));
  return {};
}

Result<void> write_all(const std::vector<ExportedFile>& files, const fs::path& directory,
                       Diagnostics& diagnostics) {
  std::string marker;
  for (const ExportedFile& file : files) {
    const fs::path path = directory / file.name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return std::unexpected(cannot_write(path.parent_path(), error.message(), diagnostics));
    if (const auto written = write_file(path, file.text, diagnostics); !written) return written;
    marker += file.name + "\n";
  }
  return write_file(directory / kMarker, marker, diagnostics);
}

/// Puts `from` in the place of `to`; `to` may hold an earlier export, which is kept until the move has
/// succeeded.
Result<void> move_into_place(const fs::path& from, const fs::path& to, Diagnostics& diagnostics) {
  const fs::path old = from.string() + ".old";
  std::error_code error;
  const bool replaces = fs::exists(to, error);
  if (replaces) fs::rename(to, old, error);
  if (error) return std::unexpected(cannot_write(to, error.message(), diagnostics));
  fs::rename(from, to, error);
  std::error_code ignored;
  if (error) {
    if (replaces) fs::rename(old, to, ignored);
    return std::unexpected(cannot_write(to, error.message(), diagnostics));
  }
  fs::remove_all(old, ignored);
  return {};
}

}  // namespace

Result<void> export_prism_explicit(const Chain& chain, std::string_view title, const fs::path& directory,
                                   Diagnostics& diagnostics) {
  // A symbolic link is followed, a trailing slash dropped: the temporary directory stands beside the real
  // one.
  std::error_code error;
  fs::path target = fs::weakly_canonical(directory, error);
  if (error) return std::unexpected(cannot_write(directory, error.message(), diagnostics));
  if (target.filename().empty()) target = target.parent_path();
  if (const auto free = check_target(target, diagnostics); !free) return free;
  fs::create_directories(target.parent_path(), error);
  if (error) return std::unexpected(cannot_write(target.parent_path(), error.message(), diagnostics));
  const TemporaryDirectory temporary(target.parent_path() /
                                     fmt::format(".{}.{}", target.filename().string(), ::getpid()));
  fs::create_directory(temporary.path(), error);
  if (error) return std::unexpected(cannot_write(temporary.path(), error.message(), diagnostics));
  if (const auto written =
          write_all(prism_files(chain, diagnostics.sources(), title), temporary.path(), diagnostics);
      !written)
    return written;
  return move_into_place(temporary.path(), target, diagnostics);
}

}  // namespace perfpact::markov
