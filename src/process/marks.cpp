#include "process/marks.h"

#include <elf.h>

#include <cstring>

#include "process/diagnostics.h"

namespace perfpact::process {
namespace {

constexpr std::string_view kOwner{"perfpact\0", 9};
constexpr std::array<std::string_view, 4> kKinds{"pcv", "outcome", "method", "entry"};  // types from 1

struct Note {
  std::uint32_t type = 0;
  std::string_view owner;
  std::string_view description;
  std::uint64_t description_address = 0;
};

// The notes of a section, one after the other (ELF gABI, "Note Section").
class Notes {
 public:
  Notes(std::string_view bytes, std::uint64_t address, std::uint64_t alignment)
      : bytes_(bytes), address_(address), alignment_(std::max<std::uint64_t>(alignment, 4)) {}

  [[nodiscard]] bool at_end() const { return at_ >= bytes_.size(); }

  /// Nothing where it is cut short.
  std::optional<Note> next() {
    Elf64_Nhdr header{};
    const auto head = take(sizeof header);
    if (!head) return std::nullopt;
    std::memcpy(&header, head->data(), sizeof header);
    Note note;
    note.type = header.n_type;
    const auto owner = take(header.n_namesz);
    align();
    note.description_address = address_ + at_;
    const auto description = take(header.n_descsz);
    align();
    if (!owner || !description) return std::nullopt;
    note.owner = *owner;
    note.description = *description;
    return note;
  }

 private:
  std::optional<std::string_view> take(std::size_t size) {
    if (at_ > bytes_.size() || size > bytes_.size() - at_) return std::nullopt;
    const std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }
  void align() { at_ = (at_ + alignment_ - 1) / alignment_ * alignment_; }

  std::string_view bytes_;
  std::uint64_t address_, alignment_;
  std::size_t at_ = 0;
};

// The error says what is wrong with it.
std::expected<Process::Mark, std::string> to_mark(const Note& note) {
  if (note.owner != kOwner) return std::unexpected("a note is not of perfpact");
  if (note.type == 0 || note.type > kKinds.size())
    return std::unexpected(fmt::format("a mark is of the unknown type {}", note.type));
  std::uint64_t distance = 0;
  if (note.description.size() <= sizeof distance) return std::unexpected("a mark has no name");
  std::memcpy(&distance, note.description.data(), sizeof distance);
  const std::string_view name = note.description.substr(sizeof distance);
  return Process::Mark{std::string(kKinds[note.type - 1]), std::string(name.substr(0, name.find('\0'))),
                       note.description_address + distance};
}

// The error says what is wrong; what came before it is kept.
std::optional<std::string> read_section(const Module& module, const Elf::Section& section,
                                        const PageCache& memory, std::vector<Process::Mark>& marks) {
  const std::uint64_t address = module.bias + section.address;
  std::string bytes(section.size, '\0');
  if (!memory.read(address, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()}))
    return "their section is not in memory";
  for (Notes notes(bytes, address, section.alignment); !notes.at_end();) {
    const std::optional<Note> note = notes.next();
    if (!note) return "their section ends within a note";
    std::expected<Process::Mark, std::string> mark = to_mark(*note);
    if (!mark) return mark.error();
    marks.push_back(std::move(*mark));
  }
  return std::nullopt;
}

}  // namespace

std::vector<Process::Mark> read_marks(const Modules& modules, const PageCache& memory,
                                      Diagnostics& diagnostics) {
  std::vector<Process::Mark> marks;
  for (const Module& module : modules.all()) {
    const auto section = module.elf->section(".note.perfpact");
    if (!section) continue;
    if (const auto fault = read_section(module, *section, memory, marks))
      diagnostics.report(diag::kBadMark, {}, module.name, *fault);
  }
  return marks;
}

}  // namespace perfpact::process
