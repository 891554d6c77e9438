// Lists of terms: where each one's memory lies, and the blocks of a pattern.
#include "fem/term.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

class Sized final : public Term {
public:
    Sized(std::size_t reals, std::size_t marks, std::size_t scratch, const Term* owner = nullptr)
        : reals_(reals), marks_(marks), scratch_(scratch), owner_(owner) {}
    const char* name() const override { return "sized"; }
    std::size_t state_reals() const override { return reals_; }
    std::size_t state_marks() const override { return marks_; }
    std::size_t scratch_size() const override { return scratch_; }
    const Term* memory_of() const override { return owner_; }
    TermValue value(const TermStep& step) const noexcept override {
        return step.moves ? TermValue::quadratic : TermValue::idle;
    }
    void add(const TermStep&, const TermPoint&, const TermMatrix&, TermMemory, TermSum&) const noexcept override {}

private:
    std::size_t reals_, marks_, scratch_;
    const Term* owner_;
};

TEST(TermList, EachTermHasMemoryOfItsOwnButForThoseThatShare) {
    std::vector<std::unique_ptr<const Term>> terms;
    terms.push_back(std::make_unique<Sized>(3, 1, 5));
    terms.push_back(std::make_unique<Sized>(99, 99, 99, terms[0].get()));  // works in the first one's
    terms.push_back(std::make_unique<Sized>(2, 4, 7));
    const TermList list(std::move(terms), 10);
    EXPECT_EQ(list.state_reals(), 5u);
    EXPECT_EQ(list.state_marks(), 5u);
    EXPECT_EQ(list.scratch_size(), 5u + 7u + 2 * 10u);
    std::vector<double> state(5), scratch(list.scratch_size());
    std::vector<std::int32_t> marks(5);
    const TermList::Storage all{state.data(), marks.data(), scratch.data()};
    EXPECT_EQ(list.memory(0, all).state, state.data());
    EXPECT_EQ(list.memory(1, all).state, state.data());
    EXPECT_EQ(list.memory(1, all).scratch, scratch.data());
    EXPECT_EQ(list.memory(2, all).state, state.data() + 3);
    EXPECT_EQ(list.memory(2, all).marks, marks.data() + 1);
    EXPECT_EQ(list.memory(2, all).scratch, scratch.data() + 5);
    EXPECT_EQ(list.memory(0, all).spare, scratch.data() + 12);
    EXPECT_EQ(list.memory(2, all).spare, scratch.data() + 12);
}

TEST(TermList, CountsHowTermsAreJudged) {
    std::vector<std::unique_ptr<const Term>> terms;
    terms.push_back(std::make_unique<Sized>(0, 0, 0));
    terms.push_back(std::make_unique<Sized>(0, 0, 0));
    const TermList list(std::move(terms), 1);
    EXPECT_EQ(list.count_of({.moves = true}, TermValue::quadratic), 2u);
    EXPECT_EQ(list.count_of({.moves = false}, TermValue::quadratic), 0u);
    EXPECT_TRUE(list.any({.moves = false}, TermValue::idle));
}

TEST(TermMatrix, FindsTheBlockOfAPair) {
    BlockCsr pattern;
    pattern.block = 2;
    pattern.starts = {0, 2, 3, 5};
    pattern.columns = {0, 2, 1, 0, 2};
    std::vector<double> values(5 * 4);
    const TermMatrix m{values.data(), &pattern};
    EXPECT_EQ(m.block(0, 0), values.data());
    EXPECT_EQ(m.block(0, 2), values.data() + 4);
    EXPECT_EQ(m.block(2, 0), values.data() + 12);
    EXPECT_EQ(m.block(2, 2), values.data() + 16);
}

}  // namespace
}  // namespace limber
