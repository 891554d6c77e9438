#include "deform/deformer_file.hpp"

#include "deform/still_method.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

const Method* find_still(const std::string& name) {
    static const StillMethod still;
    return name == "still" ? &still : nullptr;
}

std::vector<std::uint8_t> saved() {
    Progress quiet;
    return save_deformer(*StillMethod().prepare(still_body(), {}, quiet));
}

std::string refusal(std::span<const std::uint8_t> bytes, const std::shared_ptr<const Body>& body = still_body(),
                    const MethodFinder& find = find_still) {
    try {
        load_deformer(body, bytes, {"jelly.deformer", 0, ""}, find);
        return {};
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::bad_data) << e.what();
        EXPECT_EQ(std::string(e.what()).rfind("jelly.deformer: ", 0), 0u) << e.what();
        return e.what();
    }
}

TEST(DeformerFile, ComesBackAsItWent) {
    const std::vector<std::uint8_t> bytes = saved();
    const auto loaded = load_deformer(still_body(), bytes, {}, find_still);
    EXPECT_EQ(dynamic_cast<const StillDeformer&>(*loaded).number(), 42.5);
    EXPECT_EQ(save_deformer(*loaded), bytes);
    EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 8), std::string("limberD\0", 8));
}

TEST(DeformerFile, CutShortOrLengthenedIsRefused) {
    std::vector<std::uint8_t> bytes = saved();
    for (std::size_t n = 0; n < bytes.size(); ++n)
        EXPECT_NE(refusal(std::span<const std::uint8_t>(bytes).first(n)), "") << n;
    bytes.push_back(0);
    EXPECT_NE(refusal(bytes).find("cut or glued"), std::string::npos);
}

TEST(DeformerFile, EveryFlippedBitIsSeen) {
    // Header and payload alike: a wrong body hash or name must not slip through as another fault's luck.
    const std::vector<std::uint8_t> bytes = saved();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            std::vector<std::uint8_t> damaged = bytes;
            damaged[i] = static_cast<std::uint8_t>(damaged[i] ^ (1u << bit));
            EXPECT_NE(refusal(damaged), "") << "byte " << i << " bit " << bit;
        }
    }
}

TEST(DeformerFile, NamesTheReason) {
    std::vector<std::uint8_t> bytes = saved();
    EXPECT_NE(refusal(bytes, still_body(CellKind::quad4)).find("another body"), std::string::npos);
    EXPECT_NE(refusal(bytes, still_body(), [](const std::string&) -> const Method* { return nullptr; }).find("'still'"),
              std::string::npos);
    bytes[8] = 2;
    EXPECT_NE(refusal(bytes).find("format 2"), std::string::npos);
    bytes[0] = 'L';
    EXPECT_NE(refusal(bytes).find("not a saved deformer"), std::string::npos);
}

TEST(DeformerFile, AMethodThatReadsTooLittleIsCaught) {
    class Lazy : public StillMethod {
        std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader&) const override {
            return std::make_unique<StillDeformer>(std::move(body), 0.0);
        }
    };
    static const Lazy lazy;
    EXPECT_NE(refusal(saved(), still_body(), [](const std::string&) -> const Method* { return &lazy; })
                  .find("8 bytes left over"),
              std::string::npos);
}

}  // namespace
}  // namespace limber
