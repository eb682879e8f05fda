#include "process/diagnostics.h"

#include <elf.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "../packet/reported.h"
#include "started.h"

namespace perfpact::process {
namespace {

using perfpact::test::Folder;
using test::program;
using test::Started;

class DiagnosticsTest : public ::testing::Test {
 protected:
  /// What starting reports, without its places.
  std::string report_of(const Launch& launch) {
    SourceManager sources;
    Diagnostics diagnostics(sources);
    EXPECT_FALSE(Process::start(launch, diagnostics));
    std::string text;
    for (const Diagnostic& d : diagnostics.all()) {
      text += fmt::format("{} [{}]\n", d.message, d.kind->id);
      for (const Note& note : d.notes) text += note.message + "\n";
    }
    return text;
  }
  std::string report_of_file(std::string_view name, std::string_view content, bool executable = true) {
    const std::string path = folder.write(name, content);
    if (executable) chmod(path.c_str(), 0755);
    std::string report = report_of({.program = path, .entry = "nf_process"});
    const std::size_t at = report.find(path);
    EXPECT_NE(at, std::string::npos) << report;
    if (at != std::string::npos) report.replace(at, path.size(), name);
    return report;
  }
  static std::string faulty(std::string_view report) {
    std::string text(report);
    const std::string path = program("faulty");
    const std::size_t at = text.find(path);
    if (at != std::string::npos) text.replace(at, path.size(), "faulty");
    return text;
  }

