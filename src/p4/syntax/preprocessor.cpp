#include "p4/syntax/preprocessor.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Basic/TargetOptions.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/ModuleLoader.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <unordered_map>

#include "base/check.h"
#include "base/spelling.h"
#include "p4/syntax/builtin_files.h"
#include "p4/syntax/diagnostics.h"

namespace perfpact::p4 {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
constexpr std::size_t kMaxProgramBytes = 32 * kMegabyte;
constexpr std::size_t kMaxTextBytes = 128 * kMegabyte;
constexpr std::size_t kMaxTokens = 1'000'000;
constexpr std::size_t kMaxErrors = 20;
constexpr std::string_view kBuiltinDirectory = "/<built-in>";

/// Adds the program to the sources, unless it is not text that can be a program.
Result<FileId> add_program(const std::string& name, std::string text, Diagnostics& diagnostics) {
  if (auto nul = text.find('\0'); nul != std::string::npos)
    return std::unexpected(diagnostics.report(diag::kNotText, Span{}, name, nul));
  if (text.size() > kMaxProgramBytes)
    return std::unexpected(
        diagnostics.report(diag::kFileTooLarge, Span{}, name, kMaxProgramBytes / kMegabyte));
  if (text.find_first_not_of(" \t\r\n\f\v") == std::string::npos)
    return std::unexpected(diagnostics.report(diag::kEmptyProgram, Span{}, name));
  return diagnostics.sources().add(name, std::move(text));
}

/// Reads the program in pieces, so that a huge file is not read to its end.
Result<FileId> read_program(const std::string& path, Diagnostics& diagnostics) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return read_source(path, diagnostics);
  std::ifstream in(path, std::ios::binary);
  if (!in) return read_source(path, diagnostics);
  std::string text;
  std::string piece(kMegabyte, '\0');
  while (text.size() <= kMaxProgramBytes &&
         (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0))
    text.append(piece, 0, static_cast<std::size_t>(in.gcount()));
  return add_program(path, std::move(text), diagnostics);
}

