// The elastic shape of a body in space by two plane sections [paper, section 5] instead of its whole surface: far
// cheaper to prepare, and as rough as it sounds.
//
// A section through centroid and contact cannot be prepared before the contact is known. So pairs of sections are
// prepared for 49 directions of contact, no direction being farther than some 15 degrees from one of them; a contact
// takes the nearest pair and keeps it until another is clearly nearer. Each section is a slab: the part of the reaction
// that its own inertia balances is F area / volume per metre of depth.
#pragma once

#include "bem/cross_sections.hpp"
#include "methods/bem/contact_shape.hpp"

#include <memory>
#include <vector>

namespace limber {

class SectionShape {
public:
    struct Settings {
        SectionSettings sections;
        ShapeSettings contact;     ///< its most_force is not used
        double most_stress = 0.0;  ///< of a section's own most_force [Pa]
        std::size_t capacity = 0;  ///< prescribed directions at most, in each section
    };
    /// `surface` and `body` in the body's axes. Throws Error{interrupted}.
    SectionShape(const BoundaryShape& surface, const Enclosed& body, const BoundaryMaterial& material,
                 const Settings& settings, Progress& progress);

    std::size_t contact_points() const { return 2 * nodes_; }  ///< marks and touch points of both sections
    std::size_t capacity() const { return capacity_; }
    std::size_t scratch_reals() const { return contact_scratch_ + 8 * nodes_; }
    std::size_t bytes() const;
    double condition() const;  ///< the worst of all sections

    /// As ContactShape::solve, with the force of the whole body; `pair` (0 = none, otherwise its number) is read and
    /// renewed. `u`: per point of the surface, body axes.
    ShapeReport solve(const ContactShape::Input& input, std::int32_t& pair, ContactMark* marks, double* touch_points,
                      Vec3* u, double* scratch, PrescribedDirection* items) const noexcept;

private:
    struct Section {
        std::unique_ptr<const FreeResponse> response;
        std::unique_ptr<const ContactShape> contact;
        Quat axes;  ///< from its own axes to the body's
    };
    struct Pair {
        std::unique_ptr<const CrossSections> sections;
        Section section[2];
    };
    std::int32_t nearest(const ContactShape::Input& input, std::int32_t before) const noexcept;
    void limit(Vec3* u) const noexcept;
    double put_out(const ContactShape::Input& input, Vec3* u) const noexcept;

    std::vector<Vec3> arm_;  ///< points of the surface from the centroid
    std::vector<Pair> pairs_;
    std::size_t nodes_ = 0, capacity_ = 0, contact_scratch_ = 0;
    double volume_ = 0.0;
};

}  // namespace limber
