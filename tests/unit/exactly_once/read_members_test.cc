#include "exactly_once/read_members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "exactly_once/change_member.h"
#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"

namespace shardline::read_members_test {
namespace {

using nlohmann::json;

class ReadMembersTest : public ::testing::Test {
 protected:
  void Change(bool is_in, const std::string& path, const std::string& key) {
    OperationDriver driver(ChangeMember::Start(context_, MakeCounter(path, Preset("web-sample"), 3),
                                               MemberWish{is_in}, key));
    driver.Serve(std::ref(server_)).Run().result();
  }
  static std::string NameOf(const std::string& path, const std::string& key) {
    return MemberName(*MakeCounter(path), key);
  }
  std::unique_ptr<OperationDriver> Ask(std::vector<std::string> names) {
    std::unique_ptr<Operation> operation =
        std::make_unique<ReadMembers>(context_, std::move(names));
    auto driver = std::make_unique<OperationDriver>(std::move(operation));
    driver->Serve(std::ref(server_));
    return driver;
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(ReadMembersTest, OneRequestForAll) {
  std::vector<std::string> names;
  json expected = json::array();
  for (int i = 0; i < 50; ++i) {
    const std::string path = "posts/p" + std::to_string(i);
    if (i % 3 > 0) Change(true, path, "u1");
    if (i % 3 > 1) Change(false, path, "u1");
    names.push_back(NameOf(path, "u1"));
    expected.push_back(i % 3 == 1);
  }
  const auto driver = Ask(names);
  EXPECT_EQ(driver->Run().result(), json({{"members", expected}}));
  EXPECT_EQ(driver->verbs(), "batchGet");
  EXPECT_EQ(driver->operation().billed(), (Billed{.reads = 50}));
}

TEST_F(ReadMembersTest, NoneOrTheSameTwice) {
  EXPECT_EQ(Ask({})->Run().result(), json({{"members", json::array()}}));
  Change(true, "posts/p1", "u1");
  const std::string name = NameOf("posts/p1", "u1");
  EXPECT_EQ(Ask({name, NameOf("posts/p1", "u2"), name})->Run().result()["members"],
            json::array({true, false, true}));
}

// A request holds 10 MiB.
TEST_F(ReadMembersTest, DividesWhatIsTooLarge) {
  std::vector<std::string> names;
  for (int i = 0; i < 2'000; ++i) {
    names.push_back(NameOf("posts/p1", std::to_string(i) + std::string(1'400, 'k')));
  }
  Change(true, "posts/p1", "1999" + std::string(1'400, 'k'));
  const auto driver = Ask(names);
  json expected(std::vector<bool>(2'000));
  expected[1'999] = true;
  EXPECT_EQ(driver->Run().result()["members"], expected);
  EXPECT_EQ(driver->verbs(), "batchGet batchGet");
}

TEST_F(ReadMembersTest, AnswersThatSayNothing) {
  const std::string a = NameOf("posts/p1", "a");
  for (const Reply& reply : {Ok(json::array()), MissingDocument("posts/p1"), OkText("[{")}) {
    const auto driver = Ask({a});
    driver->Script({reply});
    EXPECT_EQ(driver->Run().result()["members"], json::array({false})) << "it is asked again";
    EXPECT_EQ(driver->verbs(), "batchGet batchGet");
  }
  const auto denied = Ask({a});
  denied->Script({Refusal("PERMISSION_DENIED")});
  EXPECT_EQ(denied->Run().error().code, Code::kPermissionDenied);
}

}  // namespace
}  // namespace shardline::read_members_test