bool is_identifier(std::string_view text) {
  auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (text.empty() || !is_letter(text.front())) return false;
  return std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// The text that defines the macros of -D.
Result<std::string> predefines(const std::vector<std::string>& defines, Diagnostics& diagnostics) {
  std::string result;
  for (const std::string& define : defines) {
    std::size_t equal = std::min(define.find('='), define.size());
    std::string_view value = equal < define.size() ? std::string_view(define).substr(equal + 1) : "1";
    if (!is_identifier(std::string_view(define).substr(0, equal)) ||
        value.find('\n') != std::string_view::npos) {
      diagnostics.report(diag::kBadDefine, Span{}, define);
      continue;
    }
    result += fmt::format("#define {} {}\n", define.substr(0, equal), value);
  }
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  return result;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system() {
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> builtin(new llvm::vfs::InMemoryFileSystem);
  for (const BuiltinFile& file : builtin_files())
    builtin->addFile(fmt::format("{}/{}", kBuiltinDirectory, file.name), 0,
                     llvm::MemoryBuffer::getMemBuffer({file.text.data(), file.text.size()}));
  overlay->pushOverlay(builtin);
  return overlay;
}

/// Knows the SourceManager's file and our position of a place of clang's.
class Places {
 public:
  Places(clang::SourceManager& clang_sources, SourceManager& sources)
      : clang_sources_(clang_sources), sources_(sources) {}

  struct Place {
    FileId file = FileId::None;
    Position position;
  };

  /// `location` must be in a file, not in a macro.
  Place place(clang::SourceLocation location) {
    if (location.isInvalid()) return {};
    auto [id, offset] = clang_sources_.getDecomposedLoc(location);
    if (id != line_.id || offset < line_.begin || offset > line_.end) find_line(location, id, offset);
    if (line_.file == FileId::None) return {};
    return {line_.file, {line_.number, offset - line_.begin + 1}};
  }

 private:
  /// The line that was looked at last: asking clang for every token is slow on long lines.
  struct Line {
    clang::FileID id;
    unsigned begin = 1;  // offsets in the file; empty at first
    unsigned end = 0;
    FileId file = FileId::None;
    std::uint32_t number = 0;
  };

  void find_line(clang::SourceLocation location, clang::FileID id, unsigned offset) {
    llvm::StringRef text = clang_sources_.getBufferData(id);
    std::size_t before = text.substr(0, offset).rfind('\n');
    line_ = {id, before == llvm::StringRef::npos ? 0 : static_cast<unsigned>(before + 1),
             static_cast<unsigned>(std::min(text.find('\n', offset), text.size())), FileId::None, 0};
    clang::PresumedLoc presumed = clang_sources_.getPresumedLoc(location);
    if (presumed.isInvalid() || clang_sources_.isWrittenInBuiltinFile(location)) return;
    line_.number = presumed.getLine();
    if (presumed.getFilename() != last_name_) {
      last_name_ = presumed.getFilename();
      last_file_ = find_or_add(presumed);
    }
    line_.file = last_file_;
  }

  FileId find_or_add(const clang::PresumedLoc& presumed) {
    std::string name = shown_name(presumed.getFilename());
    if (FileId known = sources_.find(name); known != FileId::None) return known;
    // The name in a `#line` need not be that of a file that was read: then there is no text to show.
    std::string text;
    if (auto entry = clang_sources_.getFileManager().getOptionalFileRef(presumed.getFilename(), false, true))
      if (auto buffer = clang_sources_.getMemoryBufferForFileOrNone(*entry)) text = buffer->getBuffer().str();
    return sources_.add(name, text);
  }

  static std::string shown_name(std::string_view name) {
    if (name.starts_with(kBuiltinDirectory) && name.size() > kBuiltinDirectory.size())
      return fmt::format("<{}>", name.substr(kBuiltinDirectory.size() + 1));
    if (name.starts_with("./")) name.remove_prefix(2);
    return std::string(name);
  }

  clang::SourceManager& clang_sources_;
  SourceManager& sources_;
  Line line_;
  const char* last_name_ = nullptr;
  FileId last_file_ = FileId::None;
};

/// Turns clang's diagnostics into ours.
class Listener : public clang::DiagnosticConsumer {
 public:
  Listener(Diagnostics& diagnostics, const std::vector<std::string>& directories)
      : diagnostics_(diagnostics), directories_(directories) {}

  void listen(Places& places) { places_ = &places; }
  [[nodiscard]] std::size_t errors() const { return errors_; }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    if (level == clang::DiagnosticsEngine::Ignored || level == clang::DiagnosticsEngine::Remark) return;
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    Span span = span_of(info);
    if (level == clang::DiagnosticsEngine::Note) {
      if (noted_) diagnostics_.note(span, message.str().str());
      return;
    }
    noted_ = true;
    if (level == clang::DiagnosticsEngine::Warning) {
      diagnostics_.report(diag::kPreprocessorWarning, span, message.str().str());
      return;
    }
    ++errors_;
    if (info.getID() == clang::diag::err_pp_file_not_found)
      include_not_found(span, info.getArgStdStr(0));
    else
      diagnostics_.report(diag::kPreprocessor, span, message.str().str());
  }

 private:
  Span span_of(const clang::Diagnostic& info) {
    if (places_ == nullptr || info.getLocation().isInvalid()) return {};
    Places::Place begin = places_->place(info.getSourceManager().getExpansionLoc(info.getLocation()));
    return {begin.file, begin.position, {begin.position.line, begin.position.column + 1}};
  }

  void include_not_found(const Span& span, const std::string& name) {
    std::vector<std::string> candidates;
    for (const BuiltinFile& file : builtin_files()) candidates.emplace_back(file.name);
    for (const std::string& directory : directories_) {
      std::error_code error;
      for (const auto& entry : std::filesystem::directory_iterator(directory, error))
        candidates.push_back(entry.path().filename().string());
    }
    std::ranges::sort(candidates);
    diagnostics_.report(diag::kIncludeNotFound, span, name, did_you_mean(name, candidates));
    if (directories_.empty())
      diagnostics_.note(
          {}, "only the built-in files and the program's own directory were searched; -I adds directories");
    else
      diagnostics_.note({},
                        fmt::format("searched in {} and the built-in files", fmt::join(directories_, ", ")));
  }

  Diagnostics& diagnostics_;
  std::vector<std::string> directories_;
  Places* places_ = nullptr;
  std::size_t errors_ = 0;
  bool noted_ = false;
};

/// All that a clang::Preprocessor needs, in the order in which it is needed.
class ClangPreprocessor {
 public:
  ClangPreprocessor(const std::string& path, std::string_view text, const ParseOptions& options,
                    const std::string& predefined, Listener& listener)
      : engine_(new clang::DiagnosticIDs, new clang::DiagnosticOptions, &listener, false),
        files_(clang::FileSystemOptions(), file_system()),
        sources_(engine_, files_) {
    engine_.setFatalsAsError(true);
    language_.AsmPreprocessor = true;
    language_.LineComment = true;
    language_.Digraphs = false;
    auto target_options = std::make_shared<clang::TargetOptions>();
    target_options->Triple = "x86_64-unknown-linux-gnu";
    target_.reset(clang::TargetInfo::CreateTargetInfo(engine_, target_options));
    PERFPACT_CHECK(target_ != nullptr, "clang knows no target");
    clang::FileEntryRef main_file = files_.getVirtualFileRef(path, static_cast<off_t>(text.size()), 0);
    sources_.overrideFileContents(main_file, llvm::MemoryBuffer::getMemBuffer({text.data(), text.size()}));
    sources_.setMainFileID(sources_.createFileID(main_file, clang::SourceLocation(), clang::SrcMgr::C_User));
    headers_ = std::make_unique<clang::HeaderSearch>(std::make_shared<clang::HeaderSearchOptions>(), sources_,
                                                     engine_, language_, target_.get());
    headers_->SetSearchPaths(search_path(options), 0, 0, llvm::DenseMap<unsigned, unsigned>());
    preprocessor_ = std::make_unique<clang::Preprocessor>(std::make_shared<clang::PreprocessorOptions>(),
                                                          engine_, language_, sources_, *headers_, modules_);
    preprocessor_->Initialize(*target_);
    preprocessor_->setPredefines(predefined);
    preprocessor_->IgnorePragmas();
  }

  [[nodiscard]] clang::Preprocessor& preprocessor() { return *preprocessor_; }
  [[nodiscard]] clang::SourceManager& sources() { return sources_; }

 private:
  std::vector<clang::DirectoryLookup> search_path(const ParseOptions& options) {
    std::vector<clang::DirectoryLookup> path;
    auto add = [&](llvm::StringRef directory) {
      if (auto entry = files_.getOptionalDirectoryRef(directory))
        path.emplace_back(*entry, clang::SrcMgr::C_User, false);
    };
    for (const std::string& directory : options.include_directories) add(directory);
    add({kBuiltinDirectory.data(), kBuiltinDirectory.size()});
    return path;
  }

  clang::DiagnosticsEngine engine_;
  clang::FileManager files_;
  clang::SourceManager sources_;
  clang::LangOptions language_;
  std::shared_ptr<clang::TargetInfo> target_;
  std::unique_ptr<clang::HeaderSearch> headers_;
  clang::TrivialModuleLoader modules_;
  std::unique_ptr<clang::Preprocessor> preprocessor_;
};

/// Pulls the tokens out of clang's preprocessor and writes them down.
class TokenWriter {
 public:
  TokenWriter(clang::Preprocessor& preprocessor, clang::SourceManager& sources, Places& places,
              const Listener& listener, Diagnostics& diagnostics)
      : preprocessor_(preprocessor),
        sources_(sources),
        places_(places),
        listener_(listener),
        diagnostics_(diagnostics) {}

  PreprocessedText run() {
    preprocessor_.EnterMainSourceFile();
    preprocessor_.Lex(token_);
    while (token_.isNot(clang::tok::eof) && listener_.errors() < kMaxErrors) {
      if (token_.isAtStartOfLine() && token_.is(clang::tok::hash) && !token_.getLocation().isMacroID()) {
        unhandled_directive();
        continue;
      }
      write();
      if (result_.text().size() > kMaxTextBytes || ++tokens_written_ > kMaxTokens) {
        diagnostics_.report(diag::kExpansionTooLarge, Span{}, kMaxTokens, kMaxTextBytes / kMegabyte);
        break;
      }
      preprocessor_.Lex(token_);
    }
    return std::move(result_);
  }

 private:
  void write() {
    std::string text = preprocessor_.getSpelling(token_);
    clang::SourceLocation location = token_.getLocation();
    clang::SourceLocation spelled = sources_.getSpellingLoc(location);
    bool adjacent = !token_.hasLeadingSpace() && spelled == spelled_end_;
    std::string_view separator = token_.isAtStartOfLine() ? "\n" : adjacent ? "" : " ";
    spelled_end_ = spelled.getLocWithOffset(static_cast<int>(token_.getLength()));
    Places::Place begin = places_.place(sources_.getExpansionLoc(location));
    Position macro_end;
    if (location.isMacroID()) macro_end = expansion_end(location, begin.position);
    result_.append(separator, text, begin.file, begin.position, macro_end);
  }

  Position expansion_end(clang::SourceLocation location, Position begin) {
    clang::SourceLocation last = sources_.getExpansionRange(location).getEnd();
    Position end = places_.place(last).position;
    end.column += clang::Lexer::MeasureTokenLength(last, sources_, preprocessor_.getLangOpts());
    return std::max(end, Position{begin.line, begin.column + 1});
  }

  /// A line that starts with '#' and that the preprocessor leaves alone, as it does for assembler: the marker
  /// `# 12 "file"`, or something unknown, which is reported. token_ is then the first token after it.
  void unhandled_directive() {
    clang::SourceLocation hash = token_.getLocation();
    std::vector<std::string> words;
    clang::SourceLocation after = hash;
    preprocessor_.Lex(token_);
    while (token_.isNot(clang::tok::eof) && !token_.isAtStartOfLine()) {
      words.push_back(preprocessor_.getSpelling(token_));
      after = sources_.getExpansionLoc(token_.getLocation());
      preprocessor_.Lex(token_);
    }
    if (words.empty()) return;
    unsigned line = 0;
    if (!llvm::StringRef(words[0]).getAsInteger(10, line)) return line_marker(after, line, words);
    Places::Place place = places_.place(hash);
    static const std::vector<std::string> kDirectives = {"define", "elif",  "else",    "endif",  "error",
                                                         "if",     "ifdef", "include", "ifndef", "line",
                                                         "pragma", "undef", "warning"};
    diagnostics_.report(diag::kUnknownDirective,
                        Span{place.file, place.position, {place.position.line, place.position.column + 1}},
                        words[0], did_you_mean(words[0], kDirectives));
  }

  void line_marker(clang::SourceLocation location, unsigned line, const std::vector<std::string>& words) {
    int name = -1;
    if (words.size() > 1 && words[1].size() >= 2 && words[1].front() == '"')
      name = static_cast<int>(sources_.getLineTableFilenameID(words[1].substr(1, words[1].size() - 2)));
    sources_.AddLineNote(location, line, name, false, false, clang::SrcMgr::C_User);
  }

  clang::Preprocessor& preprocessor_;
  clang::SourceManager& sources_;
  Places& places_;
  const Listener& listener_;
  Diagnostics& diagnostics_;
  clang::Token token_;
  clang::SourceLocation spelled_end_;
  std::size_t tokens_written_ = 0;
  PreprocessedText result_;
};

}  // namespace

