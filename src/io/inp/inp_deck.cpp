#include "io/inp/inp_deck.hpp"

#include "core/text.hpp"
#include "io/files/written_by.hpp"
#include "io/inp/inp.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {

namespace {
class InpDeck {
public:
    InpDeck(const Body& body, const InpLoads& loads, const FileAxes& axes, const std::string& about,
            const std::string& path)
        : body_(body),
          loads_(loads),
          axes_(axes),
          length_(metres_in(axes.unit())),
          about_(about),
          path_(path),
          mesh_(body.mesh()) {
        for (Vec3& p : mesh_.vertices) p = axes.to_file(p);
    }

    std::string write() {
        const bool planar = mesh_.dimension() == 2;
        if (planar && body_.plane() == Plane::stress) {
            throw Error(Fault::unsupported, {path_, 0, {}}, "not written: a body in plane stress",
                        "plane strain or a solid");
        }
        if (planar && axes_.up() == UpAxis::z) {
            throw Error(Fault::unsupported, {path_, 0, {}}, "not written: a planar body with z up",
                        "y up: plane cells lie in x and y");
        }
        name_sets();
        std::string out = text("** ", written_by(text(about_, "; ", to_string(axes_))), "\n",
                               format_inp(mesh_, path_, body_.plane(), axes_.unit()));
        if (axes_.unit() != LengthUnit::m) {
            out += text("** newtons, seconds and ", to_string(axes_.unit()), ": moduli in N/", to_string(axes_.unit()),
                        "^2, densities in N s^2/", to_string(axes_.unit()), "^4\n");
        }
        out += text("*NSET, NSET=LIMBER_ALL_VERTICES, GENERATE\n1, ", mesh_.vertices.size(), ", 1\n");
        put_materials(out, planar);
        if (loads_.modes > 0) {
            put_supports(out);
            out += text("*STEP\n*FREQUENCY\n", loads_.modes, "\n*NODE FILE\nU\n*END STEP\n");
            return out;
        }
        out += "*STEP\n*STATIC\n";
        put_supports(out);
        put_loads(out);
        out += "*NODE PRINT, NSET=LIMBER_ALL_VERTICES\nU\n*NODE FILE\nU\n*END STEP\n";
        return out;
    }

private:
    void name_sets() {
        for (std::size_t m = 0; m < body_.materials().size(); ++m) {
            IndexSet cells;
            for (std::size_t c = 0; c < mesh_.cell_count(); ++c) {
                if (static_cast<std::size_t>(body_.material_index(c)) == m)
                    cells.push_back(static_cast<std::int32_t>(c));
            }
            mesh_.cell_sets[text("LIMBER_MATERIAL_", m)] = std::move(cells);
        }
        for (std::size_t a = 0; a < body_.anchors().size(); ++a)
            mesh_.vertex_sets[text("LIMBER_ANCHOR_", a)] = body_.anchors()[a].vertices;
    }

    void put_materials(std::string& out, bool planar) const {
        for (std::size_t m = 0; m < body_.materials().size(); ++m) {
            const Material& material = body_.materials()[m];
            if (mesh_.cell_sets.at(text("LIMBER_MATERIAL_", m)).empty()) continue;
            out += text("*MATERIAL, NAME=LIMBER_MATERIAL_", m, "\n*ELASTIC\n",
                        inp_number(material.young * length_ * length_), ", ", inp_number(material.poisson),
                        "\n*DENSITY\n", inp_number(material.density * length_ * length_ * length_ * length_), "\n");
            out += text("*SOLID SECTION, ELSET=LIMBER_MATERIAL_", m, ", MATERIAL=LIMBER_MATERIAL_", m, "\n",
                        planar ? inp_number(body_.thickness() / length_) + "\n" : "");
        }
    }

    void put_supports(std::string& out) const {
        if (body_.anchors().empty() && body_.handles().empty()) return;
        out += "*BOUNDARY\n";
        const int axes = mesh_.dimension();
        for (std::size_t a = 0; a < body_.anchors().size(); ++a) {
            for (int k = 0; k < axes; ++k) {
                if (body_.anchors()[a].axes[held(k)] && !body_.anchors()[a].vertices.empty())
                    out += text("LIMBER_ANCHOR_", a, ", ", k + 1, ", ", k + 1, "\n");
            }
        }
        for (const Handle& handle : body_.handles()) {
            for (const std::int32_t v : handle.vertices) {
                for (int k = 0; k < axes; ++k) {
                    const double u = loads_.displacement.empty() || loads_.modes > 0
                                         ? 0.0
                                         : axes_.to_file(loads_.displacement[static_cast<std::size_t>(v)])[k];
                    if (handle.axes[held(k)]) out += text(v + 1, ", ", k + 1, ", ", k + 1, ", ", inp_number(u), "\n");
                }
            }
        }
    }

    void put_loads(std::string& out) const {
        const Vec3 gravity = axes_.to_file(loads_.gravity);
        const double g = norm(gravity);
        if (g > 0.0) {
            out += text("*DLOAD\n", kInpAllCells, ", GRAV, ", inp_number(g), ", ", inp_number(gravity.x / g), ", ",
                        inp_number(gravity.y / g), ", ", inp_number(gravity.z / g), "\n");
        }
        if (std::all_of(loads_.force.begin(), loads_.force.end(), [](const Vec3& f) { return f == Vec3{}; })) return;
        out += "*CLOAD\n";
        for (std::size_t v = 0; v < loads_.force.size(); ++v) {
            const Vec3 force = axes_.turned_to_file(loads_.force[v]);
            for (int k = 0; k < mesh_.dimension(); ++k)
                if (force[k] != 0.0) out += text(v + 1, ", ", k + 1, ", ", inp_number(force[k]), "\n");
        }
    }

    /// The body's axis that is axis k of the deck.
    int held(int k) const { return axes_.up() == UpAxis::y || k == 0 ? k : 3 - k; }

    const Body& body_;
    const InpLoads& loads_;
    const FileAxes axes_;
    const double length_;  ///< of the deck's unit [m]
    const std::string &about_, &path_;
    Mesh mesh_;  ///< in the deck's unit and axes, with the sets that the cards need
};
}  // namespace

std::string format_inp_deck(const Body& body, const InpLoads& loads, const FileAxes& axes, const std::string& about,
                            const std::string& path) {
    return InpDeck(body, loads, axes, about, path).write();
}

}  // namespace limber
