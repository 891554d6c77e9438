#include "playback/stress_fields.hpp"

#include "fem/stress.hpp"

namespace limber {

SymMat3 turned_to_file(const FileAxes& axes, const SymMat3& s) {
    // T' = R T R^T: the columns of R T, then the same once more by its rows.
    const Vec3 rows[3] = {axes.turned_to_file({s.xx, s.xy, s.zx}), axes.turned_to_file({s.xy, s.yy, s.yz}),
                          axes.turned_to_file({s.zx, s.yz, s.zz})};
    Vec3 out[3];
    for (int j = 0; j < 3; ++j) out[j] = axes.turned_to_file({rows[0][j], rows[1][j], rows[2][j]});
    return {out[0].x, out[1].y, out[2].z, out[1].x, out[2].y, out[2].x};
}

std::vector<VtuField> stress_fields(std::span<const SymMat3> stress, const FileAxes& axes) {
    std::vector<VtuField> out{{"stress", true, 6, {}}, {"von_mises", true, 1, {}}, {"principal", true, 3, {}}};
    for (const SymMat3& here : stress) {
        const SymMat3 s = turned_to_file(axes, here);
        out[0].values.insert(out[0].values.end(), {s.xx, s.yy, s.zz, s.xy, s.yz, s.zx});
        out[1].values.push_back(von_mises(s));
        const std::array<double, 3> p = principal_stresses(s);
        out[2].values.insert(out[2].values.end(), p.begin(), p.end());
    }
    return out;
}

}  // namespace limber