void PreprocessedText::append(std::string_view separator, std::string_view token, FileId file, Position begin,
                              Position macro_end) {
  if (!text_.empty()) text_ += separator;
  places_.push_back({static_cast<std::uint32_t>(text_.size()), file, begin, macro_end});
  text_ += token;
}

Position PreprocessedText::position(std::size_t place, std::uint32_t offset) const {
  const Place& p = places_[place];
  return {p.begin.line, p.begin.column + (offset - p.offset)};
}

Span PreprocessedText::span(std::uint32_t begin, std::uint32_t end, std::size_t& cursor) const {
  auto advance = [this](std::size_t from, std::uint32_t offset) {
    while (from + 1 < places_.size() && places_[from + 1].offset <= offset) ++from;
    return from;
  };
  cursor = advance(cursor, begin);
  std::size_t last = advance(cursor, end - 1);
  const Place& first_place = places_[cursor];
  const Place& last_place = places_[last];
  Span span{first_place.file, first_place.begin, {}};
  if (first_place.macro_end.line == 0) span.begin = position(cursor, begin);
  span.end = last_place.macro_end.line != 0 ? last_place.macro_end : position(last, end);
  if (last_place.file != first_place.file || span.end < span.begin)
    span.end = {span.begin.line, span.begin.column + 1};
  return span;
}

