#include "base/diagnostics.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/check.h"

namespace perfpact {
namespace {

constexpr std::size_t kMaxLineShown = 240;

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Note:
      return "note";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      return "error";
  }
  return "error";
}

// One column per byte: tabs become a space, what is not printable becomes '?'.
std::string printable(std::string_view line) {
  std::string out;
  for (char c : line) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\t')
      out += ' ';
    else if (byte < 0x20 || byte == 0x7f)
      out += '?';
    else
      out += c;
  }
  return out;
}

}  // namespace

void Diagnostics::add(Diagnostic diagnostic) {
  // What is repeated word for word at the same place is usually one fault seen twice.
  const std::size_t window = std::min<std::size_t>(diagnostics_.size(), 64);
  for (std::size_t i = diagnostics_.size() - window; i < diagnostics_.size(); ++i) {
    const Diagnostic& old = diagnostics_[i];
    if (old.kind == diagnostic.kind && old.span == diagnostic.span && old.message == diagnostic.message) {
      last_was_duplicate_ = true;
      return;
    }
  }
  last_was_duplicate_ = false;
  if (diagnostic.kind->severity == Severity::Error) ++error_count_;
  diagnostics_.push_back(std::move(diagnostic));
}

void Diagnostics::note(const Span& span, std::string message) {
  PERFPACT_CHECK(!diagnostics_.empty(), "a note without a diagnostic: {}", message);
  if (last_was_duplicate_) return;
  diagnostics_.back().notes.push_back({span, std::move(message)});
}

Reported Diagnostics::already_reported() const {
  PERFPACT_CHECK(has_errors(), "nothing was reported");
  return {};
}

void Diagnostics::render_place(std::string& out, const Span& span) const {
  if (!span.is_known() || span.begin.line == 0) return;
  std::string_view line = sources_.line(span.file, span.begin.line);
  std::size_t column = span.begin.column > 0 ? span.begin.column - 1 : 0;
  if (line.empty() || column > line.size()) return;
  std::size_t end = span.end.line == span.begin.line && span.end.column > span.begin.column
                        ? span.end.column - 1
                    : span.end.line > span.begin.line ? line.size()
                                                      : column + 1;
  end = std::min(std::max(end, column + 1), std::max(line.size(), column + 1));
  // A very long line is shown around its place only.
  std::size_t from =
      column > kMaxLineShown / 2 && line.size() > kMaxLineShown ? column - kMaxLineShown / 2 : 0;
  line = line.substr(from, kMaxLineShown);
  column -= from;
  end = std::min(end - from, std::max(line.size(), column + 1));
  out += fmt::format("{}\n{}^{}\n", printable(line), std::string(column, ' '),
                     std::string(end - column - 1, '~'));
}

std::string Diagnostics::render(std::size_t limit) const {
  std::string out;
  std::size_t errors = 0;
  for (const Diagnostic& d : diagnostics_) {
    if (d.kind->severity == Severity::Error && ++errors > limit) {
      out += fmt::format("{} more errors not shown\n", error_count_ - limit);
      break;
    }
    if (d.span.is_known())
      out += sources_.describe(d.span) + ": ";
    else
      out += "perfpact: ";
    out += fmt::format("{}: {} [{}]\n", severity_name(d.kind->severity), d.message, d.kind->id);
    render_place(out, d.span);
    for (const Note& n : d.notes) {
      if (n.span.is_known())
        out += sources_.describe(n.span) + ": ";
      else
        out += "  ";
      out += fmt::format("note: {}\n", n.message);
      render_place(out, n.span);
    }
  }
  return out;
}

Result<FileId> read_source(const std::string& path, Diagnostics& diagnostics) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return std::unexpected(
        diagnostics.report(diag::kCannotRead, Span{}, path, "it is a directory, not a file"));
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::unexpected(diagnostics.report(diag::kCannotRead, Span{}, path, std::strerror(errno)));
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad())
    return std::unexpected(diagnostics.report(diag::kCannotRead, Span{}, path, std::strerror(errno)));
  return diagnostics.sources().add(path, std::move(text));
}

}  // namespace perfpact
