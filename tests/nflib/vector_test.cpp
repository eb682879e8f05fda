#include "nflib/vector.h"

#include <cstring>
#include <memory>

#include "model_test.h"

namespace perfpact::nflib {
namespace {

struct Destroy {
  void operator()(vector* vector) const { vector_destroy(vector); }
};
using Vector = std::unique_ptr<vector, Destroy>;

TEST(Vector, RefusesWhatIsEmptyOrTooLarge) {
  EXPECT_EQ(vector_create(0, 8), nullptr);
  EXPECT_EQ(vector_create(8, 0), nullptr);
  EXPECT_EQ(vector_create(2, SIZE_MAX / 2 + 1), nullptr);
  EXPECT_EQ(vector_create(1, SIZE_MAX), nullptr);
  EXPECT_EQ(vector_create(UINT32_MAX, size_t{1} << 33), nullptr);
  vector_destroy(nullptr);
}

TEST(Vector, HasNoElementOutside) {
  Vector vector(vector_create(3, 8));
  EXPECT_NE(vector_borrow(vector.get(), 2), nullptr);
  for (uint32_t index : {3u, 4u, UINT32_MAX}) EXPECT_EQ(vector_borrow(vector.get(), index), nullptr) << index;
}

TEST(Vector, AlignsElements) {
  for (size_t bytes : {8, 16, 24, 40}) {
    Vector vector(vector_create(5, bytes));
    for (uint32_t index = 0; index < 5; index++)
      EXPECT_EQ(reinterpret_cast<uintptr_t>(vector_borrow(vector.get(), index)) % 8, 0u)
          << bytes << " " << index;
  }
}

struct Operation {
  bool write;
  uint32_t index;
  unsigned char value;

  std::string text() const {
    return fmt::format("{} element {} value {}", write ? "write" : "read", index, value);
  }
};

constexpr uint32_t kCapacity = 17;
constexpr size_t kBytes = 5;

std::optional<std::string> disagreement(std::span<const Operation> operations) {
  Vector vector(vector_create(kCapacity, kBytes));
  std::array<unsigned char, kCapacity> model{};  // all bytes of an element are the same
  std::array<void*, kCapacity> places{};
  for (const auto& [write, index, value] : operations) {
    void* element = vector_borrow(vector.get(), index);
    if ((element != nullptr) != (index < kCapacity)) return "borrow differs";
    if (element == nullptr) continue;
    if (places[index] != nullptr && places[index] != element) return "an element moved";
    places[index] = element;
    std::array<unsigned char, kBytes> expected;
    expected.fill(model[index]);
    if (std::memcmp(element, expected.data(), kBytes) != 0) return "contents differ";
    if (!write) continue;
    std::memset(element, value, kBytes);
    model[index] = value;
  }
  return std::nullopt;
}

TEST(Vector, DoesWhatAnArrayDoes) {
  auto generate = [](Random& random) {
    return Operation{random.below(2) == 0, static_cast<uint32_t>(random.below(kCapacity + 2)),
                     static_cast<unsigned char>(random.bits())};
  };
  EXPECT_TRUE(agrees_with_model<Operation>({.sequences = 100, .operations = 10'000, .seed = 1}, generate,
                                           disagreement));
}

}  // namespace
}  // namespace perfpact::nflib
