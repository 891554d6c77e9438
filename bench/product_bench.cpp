// Matrix products and single panels: the leaf loops, beside the scalar code anyone would write first.
#include "bench.hpp"
#include "yardstick.hpp"

#include "core/text.hpp"
#include "fem/assembly.hpp"
#include "kernels/isa.hpp"
#include "kernels/panel.hpp"
#include "linalg/aligned.hpp"
#include "linalg/sparse.hpp"
#include "linalg/test_matrices.hpp"

#include <memory>

namespace limber::bench {
namespace {

struct Product {
    BlockCsr blocks;
    Csr scalars;
    std::vector<double> x, y;
};

Work product_work(BlockCsr matrix, Isa isa) {
    auto p = std::make_shared<Product>();
    p->blocks = std::move(matrix);
    p->scalars = compress(p->blocks, testing::all_unknowns(p->blocks));
    p->x = testing::random_vector(p->blocks.size(), 3);
    p->y.resize(p->x.size());
    Work w;
    w.subject = [p, isa] {
        set_kernel_choice(isa);
        multiply(p->blocks, p->x.data(), p->y.data());
        set_kernel_choice(best_isa());
    };
    w.against = "matrix read once";
    w.bytes = 8 * p->blocks.values.size() + 4 * p->blocks.columns.size();
    w.flops = 2.0 * static_cast<double>(p->blocks.values.size());
    w.baseline = [p] { multiply(p->scalars, p->x.data(), p->y.data()); };
    w.baseline_name = "scalar CSR";
    return w;
}

BlockCsr plane_stiffness(int cells) {
    BodyDescription d;
    d.mesh = make_grid(CellKind::quad4, cells, cells, {0, 0, 0}, {1, 1, 0});
    d.materials = {{"", {"soft", 1e4, 0.3, 1000.0, 0.0, 0.0}}};
    Progress silent;
    return assemble(*Body::make(d), {}, silent).stiffness;
}

// A forward and a backward sweep with one panel, and the same with plain columns.
struct Panel {
    static constexpr std::size_t kRows = 448;
    AlignedArray values{panel_size<double>(kPanelWidth, kRows)};
    std::vector<std::int32_t> index;
    AlignedArray own{kPanelWidth}, x{kPanelWidth + kRows};

    Panel() {
        for (std::size_t i = 0; i < values.size(); ++i) values.data()[i] = 1e-3 * static_cast<double>(i % 11);
        for (std::size_t i = 0; i < kRows; ++i) index.push_back(static_cast<std::int32_t>(i));
    }
    void reset() {
        for (std::size_t i = 0; i < own.size(); ++i) own.data()[i] = 1.0;
        for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = 1.0;
    }
    void ours(Isa isa) {
        const PanelArgs args{values.data(), kPanelWidth, kRows, index.data(), own.data(), x.data()};
        reset();
        (isa >= Isa::avx512 ? panel_forward_avx512
         : isa >= Isa::avx2 ? panel_forward_avx2
                            : panel_forward_baseline)(args);
        (isa >= Isa::avx512 ? panel_backward_avx512
         : isa >= Isa::avx2 ? panel_backward_avx2
                            : panel_backward_baseline)(args);
        keep(own.data()[0]);
    }
    void plain() {
        constexpr std::size_t height = kPanelWidth + kRows;
        reset();
        for (std::size_t c = 0; c < kPanelWidth; ++c) {
            const double* column = values.data() + (c * height) % (values.size() - height);
            const double v = own.data()[c] *= 0.5;
            for (std::size_t r = c + 1; r < kPanelWidth; ++r) own.data()[r] -= column[r] * v;
            for (std::size_t r = 0; r < kRows; ++r)
                x.data()[static_cast<std::size_t>(index[r])] -= column[kPanelWidth + r] * v;
        }
        for (std::size_t c = kPanelWidth; c-- > 0;) {
            const double* column = values.data() + (c * height) % (values.size() - height);
            double sum = own.data()[c];
            for (std::size_t r = c + 1; r < kPanelWidth; ++r) sum -= column[r] * own.data()[r];
            for (std::size_t r = 0; r < kRows; ++r)
                sum -= column[kPanelWidth + r] * x.data()[static_cast<std::size_t>(index[r])];
            own.data()[c] = 0.5 * sum;
        }
        keep(own.data()[0]);
    }
};

Work panel_work(Isa isa) {
    constexpr int kTimes = 50;  // one takes microseconds
    auto p = std::make_shared<Panel>();
    Work w;
    w.subject = [p, isa] {
        for (int i = 0; i < kTimes; ++i) p->ours(isa);
    };
    w.against = "panel read twice";
    w.bytes = 8 * p->values.size();
    w.passes = 2.0 * kTimes;
    w.flops = 4.0 * kTimes * static_cast<double>(p->values.size());
    w.baseline = [p] {
        for (int i = 0; i < kTimes; ++i) p->plain();
    };
    w.baseline_name = "plain columns";
    w.units = kTimes;
    return w;
}

}  // namespace

void add_product_cases(Cases& cases, const Settings& settings) {
    const std::size_t n = settings.quick ? 9 : 17;
    const int plane = settings.quick ? 60 : 200;
    const std::string cube = text("cube_", n);
    cases.push_back(
        {"product3/" + cube, [n] { return product_work(testing::tet_box(n, n, n).stiffness, best_isa()); }});
    cases.push_back(
        {"product3_sse2/" + cube, [n] { return product_work(testing::tet_box(n, n, n).stiffness, Isa::baseline); }});
    cases.push_back(
        {text("product2/plane_", plane), [plane] { return product_work(plane_stiffness(plane), best_isa()); }});
    cases.push_back({"panel/64x448", [] { return panel_work(kernel_choice()); }});
    cases.push_back({"panel_sse2/64x448", [] { return panel_work(Isa::baseline); }});
}

}  // namespace limber::bench
