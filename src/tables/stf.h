// STF, the test files of the p4c project: packets that go in, packets expected to come out, and what the
// control plane does between them.
//
//   add t hdr.h.dst:0x0a00**** ingress.forward(port:2)   # TABLE [PRIORITY] KEY:VALUE... ACTION(NAME:VALUE,
//   ...) packet 0 0a000001 00 expect 2 0a000001 *0 $
//
// One statement a line; a keyword counts only as the first word of a line, in any case of letters; `#` begins
// a comment. Names are exact or a unique suffix; a part may stand in quotes. In a key's name `hdr$0` is
// `hdr[0]`, and a key `hdr.h.isValid()` is also `hdr.h`, `hdr.h.valid`, `hdr.h.$valid$` and `valid`. `*` is a
// digit of no importance: in an lpm key at the end, in a ternary or optional key where the kind can have it.
// An entry may have a name, `... = name`, by which `check_counter c($name)` speaks of its direct counter.
// A key that an entry does not give is 0 (exact) or matches anything. A larger priority wins; it is ignored
// where entries have none. Tested by tests/tables/stf_test.cpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tables/table_set.h"

namespace perfpact::tables::stf {

struct Packet {
  std::uint64_t port = 0;
  std::vector<std::uint8_t> bytes;
};
/// The next packet of a port begins with `digits`, hexadecimal in lower case or `*` for any; with `is_exact`
/// it ends there too.
struct Expect {
  std::uint64_t port = 0;
  std::string digits;
  bool is_exact = false;
};
/// The packet before leaves on no port.
struct ExpectNone {};

struct AddEntry {
  TableId table{};
  Entry entry;
};
struct SetDefault {
  TableId table{};
  ActionCall action;
};
/// Of all entries that were added.
struct RemoveAll {};
/// A clone session of one port, or of the replicas of a multicast group. Replaces an earlier one.
struct AddSession {
  std::uint64_t session = 0;
  std::uint64_t target = 0;
  bool is_group = false;
};
struct DeleteSession {
  std::uint64_t session = 0;
};
struct CreateGroup {
  std::uint64_t group = 0;
};
/// Nodes are numbered from 0.
struct CreateNode {
  std::uint64_t instance = 0;
  std::vector<std::uint64_t> ports;
};
struct UpdateNode {
  std::uint64_t node = 0;
  std::vector<std::uint64_t> ports;
};
struct AssociateNode {
  std::uint64_t group = 0;
  std::uint64_t node = 0;
};
using Control = std::variant<AddEntry, SetDefault, RemoveAll, AddSession, DeleteSession, CreateGroup,
                             CreateNode, UpdateNode, AssociateNode>;

/// A register or counter of the program, by name.
struct ObjectName {
  std::string text;
  Span span;
};
struct RegisterRead {
  ObjectName name;
  std::uint64_t index = 0;
};
struct RegisterWrite {
  ObjectName name;
  std::uint64_t index = 0;
  Integer value;
};
struct RegisterReset {
  ObjectName name;
};
struct CounterRead {
  ObjectName name;
  std::uint64_t index = 0;
};
/// Of a direct counter the index is the number of an entry: those of the program first, then the added ones
/// in order; `entry_of` is the table where the entry is named. The number of packets or bytes compared with
/// `value` by ==, !=, <, <=, >, >=; written without a comparison: no packet yet.
struct CheckCounter {
  ObjectName name;
  std::uint64_t index = 0;
  std::optional<TableId> entry_of;
  bool counts_bytes = false;
  std::string comparison;
  Integer value;
};

struct Statement {
  Span span;
  std::variant<Packet, Expect, ExpectNone, Control, RegisterRead, RegisterWrite, RegisterReset, CounterRead,
               CheckCounter>
      what;
};

/// The statements that do something, in order. Reports everything that is wrong with the file.
[[nodiscard]] Result<std::vector<Statement>> read(const std::string& path, const TableSet& tables,
                                                  Diagnostics& diagnostics);

/// What the control statements up to now have installed.
class Installed {
 public:
  explicit Installed(std::vector<TableSchema> schemas) : schemas_(std::move(schemas)) {}

  void apply(const Control& control, const Span& span, Diagnostics& diagnostics);
  /// All of it, finished; warnings come the first time only. A clone session of a group that does not exist
  /// has no replicas.
  [[nodiscard]] Result<TableSet> build(Diagnostics& diagnostics);

 private:
  struct Default {
    ActionCall action;
    Span span;
  };
  struct Group {
    ControlPlane::Group group;
    Span span;
    std::vector<std::uint64_t> nodes;
  };

  void apply(const AddEntry& add, const Span& span, Diagnostics& diagnostics);
  void apply(const SetDefault& set, const Span& span, Diagnostics& diagnostics);
  void apply(const RemoveAll& remove, const Span& span, Diagnostics& diagnostics);
  void apply(const AddSession& add, const Span& span, Diagnostics& diagnostics);
  void apply(const DeleteSession& remove, const Span& span, Diagnostics& diagnostics);
  void apply(const CreateGroup& create, const Span& span, Diagnostics& diagnostics);
  void apply(const CreateNode& create, const Span& span, Diagnostics& diagnostics);
  void apply(const UpdateNode& update, const Span& span, Diagnostics& diagnostics);
  void apply(const AssociateNode& associate, const Span& span, Diagnostics& diagnostics);

  std::vector<TableSchema> schemas_;
  bool has_warned_ = false;
  std::vector<AddEntry> entries_;
  std::vector<std::pair<TableId, Default>> defaults_;
  std::vector<AddSession> sessions_;
  std::vector<Group> groups_;
  std::vector<CreateNode> nodes_;
};

}  // namespace perfpact::tables::stf
