// A small program's tables, files written on the spot, and what the readers make of them.
#pragma once
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "tables/table_set.h"

namespace perfpact::tables {

inline KeySchema key(std::string name, unsigned width, MatchKind kind) {
  return {std::move(name), width, kind, {}};
}

/// ingress.fib     exact hdr.meta.vrf (12), lpm hdr.ipv4.dst (32)
/// ingress.acl     ternary hdr.ipv4.src (32), optional hdr.ipv4.proto (8), range hdr.udp.port (16),
///                 exact hdr.ipv4.isValid() (1); the default is const
/// ingress.macs    exact hdr.ethernet.dst (48), egress.macs  exact hdr.ethernet.src (48)
/// ingress.fixed   exact meta.x (8) with a const entry, ingress.plain no key, ingress.v6 exact hdr.ipv6.dst
/// (128)
inline std::vector<TableSchema> example_schemas() {
  const std::vector<ActionSchema> actions{
      {"NoAction", {}, false, false, {}},
      {"ingress.forward", {{"port", 9}, {"mac", 48}}, false, false, {}},
      {"ingress.set_next", {{"next", 32}}, false, false, {}},
      {"ingress.on_miss", {}, true, false, {}},
      {"ingress.only_entry", {}, false, true, {}},
  };
  auto table = [&](std::string name, std::vector<KeySchema> keys) {
    TableSchema schema;
    schema.name = std::move(name);
    schema.keys = std::move(keys);
    schema.actions = actions;
    return schema;
  };
  std::vector<TableSchema> schemas{
      table("ingress.fib",
            {key("hdr.meta.vrf", 12, MatchKind::Exact), key("hdr.ipv4.dst", 32, MatchKind::Lpm)}),
      table("ingress.acl",
            {key("hdr.ipv4.src", 32, MatchKind::Ternary), key("hdr.ipv4.proto", 8, MatchKind::Optional),
             key("hdr.udp.port", 16, MatchKind::Range), key("hdr.ipv4.isValid()", 1, MatchKind::Exact)}),
      table("ingress.macs", {key("hdr.ethernet.dst", 48, MatchKind::Exact)}),
      table("egress.macs", {key("hdr.ethernet.src", 48, MatchKind::Exact)}),
      table("ingress.fixed", {key("meta.x", 8, MatchKind::Exact)}),
      table("ingress.plain", {}),
      table("ingress.v6", {key("hdr.ipv6.dst", 128, MatchKind::Exact)}),
  };
  schemas[1].default_is_const = true;
  schemas[4].entries_are_const = true;
  schemas[4].initial_entries.push_back({{{7, 255, 0}}, 0, {0, {}}, {}});
  return schemas;
}

/// A directory that is removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("perfpact-tables-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryDirectory() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

class TablesFixture : public ::testing::Test {
 protected:
  explicit TablesFixture(std::vector<TableSchema> given = example_schemas()) : given_(std::move(given)) {}

  /// Reads a file with this text; true without errors.
  bool read(const std::string& text, const std::string& name = "input") {
    return read_tables(directory.write(name, text), tables, diagnostics);
  }
  bool finish() { return tables.finish(diagnostics); }

  TableId id(std::string_view name) { return tables.find(name, {}, diagnostics).value(); }

  LookupResult lookup(std::string_view name, std::vector<Integer> fields) {
    return tables.lookup(id(name), fields);
  }
  /// `forward(1, 2)`, of an entry or the default action.
  std::string action_of(std::string_view name, const LookupResult& result) {
    std::string text = tables.schema(id(name)).actions[result.action->action].name;
    text += "(";
    for (const Integer& argument : result.action->arguments) {
      if (text.back() != '(') text += ", ";
      text += argument.str();
    }
    return text + ")";
  }
  std::string looked_up(std::string_view name, std::vector<Integer> fields) {
    const LookupResult result = lookup(name, std::move(fields));
    return (result.hit ? "hit " : "miss ") + action_of(name, result);
  }

  /// All diagnostics as text, the directory of the files left out.
  std::string report() {
    std::string text = diagnostics.render();
    const std::string prefix = directory.path("");
    for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;)
      text.erase(at, prefix.size());
    return text;
  }
  /// Reading this text fails with exactly this one error: `line:column: error: message [id]` with its caret.
  void expect_error(const std::string& text, const std::string& expected) {
    SourceManager own_sources;
    Diagnostics own(own_sources);
    TableSet own_tables(given_);
    const std::string path = directory.write("bad", text);
    EXPECT_FALSE(read_tables(path, own_tables, own) && own_tables.finish(own)) << text;
    std::string all = own.render();
    for (std::size_t at = 0; (at = all.find(path, at)) != std::string::npos;)
      all.replace(at, path.size(), "bad");
    EXPECT_EQ(all.substr(0, all.find('\n')), expected) << all << "for:\n" << text;
    EXPECT_EQ(own.error_count(), 1u) << all;
  }

  std::vector<TableSchema> given_;
  TemporaryDirectory directory;
  SourceManager sources;
  Diagnostics diagnostics{sources};
  TableSet tables{given_};
};

}  // namespace perfpact::tables
