// The generalised winding number of a triangle soup: 1 inside, 0 outside, in between near holes; what decides "inside"
// for surfaces that are not closed [after Jacobson et al. 2013; far clusters as in Barill et al. 2018].
#pragma once

#include "geometry/triangles.hpp"

#include <array>
#include <vector>

namespace limber {

/// A box tree over the triangles with the first three moments of each cluster. Const calls may run on any threads.
class WindingNumber {
public:
    explicit WindingNumber(Triangles triangles);

    /// Sum of signed solid angles over 4 pi. Clusters farther than twice their radius are summed by their moments:
    /// within 0.03 of the exact sum, which is far less than what separates inside from outside. Surfaces of slivers
    /// that all reach far have no far clusters: each call then looks at all of them. `work`, if given, grows by the
    /// clusters and triangles summed.
    double at(const Vec3& point, std::size_t* work = nullptr) const;
    /// Every triangle by itself, for checking.
    double exact_at(const Vec3& point) const;
    bool inside(const Vec3& point) const { return at(point) > 0.5 + 1e-7; }  // an open sheet reaches one half by itself

    const Triangles& triangles() const { return triangles_; }

private:
    class AngleSum;
    struct Node {
        Vec3 centre;          ///< weighted by area [m]
        double area = 0.0;    ///< of all triangles [m^2]
        double radius = 0.0;  ///< of a ball about the centre that holds every triangle [m]
        Vec3 dipole;          ///< sum of area vectors [m^2]
        Mat3 quadrupole;      ///< integral of (point - centre) outer normal [m^3]
        /// Per axis of the normal: integral of arm outer arm times that component [m^4].
        std::array<Mat3, 3> octupole{};
        std::int32_t begin = 0, end = 0;  ///< of the sorted triangles
        std::int32_t right = 0;           ///< the left child is the next node; 0 = leaf
    };
    void build(std::int32_t begin, std::int32_t end, std::vector<std::int32_t>& order,
               const std::vector<Vec3>& centroids);
    void lay_out_corners();
    void add_leaf(const Node& leaf, const Vec3& point, AngleSum& sum) const;
    void gather_moments(Node& node, const std::vector<std::int32_t>& order) const;
    void join_moments(Node& node, const Node& left, const Node& right, const std::vector<std::int32_t>& order) const;
    void set_radius(Node& node, const std::vector<std::int32_t>& order) const;

    Triangles triangles_;
    std::vector<Node> nodes_;
    /// x, y, z of the first, second and third corner, triangle by triangle: what a leaf sums in vectors.
    std::array<std::vector<double>, 9> corner_;
};

/// Signed solid angle of a triangle seen from a point [sr].
double solid_angle(const Vec3& point, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace limber
