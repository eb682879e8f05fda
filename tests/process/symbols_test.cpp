#include <fstream>

#include "started.h"

namespace perfpact::process {
namespace {

using test::Started;

TEST(SymbolsTest, DescribesAddresses) {
  const Started router("router");
  EXPECT_EQ(router->describe(router->entry() + 4), "nf_process+0x4");
  EXPECT_EQ(router->describe(router.address("table") + 8), "table+0x8");
  EXPECT_EQ(router->describe(router.address("memcpy")), "libc.so.6!memcpy");
  EXPECT_TRUE(router->describe(router->registers().gpr[x86::Rsp]).starts_with("[stack]+0x"));
  EXPECT_EQ(router->describe(0x10), "0x10");
}

TEST(SymbolsTest, TellsFunctionsFromObjects) {
  const Started router("router");
  const Symbol* function = router->symbol_of(router->entry() + 1);
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(function->name, "nf_process");
  EXPECT_TRUE(function->is_function);
  EXPECT_EQ(function->module, "router");
  EXPECT_GT(function->size, 8U);
  const Symbol* object = router->symbol_of(router.address("table") + 1023);
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(object->name, "table");
  EXPECT_EQ(object->size, 1024U);
  EXPECT_FALSE(object->is_function);
  EXPECT_EQ(router->symbol_of(0x10), nullptr);
}

TEST(SymbolsTest, FindsAllOfAName) {
  const Started router("router");
  EXPECT_EQ(router->find_symbols("nf_process").size(), 1U);
  EXPECT_TRUE(router->find_symbols("nf_proces").empty());
  const auto counted = router->find_symbols("packets_of_port");
  ASSERT_EQ(counted.size(), 1U);
  EXPECT_EQ(counted.front()->module, "libcounting.so");
  EXPECT_EQ(router->find_symbols("step_of").size(), 1U) << "local ones too";
  ASSERT_FALSE(router->find_symbols("__vdso_clock_gettime").empty());
  EXPECT_EQ(router->find_symbols("__vdso_clock_gettime").front()->module, "[vdso]");
}

TEST(SymbolsTest, IndirectFunctionsAreWhatWasChosen) {
  const Started chosen("chosen");
  EXPECT_EQ(chosen.address("process_packet"), chosen.address("process_fast"));
  EXPECT_EQ(chosen->describe(chosen.address("process_fast")), "process_fast");

  // A call arrives where the symbol says.
  for (const char* name : {"strings", "strings-static"}) {
    const Started strings(name);
    const process::Run run = strings->replay({.registers = strings->registers()}, {.wants_addresses = true});
    for (const char* function : {"memcpy", "memset", "memmove", "memcmp", "strlen", "strchr", "memchr"}) {
      EXPECT_FALSE(strings->find_symbols(function).front()->is_indirect);
      EXPECT_NE(std::ranges::find(run.addresses, strings.address(function)), run.addresses.end()) << function;
    }
  }
}

TEST(SymbolsTest, NumbersModules) {
  const Started router("router");
  EXPECT_EQ(router->relative(router.address("main")).first, 1U);
  const auto library = router->relative(router.address("count_packet")).first;
  const auto libc = router->relative(router.address("memcpy")).first;
  EXPECT_GT(library, 1U);
  EXPECT_GT(libc, library) << "in order of load";
  EXPECT_EQ(router->relative(0x10), (std::pair<std::uint32_t, std::uint64_t>(0, 0x10)));
  const Started fixed("router-fixed");
  EXPECT_EQ(fixed->relative(fixed->entry()).second, fixed->entry());
}

// The line of the source that holds this text.
std::uint32_t line_with(const std::string& file, std::string_view text) {
  std::ifstream source(file);
  std::uint32_t number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (line.find(text) != std::string::npos) return number;
  }
  return 0;
}

TEST(SymbolsTest, LocatesCode) {
  const Started router("router");
  const auto location = router->location(router->entry());
  ASSERT_TRUE(location);
  EXPECT_TRUE(location->file.ends_with("tests/process/programs/router.c")) << location->file;
  const std::uint32_t first_line = line_with(location->file, "int nf_process(");
  EXPECT_GE(location->line, first_line);
  EXPECT_LE(location->line, first_line + 1);
  EXPECT_EQ(location->function, "nf_process");

  const Symbol* function = router->symbol_of(router->entry());
  std::set<std::uint32_t> lines;
  for (std::uint64_t offset = 0; offset < function->size; ++offset)
    if (const auto at = router->location(function->address + offset)) lines.insert(at->line);
  EXPECT_TRUE(lines.contains(line_with(location->file, "LINE: result")));

  const auto in_library = router->location(router.address("count_packet"));
  ASSERT_TRUE(in_library);
  EXPECT_TRUE(in_library->file.ends_with("counting.c"));
  EXPECT_FALSE(router->location(router->registers().gpr[x86::Rsp]));
}

TEST(SymbolsTest, Mappings) {
  const Started router("router");
  const Mapping* code = router->mapping_of(router->entry());
  ASSERT_NE(code, nullptr);
  EXPECT_TRUE(code->executable && code->readable && !code->writable && !code->shared);
  EXPECT_TRUE(code->file.ends_with("/router"));
  const Mapping* stack = router->mapping_of(router->registers().gpr[x86::Rsp]);
  ASSERT_NE(stack, nullptr);
  EXPECT_EQ(stack->file, "[stack]");
  EXPECT_TRUE(stack->writable);
  EXPECT_EQ(router->mapping_of(0x10), nullptr);
  EXPECT_TRUE(std::ranges::is_sorted(router->mappings(), {}, &Mapping::begin));
}

TEST(SymbolsTest, ReadsMarks) {
  const Started marks("marks");
  ASSERT_EQ(marks->marks().size(), 4U);
  const std::vector<std::pair<std::string, std::string>> expected{
      {"entry", "nf_process"}, {"pcv", "options"}, {"outcome", "long"}, {"method", "sum"}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Process::Mark& mark = marks->marks()[i];
    EXPECT_EQ(mark.kind, expected[i].first);
    EXPECT_EQ(mark.name, expected[i].second);
    EXPECT_EQ(marks->symbol_of(mark.address)->name, "nf_process") << mark.name;
  }
  EXPECT_TRUE(marks.diagnostics.all().empty());

  // What runs passes the marks that its path has, the marked loop once for each iteration.
  Input input{.registers = marks->registers()};
  input.registers.gpr[x86::Rdi] = 4;
  const process::Run run = marks->replay(input, {.wants_addresses = true});
  ASSERT_EQ(run.ending, process::Run::Ending::Returned);
  EXPECT_EQ(run.registers.gpr[x86::Rax], 6U);
  EXPECT_EQ(std::ranges::count(run.addresses, marks->marks()[1].address), 4);
  EXPECT_EQ(std::ranges::count(run.addresses, marks->marks()[2].address), 1);
}

TEST(SymbolsTest, ProgramsWithoutMarks) {
  EXPECT_TRUE(Started("router")->marks().empty());
}

}  // namespace
}  // namespace perfpact::process