namespace {

Result<PreprocessedText> preprocess(FileId file, const ParseOptions& options, Diagnostics& diagnostics) {
  Result<std::string> predefined = predefines(options.defines, diagnostics);
  if (!predefined) return std::unexpected(predefined.error());
  std::size_t errors_before = diagnostics.error_count();
  const SourceManager& sources = diagnostics.sources();
  Listener listener(diagnostics, options.include_directories);
  ClangPreprocessor clang(sources.name(file), sources.text(file), options, *predefined, listener);
  Places places(clang.sources(), diagnostics.sources());
  listener.listen(places);
  PreprocessedText result =
      TokenWriter(clang.preprocessor(), clang.sources(), places, listener, diagnostics).run();
  clang.preprocessor().EndSourceFile();
  if (diagnostics.error_count() > errors_before) return std::unexpected(diagnostics.already_reported());
  return result;
}

}  // namespace

Result<PreprocessedText> preprocess(const std::string& path, const ParseOptions& options,
                                    Diagnostics& diagnostics) {
  Result<FileId> file = read_program(path, diagnostics);
  if (!file) return std::unexpected(file.error());
  return preprocess(*file, options, diagnostics);
}

Result<PreprocessedText> preprocess_text(const std::string& name, std::string text,
                                         const ParseOptions& options, Diagnostics& diagnostics) {
  Result<FileId> file = add_program(name, std::move(text), diagnostics);
  if (!file) return std::unexpected(file.error());
  return preprocess(*file, options, diagnostics);
}

}  // namespace perfpact::p4