  Folder folder;
};

constexpr std::string_view kLastLines =
    "the end of its output:\n    line 4\n    line 5\n    line 6\n    line 7\n    line 8\n";

TEST_F(DiagnosticsTest, NoSuchFile) {
  EXPECT_EQ(report_of({.program = "/nowhere/nf", .entry = "f"}),
            "cannot start '/nowhere/nf': no such file [process-cannot-start]\n");
  EXPECT_EQ(report_of({.program = "/tmp", .entry = "f"}),
            "cannot start '/tmp': it is no file [process-cannot-start]\n");
}

TEST_F(DiagnosticsTest, NotExecutable) {
  std::ifstream router(program("router"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(router), {}};
  EXPECT_EQ(report_of_file("router", bytes, false),
            "cannot start 'router': Permission denied [process-cannot-start]\n");
}

TEST_F(DiagnosticsTest, NotElf) {
  EXPECT_EQ(report_of_file("nf", ""),
            "'nf' is empty; expected an ELF program for x86-64 [process-not-elf]\n");
  EXPECT_EQ(report_of_file("nf", "#!/bin/sh\nexec nf\n"),
            "'nf' is a script of /bin/sh; expected an ELF program for x86-64 [process-not-elf]\n");
  EXPECT_EQ(report_of_file("nf", "!<arch>\n"),
            "'nf' is an archive of object files; expected an ELF program for x86-64 [process-not-elf]\n");
  EXPECT_EQ(report_of_file("nf", "int main;"),
            "'nf' is no ELF file; expected an ELF program for x86-64 [process-not-elf]\n");
  EXPECT_EQ(report_of_file("nf",
                           "\x7f"
                           "ELF\x02\x01\x01" +
                               std::string(9, '\0') + std::string("\x02\0\x3e\0", 4)),
            "'nf' is a cut ELF file; expected an ELF program for x86-64 [process-not-elf]\n");
}

// The first bytes of an ELF header: class, byte order, kind of file, machine.
std::string elf_header(char bits, char order, std::array<char, 2> type, std::array<char, 2> machine) {
  std::string header{'\x7f', 'E', 'L', 'F', bits, order, 1};
  header.resize(16);
  header.append(type.begin(), type.end()).append(machine.begin(), machine.end());
  header.resize(64);
  return header;
}

TEST_F(DiagnosticsTest, ObjectFile) {
  EXPECT_EQ(
      report_of_file("nf.o", elf_header(2, 1, {1, 0}, {0x3e, 0})),
      "'nf.o' is an object file that is not linked; expected an ELF program for x86-64 [process-not-elf]\n");
}

TEST_F(DiagnosticsTest, OtherMachine) {
  constexpr std::string_view kFormat =
      "'nf' is a program for {}; only x86-64 (64 bits) is supported [process-wrong-machine]\n";
  const auto message = [&](std::string_view machine) { return fmt::format(fmt::runtime(kFormat), machine); };
  EXPECT_EQ(report_of_file("nf", elf_header(1, 1, {2, 0}, {3, 0})), message("i386 (32 bits)"));
  EXPECT_EQ(report_of_file("nf", elf_header(1, 1, {2, 0}, {0x3e, 0})), message("x86-64 (32 bits)"));
  EXPECT_EQ(report_of_file("nf", elf_header(2, 1, {2, 0}, {static_cast<char>(183), 0})),
            message("AArch64 (64 bits)"));
  EXPECT_EQ(report_of_file("nf", elf_header(2, 2, {0, 2}, {0, 22})), message("S/390 (64 bits)"));
  EXPECT_EQ(report_of_file("nf", elf_header(2, 1, {2, 0}, {static_cast<char>(0xfe), 0x7f})),
            message("machine 32766 (64 bits)"));
}

TEST_F(DiagnosticsTest, NoSuchEntry) {
  const std::string router = program("router");
  EXPECT_EQ(
      report_of({.program = router, .entry = "nf_proces"}),
      fmt::format("'{}' has no function 'nf_proces'; did you mean 'nf_process'? [process-unknown-entry]\n",
                  router));
  EXPECT_EQ(report_of({.program = router, .entry = "table"}),
            fmt::format("'{}' has no function 'table' [process-unknown-entry]\n", router));
  EXPECT_EQ(report_of({.program = router, .entry = "libcountin.so!f"}),
            fmt::format("'{}' has not loaded a module 'libcountin.so'; did you mean 'libcounting.so'? "
                        "[process-unknown-module]\n",
                        router));
  EXPECT_EQ(report_of({.program = router, .entry = "libcounting.so!count_packets"}),
            fmt::format("'{}' has no function 'count_packets'; did you mean 'count_packet'? "
                        "[process-unknown-entry]\n",
                        router));
}

TEST_F(DiagnosticsTest, StrippedEntry) {
  const std::string stripped = program("router-stripped");
  EXPECT_EQ(
      report_of({.program = stripped, .entry = "nf_process"}),
      fmt::format("'{}' has no function 'nf_process'; it is stripped of symbols: give the address in its "
                  "file, as 0x1139 [process-unknown-entry]\n",
                  stripped));
}

TEST_F(DiagnosticsTest, EntryIsNoPlace) {
  for (const char* entry : {"", "0x", "0xfoo", "main+4", "main+", "+0x4", "libc.so.6!"})
    EXPECT_EQ(
        report_of({.program = program("router"), .entry = entry}),
        fmt::format("'{}' names no place in code; expected a function, function+0x10, 0x1139, or one of "
                    "these behind module! [process-bad-entry]\n",
                    entry));
}

TEST_F(DiagnosticsTest, NoCodeThere) {
  const std::string report = report_of({.program = program("router"), .entry = "0x8"});
  EXPECT_TRUE(
      report.starts_with(fmt::format("'{}' has no code at '0x8'; its code lies at 0x", program("router"))))
      << report;
  EXPECT_TRUE(report.ends_with("[process-no-code]\n"));
}

TEST_F(DiagnosticsTest, IndirectEntry) {
  EXPECT_EQ(report_of({.program = program("chosen"), .entry = "process_packet"}),
            fmt::format("not supported yet: '{}' chooses what 'process_packet' is as it starts (an indirect "
                        "function); give the function that it chooses [process-indirect-entry]\n",
                        program("chosen")));
}

TEST_F(DiagnosticsTest, AmbiguousEntry) {
  const std::string report = report_of({.program = program("twice"), .entry = "nf_process"});
  EXPECT_TRUE(report.starts_with(
      fmt::format("'{}' has 2 functions 'nf_process'; give the address of one: 0x", program("twice"))))
      << report;
  EXPECT_TRUE(report.ends_with("[process-ambiguous-entry]\n"));
}

TEST_F(DiagnosticsTest, ExitsBefore) {
  EXPECT_EQ(faulty(report_of({.program = program("faulty"), .arguments = {"exit"}, .entry = "nf_process"})),
            "'faulty' ended with exit status 7 before it called 'nf_process' [process-exited]\n" +
                std::string(kLastLines));
}

TEST_F(DiagnosticsTest, CrashesBefore) {
  const auto crash =
      faulty(report_of({.program = program("faulty"), .arguments = {"crash"}, .entry = "nf_process"}));
  EXPECT_EQ(crash,
            "'faulty' was ended by SIGSEGV in init_table before it called 'nf_process' [process-killed]\n" +
                std::string(kLastLines));
  const auto abort =
      faulty(report_of({.program = program("faulty"), .arguments = {"abort"}, .entry = "nf_process"}));
  EXPECT_TRUE(abort.starts_with("'faulty' was ended by SIGABRT in libc.so.6")) << abort;
}

TEST_F(DiagnosticsTest, TimeLimit) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(
      faulty(report_of({.program = program("faulty"),
                        .arguments = {"wait"},
                        .entry = "nf_process",
                        .time_limit = std::chrono::milliseconds(300)})),
      "'faulty' has not called 'nf_process' within 300 ms [process-time-limit]\n" + std::string(kLastLines));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(DiagnosticsTest, ReplacedByAnotherProgram) {
  const auto report =
      faulty(report_of({.program = program("faulty"), .arguments = {"replace"}, .entry = "nf_process"}));
  EXPECT_TRUE(report.starts_with("'faulty' started another program in its place ('")) << report;
  EXPECT_NE(report.find("true') before it called 'nf_process'; give that one [process-replaced]\n"),
            std::string::npos)
      << report;
}

TEST_F(DiagnosticsTest, CalledInAChildProcess) {
  EXPECT_EQ(
      faulty(report_of({.program = program("faulty"), .arguments = {"fork"}, .entry = "nf_process"})),
      "a child process of 'faulty' called 'nf_process' first; have the program call it in its own process "
      "[process-entry-in-child]\n" +
          std::string(kLastLines));
}

TEST_F(DiagnosticsTest, BrokenMarks) {
  const Started marks("marks-broken");
  ASSERT_EQ(marks.diagnostics.all().size(), 1U);
  EXPECT_EQ(marks.diagnostics.all().front().kind, &diag::kBadMark);
  EXPECT_EQ(marks.diagnostics.all().front().message,
            "the marks of 'marks-broken' cannot all be read: their section ends within a note");
}

TEST_F(DiagnosticsTest, MemoryThatStaysShared) {
  const std::string file = folder.write("shared", std::string(4096, 'a'));
  const Started program("shared", "nf_process", {file, "longer"});
  ASSERT_EQ(program.diagnostics.all().size(), 1U);
  EXPECT_EQ(program.diagnostics.all().front().kind, &diag::kStaysShared);
  EXPECT_NE(program.diagnostics.all().front().message.find(fmt::format("is shared through '{}'", file)),
            std::string::npos);
}

std::span<char> section_of(std::string& file, std::string_view name) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file.data() + header->e_shoff);
  const char* names = file.data() + sections[header->e_shstrndx].sh_offset;
  for (int i = 0; i < header->e_shnum; ++i)
    if (name == names + sections[i].sh_name)
      return {file.data() + sections[i].sh_offset, sections[i].sh_size};
  ADD_FAILURE() << "no section " << name;
  return {};
}

// A copy of a program in whose debug information bytes are changed runs, and is shown with lines or without.
class DebugInformationTest : public DiagnosticsTest {
 protected:
  std::string copy_with(std::string_view name, const std::function<void(std::string&)>& change) {
    std::ifstream file(program("marks"), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    change(bytes);
    const std::string path = folder.write(name, bytes);
    chmod(path.c_str(), 0755);
    return path;
  }
  // Whether it was warned of.
  static bool starts(const std::string& path, bool& has_lines) {
    SourceManager sources;
    Diagnostics diagnostics(sources);
    const Result<Process> process = Process::start({.program = path, .entry = "nf_process"}, diagnostics);
    EXPECT_TRUE(process) << diagnostics.render();
    if (!process) return false;
    has_lines = process->location(process->entry()).has_value();
    for (std::uint64_t at = process->entry(); at < process->entry() + 64; ++at) (void)process->location(at);
    return std::ranges::any_of(diagnostics.all(),
                               [](const Diagnostic& d) { return d.kind == &diag::kBadDebugInformation; });
  }
};

TEST_F(DebugInformationTest, IsWhole) {
  bool has_lines = false;
  EXPECT_FALSE(starts(copy_with("whole", [](std::string&) {}), has_lines));
  EXPECT_TRUE(has_lines);
}

TEST_F(DebugInformationTest, IsDamaged) {
  for (const std::string_view section : {".debug_info", ".debug_abbrev", ".debug_line"}) {
    bool has_lines = true;
    const std::string path = copy_with(
        "damaged", [&](std::string& bytes) { std::ranges::fill(section_of(bytes, section), '\xff'); });
    EXPECT_TRUE(starts(path, has_lines)) << section;
    EXPECT_FALSE(has_lines) << section;
  }
}

TEST_F(DebugInformationTest, IsDamagedAtRandom) {
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    const std::string path = copy_with(fmt::format("random{}", i), [&](std::string& bytes) {
      for (const std::string_view name : {".debug_info", ".debug_abbrev", ".debug_line", ".debug_str"}) {
        const std::span<char> section = section_of(bytes, name);
        for (int k = 0; k < 3; ++k) section[random() % section.size()] = static_cast<char>(random());
      }
    });
    bool has_lines = false;
    (void)starts(path, has_lines);  // either is right; it must not crash
  }
}

}  // namespace
}  // namespace perfpact::process
