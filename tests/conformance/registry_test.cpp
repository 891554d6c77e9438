// The method table; tested here because it stands above all methods.
#include "conformance/truss.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

namespace limber {
namespace {

class Named : public testing::Truss {
public:
    explicit Named(std::string name) : name_(std::move(name)) {}
    const char* name() const override { return name_.c_str(); }

private:
    std::string name_;
};

std::string message_of(const std::function<void()>& f) {
    try {
        f();
        return {};
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::bad_usage);
        return e.what();
    }
}

TEST(Registry, BuiltInMethodsComeFirst) {
    // A static library may drop a file that nobody names: then the list would be empty.
    const std::vector<const Method*> all = all_methods();
    ASSERT_FALSE(all.empty());
    EXPECT_STREQ(all[0]->name(), "linear_fem");
    EXPECT_EQ(find_method("linear_fem"), all[0]);
    EXPECT_EQ(find_method("no such method"), nullptr);
}

TEST(Registry, SuggestsTheRightSpelling) {
    EXPECT_EQ(&require_method("linear_fem"), find_method("linear_fem"));
    const std::string message = message_of([] { require_method("linear-fem", {"scene.json", 0, "/bodies/0/method"}); });
    EXPECT_EQ(message.rfind("scene.json#/bodies/0/method: there is no method 'linear-fem'", 0), 0u) << message;
    EXPECT_NE(message.find("did you mean 'linear_fem'?"), std::string::npos) << message;
}

TEST(Registry, TakesOutsideMethodsInOrderAndOnce) {
    const std::size_t before = all_methods().size();
    register_method(std::make_unique<Named>("registry_test_b"));
    register_method(std::make_unique<Named>("registry_test_a"));
    const std::vector<const Method*> all = all_methods();
    ASSERT_EQ(all.size(), before + 2);
    EXPECT_STREQ(all[before]->name(), "registry_test_b");
    EXPECT_STREQ(all[before + 1]->name(), "registry_test_a");
    EXPECT_NE(message_of([] { register_method(std::make_unique<Named>("linear_fem")); }).find("already"),
              std::string::npos);
    EXPECT_NE(message_of([] { register_method(std::make_unique<Named>("")); }).find("without a name"),
              std::string::npos);
    EXPECT_NE(message_of([] { register_method(nullptr); }), "");
    EXPECT_EQ(all_methods().size(), before + 2);
}

TEST(Registry, MayBeAskedAndExtendedFromManyThreads) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([t] {
            for (int i = 0; i < 50; ++i) {
                register_method(std::make_unique<Named>("registry_race_" + std::to_string(100 * t + i)));
                (void)find_method("linear_fem");
            }
        });
    }
    for (std::thread& t : threads) t.join();
    for (int t = 0; t < 4; ++t)
        for (int i = 0; i < 50; ++i) EXPECT_NE(find_method("registry_race_" + std::to_string(100 * t + i)), nullptr);
}

TEST(Registry, SavedDeformersFindTheirMethod) {
    register_method(std::make_unique<testing::Truss>());
    BodyDescription d;
    d.mesh = make_grid(CellKind::quad4, 2, 1, {0, 0, 0}, {2, 1, 0});
    d.materials = {{"", Material{}}};
    const auto body = Body::make(d);
    Progress quiet;
    const auto deformer = require_method("truss").prepare(body, {}, quiet);
    const auto loaded = load_deformer(body, save_deformer(*deformer));
    EXPECT_STREQ(loaded->method_name(), "truss");
    EXPECT_EQ(loaded->prepared_step(), deformer->prepared_step());
}

}  // namespace
}  // namespace limber
