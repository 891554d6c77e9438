#include <limber/material.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace limber {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::string refusal(const Material& material) {
    try {
        check(material);
        return {};
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::bad_material);
        return e.what();
    }
}

TEST(Material, EveryValueHasARange) {
    struct Case {
        double Material::*field;
        const char* name;
        std::vector<double> bad;
        std::vector<double> good;
    };
    const double nan = std::nan("");
    const std::vector<Case> cases{
        {&Material::young, "young", {0.0, -1.0, 1.1e15, kInf, nan}, {1e-3, 1e15}},
        {&Material::poisson, "poisson", {-1.0, 0.5, 0.6, -2.0, kInf, nan}, {-0.999, 0.0, 0.4999}},
        {&Material::density, "density", {0.0, -1.0, kInf, nan}, {1e-3, 2e4}},
        {&Material::rayleigh_alpha, "rayleigh_alpha", {-1e-9, kInf, nan}, {0.0, 10.0}},
        {&Material::rayleigh_beta, "rayleigh_beta", {-1e-9, kInf, nan}, {0.0, 10.0}},
    };
    for (const Case& c : cases) {
        for (const double value : c.bad) {
            Material m;
            m.name = "goo";
            m.*c.field = value;
            const std::string message = refusal(m);
            EXPECT_NE(message.find(c.name), std::string::npos) << c.name << " = " << value << ": " << message;
            EXPECT_NE(message.find("'goo'"), std::string::npos) << message;
        }
        for (const double value : c.good) {
            Material m;
            m.*c.field = value;
            EXPECT_EQ(refusal(m), "") << c.name << " = " << value;
        }
    }
}

TEST(Material, ModuliAreThoseOfTheTextbook) {
    // E = 2 G (1 + nu) = 3 kappa (1 - 2 nu) and lambda = kappa - 2 G / 3.
    Material m;
    m.young = 3.0;
    m.poisson = 0.25;
    EXPECT_DOUBLE_EQ(m.shear(), 1.2);
    EXPECT_DOUBLE_EQ(m.bulk(), 2.0);
    EXPECT_NEAR(m.lame_lambda(), m.bulk() - 2.0 * m.shear() / 3.0, 1e-15);
}

TEST(MaterialPresets, AreValidWithinTheirRangeAndSourced) {
    std::set<std::string> names;
    for (const MaterialPreset& preset : material_presets()) {
        const std::string& name = preset.material.name;
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_EQ(refusal(preset.material), "") << name;
        EXPECT_LE(preset.young_low, preset.material.young) << name;
        EXPECT_GE(preset.young_high, preset.material.young) << name;
        EXPECT_GT(std::string(preset.words).size(), 10u) << name;
        EXPECT_GT(std::string(preset.source).size(), 15u) << name;
        EXPECT_EQ(find_material_preset(name), &preset);
    }
    for (const char* name : {"fat", "muscle", "liver", "prostate", "breast", "skin", "brain", "cartilage", "kidney",
                             "jelly", "silicone", "silicone_firm", "rubber", "foam", "mp1", "mp2", "mp3"}) {
        EXPECT_EQ(names.count(name), 1u) << name;
    }
    EXPECT_EQ(find_material_preset("unobtainium"), nullptr);
}

TEST(MaterialPresets, ThePapersTablesAreCopiedRight) {
    // Every benchmark number rests on these fifteen.
    const auto is = [](const char* name, double young, double poisson, double density) {
        const Material& m = find_material_preset(name)->material;
        EXPECT_EQ(m.young, young) << name;
        EXPECT_EQ(m.poisson, poisson) << name;
        EXPECT_EQ(m.density, density) << name;
        EXPECT_EQ(m.rayleigh_alpha, 1.0) << name;
        EXPECT_EQ(m.rayleigh_beta, 0.1) << name;
    };
    is("mp1", 200, 0.47, 2000);
    is("mp2", 60000, 0.495, 1140);
    is("mp3", 7000, 0.2, 10000);
}

}  // namespace
}  // namespace limber
