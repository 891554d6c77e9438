#include "assets/dirt.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

std::string percent(double share) { return fmt::format("{:.3g} %", 100.0 * share); }

double mean_edge(const Triangles& t) {
    double sum = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i)
        for (int k = 0; k < 3; ++k) sum += norm(t.at(i, (k + 1) % 3) - t.at(i, k));
    return sum / (3.0 * static_cast<double>(std::max<std::size_t>(t.size(), 1)));
}

void turn(Triangles& t, std::size_t i) { std::swap(t.corners[i][1], t.corners[i][2]); }

void number_faces(Triangles& t) {
    t.face.resize(t.size());
    for (std::size_t i = 0; i < t.size(); ++i) t.face[i] = static_cast<std::int32_t>(i);
}

/// Every face of a group gets vertices of its own group.
void part_groups(Triangles& t, const std::vector<int>& group, int groups) {
    std::vector<std::int32_t> number(t.vertices.size() * static_cast<std::size_t>(groups), -1);
    std::vector<Vec3> vertices;
    for (std::size_t i = 0; i < t.size(); ++i) {
        for (std::int32_t& c : t.corners[i]) {
            std::int32_t& n = number[static_cast<std::size_t>(c) * static_cast<std::size_t>(groups) +
                                     static_cast<std::size_t>(group[i])];
            if (n < 0) {
                n = static_cast<std::int32_t>(vertices.size());
                vertices.push_back(t.vertices[static_cast<std::size_t>(c)]);
            }
            c = n;
        }
    }
    t.vertices = std::move(vertices);
}

/// Pieces on the two sides of each plane are drawn apart by `gap` [m].
void cut_apart(Triangles& t, int planes, double gap, Dice& dice) {
    for (int p = 0; p < planes; ++p) {
        const Box3 box = box_of(t.vertices);
        const Vec3 normal = dice.direction();
        const Vec3 at = 0.5 * (box.low + box.high) + 0.1 * box.diagonal() * dice.direction();
        std::vector<int> group(t.size());
        for (std::size_t i = 0; i < t.size(); ++i) group[i] = dot(t.centroid(i) - at, normal) > 0.0 ? 1 : 0;
        part_groups(t, group, 2);
        std::vector<char> moved(t.vertices.size(), 0);
        for (std::size_t i = 0; i < t.size(); ++i) {
            for (const std::int32_t c : t.corners[i]) {
                if (group[i] == 1 && !moved[static_cast<std::size_t>(c)]) {
                    moved[static_cast<std::size_t>(c)] = 1;
                    t.vertices[static_cast<std::size_t>(c)] += gap * normal;
                }
            }
        }
    }
}

void shrink_faces(Triangles& t, double share) {
    for (std::size_t i = 0; i < t.size(); ++i) {
        const Vec3 middle = t.centroid(i);
        for (const std::int32_t c : t.corners[i])
            t.vertices[static_cast<std::size_t>(c)] += share * (middle - t.vertices[static_cast<std::size_t>(c)]);
    }
}

void separate_faces(Triangles& t) {
    std::vector<Vec3> vertices;
    for (auto& c : t.corners) {
        for (std::int32_t& v : c) {
            vertices.push_back(t.vertices[static_cast<std::size_t>(v)]);
            v = static_cast<std::int32_t>(vertices.size() - 1);
        }
    }
    t.vertices = std::move(vertices);
}

}  // namespace

Vec3 Dice::direction() {
    const double z = between(-1.0, 1.0), angle = between(0.0, 2.0 * std::numbers::pi),
                 r = std::sqrt(std::max(0.0, 1.0 - z * z));
    return {r * std::cos(angle), r * std::sin(angle), z};
}

std::string make_holes(Triangles& t, Dice& dice) {
    const std::size_t count = 1 + dice.below(3);
    const double across = dice.between(0.02, 0.10), diagonal = box_of(t.vertices).diagonal();
    for (std::size_t hole = 0; hole < count && t.size() > 0; ++hole) {
        const Vec3 at = t.centroid(dice.below(t.size()));
        const double reach = 0.5 * across * diagonal;
        std::vector<std::array<std::int32_t, 3>> kept;
        for (std::size_t i = 0; i < t.size(); ++i)
            if (norm(t.centroid(i) - at) > reach) kept.push_back(t.corners[i]);
        t.corners = std::move(kept);
        number_faces(t);
    }
    return text(counted(count, "hole"), " of ", percent(across), " of the diagonal across");
}

