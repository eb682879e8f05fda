#include "program/event.h"

#include <gtest/gtest.h>

#include <set>

namespace perfpact::program {
namespace {

const EventSite kApply{EventKind::TableApply, {FileId{1}, {3, 1}, {3, 9}}, {"ingress.ipv4_fib", "ternary"}};

TEST(EventSchema, NamesFindTheirKind) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kEventKinds; ++i) {
    const auto kind = static_cast<EventKind>(i);
    EXPECT_EQ(find_event_kind(schema(kind).name), kind);
    names.insert(schema(kind).name);
  }
  EXPECT_EQ(names.size(), kEventKinds);
  EXPECT_EQ(schema(EventKind::Start).name, "start");
  EXPECT_EQ(schema(EventKind::RegisterWrite).name, "register.write");
  EXPECT_EQ(schema(EventKind::Drop).name, "drop");
  EXPECT_FALSE(find_event_kind("table.aply"));
  EXPECT_FALSE(find_event_kind(""));
}

TEST(EventSchema, FixedTexts) {
  EXPECT_EQ(possible_texts(EventKind::TableApply, "kind").size(), 7U);
  EXPECT_EQ(possible_texts(EventKind::Start, "pass").front(), "normal");
  EXPECT_TRUE(possible_texts(EventKind::TableApply, "table").empty());
  EXPECT_TRUE(possible_texts(EventKind::Clone, "kind").empty());
}

TEST(Event, AttributesByName) {
  const Event event{&kApply, {1, 44, 1, 1, 0}};
  EXPECT_EQ(event.number("entries"), 1);
  EXPECT_EQ(event.number("key_bits"), 44);
  EXPECT_EQ(event.number("hit"), 1);
  EXPECT_EQ(event.number("visited"), 1);
  EXPECT_EQ(event.number("prefix_length"), 0);
  EXPECT_FALSE(event.number("table"));
  EXPECT_FALSE(event.number(""));
  EXPECT_EQ(event.text("table"), "ingress.ipv4_fib");
  EXPECT_EQ(event.text("kind"), "ternary");
  EXPECT_FALSE(event.text("hit"));
  EXPECT_FALSE(event.text(""));
}

TEST(Event, EqualWhenKindPlaceTextsAndNumbersAre) {
  const EventSite copy = kApply;
  EventSite elsewhere = kApply;
  elsewhere.at.begin.line = 4;
  EventSite other_table = kApply;
  other_table.texts[0] = "ingress.bd";
  const Event event{&kApply, {1, 44, 1, 1, 0}};
  EXPECT_TRUE(event == (Event{&copy, {1, 44, 1, 1, 0}}));
  EXPECT_FALSE(event == (Event{&copy, {1, 44, 1, 2, 0}}));
  EXPECT_FALSE(event == (Event{&elsewhere, {1, 44, 1, 1, 0}}));
  EXPECT_FALSE(event == (Event{&other_table, {1, 44, 1, 1, 0}}));
}

TEST(Event, Describe) {
  const EventSite assign{EventKind::Assign, {}, {}};
  const EventSite clone{EventKind::Clone, {}, {}};
  const EventSite start{EventKind::Start, {}, {"normal"}};
  EXPECT_EQ(
      describe({&kApply, {1, 44, 1, 1, 0}}),
      "table.apply(ingress.ipv4_fib, ternary; entries 1, key_bits 44, hit 1, visited 1, prefix_length 0)");
  EXPECT_EQ(describe({&assign, {8}}), "assign(bits 8)");
  EXPECT_EQ(describe({&clone, {}}), "clone");
  EXPECT_EQ(describe({&start, {}}), "start(normal)");
}

}  // namespace
}  // namespace perfpact::program
