// Contract packs: what the methods of a library of structures do to the abstract state of a structure (their
// symbolic models), and what they cost (their contracts), one file a library (docs/formats.md, "Native
// programs").
//
//   Result<Pack> pack = Pack::load("nflib.yaml", diagnostics);
//   pack->methods[0].outcomes[1].costs["instructions"].formula
//
// The symbolic part is written by hand, once a library; costs are derived from a binary. A method without
// costs can be cut out all the same: what it costs is then a name in the formulas of paths.
// Tested by tests/library.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formula/formula.h"
#include "library/condition.h"

namespace perfpact::library {

inline constexpr std::string_view kInstructions = "instructions", kLoads = "loads", kStores = "stores";
inline constexpr std::array kMetrics{kInstructions, kLoads, kStores};

struct Pcv {
  std::string name;
  std::optional<Term> value;  // where the arguments tell it
  std::uint64_t low = 0;
  std::optional<std::uint64_t> high;
};

struct Cost {
  enum class Quality : std::uint8_t { Exact, Bounded };
  formula::Formula formula;
  Quality quality{};
  std::optional<Rational> over_at_most;  // of Bounded: largest over-estimation seen
  std::optional<Rational> over_mean;
};

/// What a method gives back in rax.
struct Returned {
  enum class Kind : std::uint8_t { Unknown, Term, Number, Object };
  Kind kind = Kind::Unknown;  // Object: a pointer to the outcome's object
  Term term;                  // Term
  std::uint32_t bytes = 8;    // Number: the others are zero
  Condition assume;           // Number, as `value`
};

/// Memory of its own that an outcome gives a pointer to.
struct Object {
  std::string name;
  Term size;                   // bytes, a Number, an Argument or a Field
  std::vector<Term> same_for;  // the same for the same of these
  bool is_fresh = false;       // another one for every call
};

/// What a method writes through a pointer.
struct Write {
  std::uint32_t argument = 0;
  std::uint32_t offset = 0;  // bytes behind where the pointer points
  std::uint32_t bytes = 0;
  std::optional<Term> is;
  bool is_object = false;  // a pointer to the outcome's object
  Condition assume;        // as `value`
  Span at;
};

struct Outcome {
  std::string name;
  Condition requires_state;
  Returned returned;
  std::vector<Write> writes;
  std::optional<Object> object;      // one at most, returned or written
  Condition leaves;                  // Holds and Equal only
  std::vector<std::string> forgets;  // functions of the abstract state that may be anything afterwards
  std::vector<Pcv> pcvs;
  std::map<std::string, Cost, std::less<>> costs;  // by metric
  Span at;
};

/// What is said of a place in the code, `symbol+0x40`: a PCV that counts there, a function that is called
/// there.
struct Place {
  std::string place;
  std::string name;
  Span at;
};

/// What a function of the C library does to memory, by the prototype that C11 (7.24) or POSIX gives it.
enum class MemoryFunction : std::uint8_t {
  Copy,            // memcpy, memmove
  Fill,            // memset
  Compare,         // memcmp
  CompareStrings,  // strcmp; strncmp, where `bounded` is said
  Length           // strlen; strnlen
};

struct Method {
  /// A symbol, `symbol+0x10`, or `*symbol+0x10`: the function that a pointer there points to.
  std::string function;
  std::string name;
  std::optional<std::uint32_t> structure;  // the argument that is the handle
  std::map<std::uint32_t, std::uint32_t>
      reads;  // arguments that are pointers: what counts is so many bytes there
  struct Field {
    std::uint32_t offset = 0, bytes = 0;
  };
  std::map<std::uint32_t, std::uint32_t> widths;     // bytes of arguments that do not fill their register
  std::map<std::string, Field, std::less<>> fields;  // of the structure: numbers that stay as they are
  /// What it does to memory; it has one outcome then, which says nothing but PCV `n` and costs.
  std::optional<MemoryFunction> memory;
  bool is_bounded = false;  // of strings: the last argument says how many bytes they have at most
  std::vector<Outcome> outcomes;
  std::string code_sha256;  // of the code that the costs were derived from; empty where they were not
  // For derivation:
  std::vector<Place> loops;      // PCVs where the code has no marks
  std::vector<Place> callbacks;  // what indirect calls call
  Span at;
};

struct Pack {
  std::string library;
  std::string path;
  /// Of which binary the costs are: as derived. Empty where nothing was derived.
  std::map<std::string, std::string, std::less<>> binary;
  std::vector<Method> methods;
  bool is_shipped = false;  // it comes with perfpact: nobody expects all of it to be called

  /// Functions of the C library.
  [[nodiscard]] static Pack c_library(Diagnostics& diagnostics);
  [[nodiscard]] static Result<Pack> load(const std::string& path, Diagnostics& diagnostics);
  /// Methods whose costs are to be derived (`schema: perfpact.methods/1`), or a pack, whose costs are of no
  /// interest then.
  [[nodiscard]] static Result<Pack> load_methods(const std::string& path, Diagnostics& diagnostics);
};

}  // namespace perfpact::library
