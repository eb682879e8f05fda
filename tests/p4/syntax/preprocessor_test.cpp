#include "p4/syntax/preprocessor.h"

#include <gtest/gtest.h>

#include "p4/syntax/diagnostics.h"
#include "parse_text.h"

namespace perfpact::p4 {
namespace {

TEST(Preprocessor, FindsBuiltInFilesWithEitherQuotes) {
  for (const char* include : {"<core.p4>", "\"core.p4\"", "<v1model.p4>", "\"v1model.p4\""}) {
    auto parsed =
        parse_text(fmt::format("#include {}\nparser p(packet_in b) {{ state start {{}} }}\n", include));
    EXPECT_TRUE(parsed->tree) << parsed->report();
  }
}

TEST(Preprocessor, PrefersTheProgramsOwnFiles) {
  Parsed parsed;
  parsed.folder.write("core.p4", "struct mine {}\n");
  parsed.folder.write("inc/deep.p4", "struct deep { mine m; }\n");
  parsed.parse(parsed.folder.write("program.p4", "#include \"core.p4\"\n#include <deep.p4>\n"),
               {{parsed.folder.path() + "/inc"}, {}});
  ASSERT_TRUE(parsed.tree) << parsed.report();
  EXPECT_EQ(parsed.tree->declarations.size(), 2U);
}

TEST(Preprocessor, HasBothVariantsOfV1model) {
  auto old_one = parse_text("#include <v1model.p4>\nconst PortId_t x = 1;\n");
  EXPECT_FALSE(old_one->tree);
  auto new_one =
      parse_text("#define V1MODEL_VERSION 20200408\n#include <v1model.p4>\nconst PortId_t x = 1;\n");
  EXPECT_TRUE(new_one->tree) << new_one->report();
  auto defined =
      parse_text("#include <v1model.p4>\nconst PortId_t x = 1;\n", {{}, {"V1MODEL_VERSION=20200408"}});
  EXPECT_TRUE(defined->tree) << defined->report();
}

TEST(Preprocessor, HonoursDefinesAndConditions) {
  auto parsed =
      parse_text("#if defined(A) && B > 2 && !defined(C)\nconst bit<8> x = B;\n#else\n#error wrong\n#endif\n",
                 {{}, {"A", "B=3"}});
  ASSERT_TRUE(parsed->tree) << parsed->report();
  EXPECT_EQ(parsed->dumped(), "constant 2:1 bit<8> x = 3\n");
}

TEST(Preprocessor, PlacesWhatAMacroExpandsToWhereItIsUsed) {
  auto parsed = parse_text("#define FIELD(T, n) T n;\nstruct s {\n  FIELD(bit<8>, a)\n  FIELD(nope, b)\n}\n");
  EXPECT_EQ(parsed->report(), "4:3 expected-type expected a type, found 'nope'\n");
}

TEST(Preprocessor, HonoursLineDirectivesAndMarkers) {
  auto parsed = parse_text("# 12 \"other.p4\"\nconst nope x = 1;\n#line 40\nconst nope2 y = 1;\n");
  ASSERT_EQ(parsed->diagnostics.all().size(), 2U) << parsed->report();
  EXPECT_EQ(parsed->sources.describe(parsed->diagnostics.all()[0].span), "other.p4:12:7");
  EXPECT_EQ(parsed->sources.describe(parsed->diagnostics.all()[1].span), "other.p4:40:7");
}

TEST(Preprocessor, ShowsTheLineOfAnIncludedFile) {
  Parsed parsed;
  std::string included = parsed.folder.write("types.p4", "struct s {\n  nope a;\n}\n");
  parsed.parse(parsed.folder.write("program.p4", "#include \"types.p4\"\n"));
  ASSERT_EQ(parsed.diagnostics.all().size(), 1U);
  const Span& span = parsed.diagnostics.all()[0].span;
  EXPECT_EQ(parsed.sources.name(span.file), included);
  EXPECT_EQ(parsed.sources.line(span.file, span.begin.line), "  nope a;");
}

TEST(Preprocessor, KeepsAdjacencyWithinMacros) {
  auto parsed = parse_text(
      "#define SAT |+|\n#define E {#}\n#define SHIFT >>\nheader h {}\n"
      "const bit<8> a = x SAT 1 SHIFT 2;\nconst h c = E;\ntypedef bit<(1>>0)> t;\n");
  ASSERT_TRUE(parsed->tree) << parsed->report();
  EXPECT_EQ(parsed->dumped(),
            "struct 4:1 header h\n"
            "constant 5:1 bit<8> a = x |+| 1 >> 2\n"
            "constant 6:1 h c = {#}\n"
            "typedef 7:1 bit<(1 >> 0)> t\n");
}

TEST(Preprocessor, SeparatesMacrosFromWhatIsAroundThem) {
  auto parsed = parse_text("#define AND & y\nconst bit<8> b = x &AND;\n");  // not `x && y`
  EXPECT_EQ(parsed->report(), "2:21 expected-expression expected an expression, found '&'\n");
}

TEST(Preprocessor, AcceptsAnyLineEndsMarksAndBytesInComments) {
  auto parsed = parse_text("\xef\xbb\xbf// caf\xe9\r\nconst bit<8> x = 1; /* \xff */\r\nconst bit<8> y = 2;");
  ASSERT_TRUE(parsed->tree) << parsed->report();
  EXPECT_EQ(parsed->dumped(), "constant 2:1 bit<8> x = 1\nconstant 3:1 bit<8> y = 2\n");
}

TEST(Preprocessor, AcceptsAProgramOfCommentsOnly) {
  auto parsed = parse_text("// nothing yet\n");
  ASSERT_TRUE(parsed->tree) << parsed->report();
  EXPECT_TRUE(parsed->tree->declarations.empty());
}

struct Wrong {
  std::string text;
  const DiagnosticKind* kind;
  std::string message;
};

TEST(Preprocessor, ReportsWhatIsWrong) {
  const std::vector<Wrong> cases = {
      {"#include <v1modle.p4>\n", &diag::kIncludeNotFound,
       "there is no file 'v1modle.p4' to include; did you mean 'v1model.p4'?"},
      {"#if 1\nconst bit<8> x = 1;\n", &diag::kPreprocessor, "unterminated conditional directive"},
      {"#error no luck\n", &diag::kPreprocessor, "no luck"},
      {"#foo\nconst bit<8> x = 1;\n", &diag::kUnknownDirective,
       "the directive '#foo' is not known and ignored"},
      {"#define A 1\n#define A 2\nconst bit<8> x = A;\n", &diag::kPreprocessorWarning, "'A' macro redefined"},
      {" \n\t\n", &diag::kEmptyProgram, ""},
      {std::string("const\0bit", 9), &diag::kNotText, ""}};
  for (const Wrong& each : cases) {
    auto parsed = parse_text(each.text);
    ASSERT_FALSE(parsed->diagnostics.all().empty()) << each.text;
    EXPECT_EQ(parsed->diagnostics.all()[0].kind, each.kind) << parsed->report();
    if (each.message.empty()) continue;
    EXPECT_EQ(parsed->diagnostics.all()[0].message, each.message);
  }
}

TEST(Preprocessor, ReportsSeveralMissingIncludes) {
  auto parsed = parse_text("#include <a.p4>\n#include \"b.p4\"\n");
  EXPECT_EQ(parsed->diagnostics.error_count(), 2U) << parsed->report();
}

TEST(Preprocessor, RefusesBadDefines) {
  for (const char* define : {"1A", "A-B=2", "", "=3"}) {
    auto parsed = parse_text("const bit<8> x = 1;\n", {{}, {define}});
    EXPECT_FALSE(parsed->tree);
    EXPECT_EQ(parsed->diagnostics.all()[0].kind, &diag::kBadDefine);
  }
}

TEST(Preprocessor, RefusesDirectoriesAndMissingFiles) {
  Parsed directory;
  directory.parse(directory.folder.path());
  EXPECT_EQ(directory.diagnostics.all()[0].kind, &perfpact::diag::kCannotRead);
  Parsed missing;
  missing.parse(missing.folder.path() + "/none.p4");
  EXPECT_EQ(missing.diagnostics.all()[0].kind, &perfpact::diag::kCannotRead);
}

TEST(Preprocessor, RefusesHugeFilesAndExpansions) {
  auto huge = parse_text(std::string(std::size_t{33} << 20, ' '));
  EXPECT_EQ(huge->diagnostics.all()[0].kind, &diag::kFileTooLarge);
  std::string bomb = "#define A0 x x x x x x x x x x\n";
  for (int i = 1; i < 10; ++i) {
    bomb += fmt::format("#define A{} ", i);
    for (int j = 0; j < 10; ++j) bomb += fmt::format("A{} ", i - 1);
    bomb += "\n";
  }
  auto exploding = parse_text(bomb + "A9\n");
  EXPECT_EQ(exploding->diagnostics.all()[0].kind, &diag::kExpansionTooLarge);
}

TEST(Preprocessor, StopsAtRecursiveIncludes) {
  Parsed parsed;
  parsed.parse(parsed.folder.write("program.p4", "#include \"program.p4\"\n#include \"program.p4\"\n"));
  EXPECT_FALSE(parsed.tree);
  EXPECT_EQ(parsed.diagnostics.all()[0].kind, &diag::kPreprocessor);
}

}  // namespace
}  // namespace perfpact::p4
