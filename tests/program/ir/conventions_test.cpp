#include "program/ir/conventions.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <set>

namespace perfpact::program::ir {
namespace {

TEST(ConventionsTest, NamesAreFoundAgain) {
  llvm::LLVMContext context;
  std::set<std::string> names;
  for (std::size_t i = 0; i < kIntrinsics; ++i) {
    const IntrinsicId id{static_cast<Intrinsic>(i), 48, EventKind::TableApply};
    const auto found = find_intrinsic(name(id));
    ASSERT_TRUE(found) << name(id);
    EXPECT_EQ(found->intrinsic, id.intrinsic) << name(id);
    EXPECT_EQ(type(*found, context), type(id, context)) << name(id);
    EXPECT_TRUE(names.insert(name(id)).second) << name(id);
  }
  EXPECT_EQ(name({Intrinsic::PacketEmit, 48, {}}), "perfpact.packet.emit.48");
  EXPECT_EQ(name({Intrinsic::Event, 0, EventKind::TableApply}), "perfpact.event.table.apply");
}

TEST(ConventionsTest, OtherNamesAreNotFound) {
  for (std::string_view other : {"memcpy", "perfpact.", "perfpact.event.nothing", "perfpact.packet.emit",
                                 "perfpact.packet.emit.", "perfpact.packet.emit.4x", "perfpact.commit"})
    EXPECT_FALSE(find_intrinsic(other)) << other;
}

struct VerifyDeathTest : testing::Test {
  llvm::LLVMContext context;
  void verify_text(const std::string& body) {
    llvm::SMDiagnostic error;
    const auto module = llvm::parseAssemblyString(
        "declare void @perfpact.decide(ptr, i32, i64)\ndeclare void @perfpact.send(ptr, i32)\n"
        "declare void @other(ptr)\ndefine void @perfpact.pass.0.main(ptr %machine, i32 %x) {\n" +
            body + "\n  ret void\n}\nattributes #0 = { nomerge }\n",
        error, context);
    ASSERT_TRUE(module) << error.getMessage().str();
    verify(*module);
  }
};

TEST_F(VerifyDeathTest, WhatKeepsToTheConventions) {
  verify_text("call void @perfpact.decide(ptr %machine, i32 3, i64 1) #0");
}

TEST_F(VerifyDeathTest, AnEventThatCouldBeMerged) {
  EXPECT_DEATH(verify_text("call void @perfpact.decide(ptr %machine, i32 3, i64 1)"), "no 'nomerge'");
}

TEST_F(VerifyDeathTest, AnIdThatIsNoConstant) {
  EXPECT_DEATH(verify_text("call void @perfpact.decide(ptr %machine, i32 %x, i64 1) #0"), "no constant");
}

TEST_F(VerifyDeathTest, AWrongSignature) {
  EXPECT_DEATH(verify_text("call void @perfpact.send(ptr %machine, i32 1)"), "wrong signature");
}

TEST_F(VerifyDeathTest, AnUnknownFunction) {
  EXPECT_DEATH(verify_text("call void @other(ptr %machine)"), "not in the conventions");
}

TEST_F(VerifyDeathTest, AnotherMachine) {
  EXPECT_DEATH(verify_text("call void @perfpact.decide(ptr null, i32 3, i64 1) #0"), "not handed on");
}

}  // namespace
}  // namespace perfpact::program::ir
