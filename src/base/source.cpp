#include "base/source.h"

#include <fmt/format.h>

#include "base/check.h"

namespace perfpact {

Span join(const Span& first, const Span& last) {
  if (first.file != last.file) return first.is_known() ? first : last;
  return {first.file, std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

FileId SourceManager::add(std::string name, std::string text) {
  files_.push_back({std::move(name), std::move(text), {}});
  return static_cast<FileId>(files_.size());
}

FileId SourceManager::find(std::string_view name) const {
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (files_[i].name == name) return static_cast<FileId>(i + 1);
  return FileId::None;
}

const SourceManager::File& SourceManager::get(FileId file) const {
  auto index = static_cast<std::size_t>(file);
  PERFPACT_CHECK(index >= 1 && index <= files_.size(), "no source file {}", index);
  return files_[index - 1];
}

const std::string& SourceManager::name(FileId file) const {
  return get(file).name;
}
std::string_view SourceManager::text(FileId file) const {
  return get(file).text;
}

std::string_view SourceManager::line(FileId file, std::uint32_t line) const {
  const File& f = get(file);
  if (f.line_starts.empty()) {
    f.line_starts.push_back(0);
    for (std::size_t i = 0; i < f.text.size(); ++i)
      if (f.text[i] == '\n') f.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  if (line == 0 || line > f.line_starts.size()) return {};
  std::string_view rest = std::string_view(f.text).substr(f.line_starts[line - 1]);
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

std::string SourceManager::describe(const Span& span) const {
  if (!span.is_known()) return "<built-in>";
  if (span.begin.line == 0) return name(span.file);
  return fmt::format("{}:{}:{}", name(span.file), span.begin.line, span.begin.column);
}

}  // namespace perfpact