std::string flip_faces(Triangles& t, Dice& dice) {
    const double share = dice.between(0.05, 0.20);
    const bool together = dice.coin();
    if (together) {
        std::vector<std::pair<double, std::size_t>> order;
        const Vec3 at = t.centroid(dice.below(t.size()));
        for (std::size_t i = 0; i < t.size(); ++i) order.emplace_back(norm2(t.centroid(i) - at), i);
        std::sort(order.begin(), order.end());
        for (std::size_t i = 0; i < static_cast<std::size_t>(share * static_cast<double>(t.size())); ++i)
            turn(t, order[i].second);
    } else {
        for (std::size_t i = 0; i < t.size(); ++i)
            if (dice.between(0.0, 1.0) < share) turn(t, i);
    }
    return text(percent(share), " of the faces turned, ", together ? "side by side" : "scattered");
}

std::string double_faces(Triangles& t, Dice& dice) {
    const double share = dice.coin() ? 1.0 : dice.between(0.05, 0.6),
                 reversed = dice.coin() ? dice.between(0.0, 0.5) : 0.0;
    const std::size_t before = t.size();
    for (std::size_t i = 0; i < before; ++i) {
        if (dice.between(0.0, 1.0) > share) continue;
        const auto c = t.corners[i];
        t.corners.push_back({c[1], c[2], c[0]});
        if (dice.between(0.0, 1.0) < reversed) turn(t, t.size() - 1);
    }
    number_faces(t);
    return text(percent(share), " of the faces doubled, ", percent(reversed), " of them turned");
}

std::string add_noise(Triangles& t, Dice& dice) {
    const double share = dice.between(0.05, 0.30), reach = share * mean_edge(t);
    for (Vec3& p : t.vertices) p += dice.between(0.0, reach) * dice.direction();
    return text("noise of ", percent(share), " of an edge");
}

std::string open_gaps(Triangles& t, Dice& dice) {
    if (dice.coin()) {
        const double share = dice.between(0.001, 0.05);
        separate_faces(t);
        shrink_faces(t, share);
        return text("every face shrunk by ", percent(share));
    }
    const int planes = 1 + static_cast<int>(dice.below(3));
    const double share = std::pow(10.0, dice.between(-5.0, -2.7));
    cut_apart(t, planes, share * box_of(t.vertices).diagonal(), dice);
    return text("cut by ", planes, planes == 1 ? " plane" : " planes", " and drawn apart by ", percent(share),
                " of the diagonal");
}

std::string make_soup(Triangles& t, Dice& dice) {
    separate_faces(t);
    for (std::size_t i = t.size(); i > 1; --i) std::swap(t.corners[i - 1], t.corners[dice.below(i)]);
    return "a soup: no shared vertices, any order";
}

std::string overlap_copy(Triangles& t, Triangles& copy, Dice& dice) {
    const Box3 box = box_of(t.vertices);
    const Vec3 middle = 0.5 * (box.low + box.high);
    const double size = dice.between(0.75, 1.0), angle = dice.between(-0.5, 0.5), way = dice.between(0.03, 0.20);
    const Mat3 rotation = to_matrix(from_rotation_vector(angle * dice.direction()));
    const Vec3 move = way * box.diagonal() * dice.direction();
    copy = t;
    for (Vec3& p : copy.vertices) p = middle + move + size * (rotation * (p - middle));
    const auto shift = static_cast<std::int32_t>(t.vertices.size());
    t.vertices.insert(t.vertices.end(), copy.vertices.begin(), copy.vertices.end());
    for (const auto& c : copy.corners) t.corners.push_back({c[0] + shift, c[1] + shift, c[2] + shift});
    number_faces(t);
    return text("overlapped with a copy of ", percent(size), " in size, moved by ", percent(way), " of the diagonal");
}

}  // namespace limber
