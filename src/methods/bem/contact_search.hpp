// One search for the points of a body that touch: on scratch memory, begun and ended within a step. ContactShape::solve
// is its story.
#pragma once

#include "contact/gap.hpp"
#include "methods/bem/contact_shape.hpp"

namespace limber {

struct ContactShape::Search {
    static std::size_t scratch_reals(const FreeResponse& response, std::size_t capacity) {
        return LowRank::reals_needed(capacity) + 4 * capacity + response.size() + 4 * response.nodes();
    }
    Search(const ContactShape& owner, const Input& in, ContactMark* m, double* p, double* displacement, double* scratch,
           PrescribedDirection* items);
    bool planar() const { return d == 2; }
    bool remembers() const { return input.released != nullptr && self.settings_.passes > 1; }
    Vec3 world(std::size_t i, const double* displacement) const;
    Vec3 local(const double* v, std::size_t i) const { return {v[d * i], v[d * i + 1], d == 3 ? v[d * i + 2] : 0.0}; }
    /// How far a point is from an obstacle, and the way out. Of a section: within its plane; an obstacle that leads out
    /// of it is left to the other section.
    Gap gap_of(std::size_t obstacle, const Vec3& x) const;
    /// The way out of all obstacles for a point inside: from one to the next until it is out (obstacles may overlap).
    /// Outside: the nearest one. `obstacle`: the last one that pushed, or the nearest; -1 without any.
    Gap way_out(const Vec3& x, std::int32_t& obstacle) const;
    /// The obstacle with the smallest gap, -1 without any.
    std::int32_t nearest(const Vec3& x, Gap& gap) const;
    std::int32_t find_way_out(const Vec3& x, Gap& gap) const;
    /// Where the point has to go along a direction (world), less what the base displacement already does.
    double asked(std::size_t i, const Vec3& way, const Vec3& to) const;
    /// A contact point's equations: along the normal, or with grip along all axes. What is beyond the memory is left to
    /// put_out().
    void add(std::size_t i, std::int32_t obstacle, bool grip, const double* at);
    bool add_grip(std::size_t i, const Vec3& onto, const Vec3& normal);
    void keep_touch_point(std::size_t i, const Vec3& x) const;
    /// Tractions for the present equations; false when there are none.
    bool solve();
    /// The shape that these tractions make: what costs most, so only where it is looked at.
    void spread();
    Vec3 way_of(std::size_t i) const { return {ways[3 * i], ways[3 * i + 1], ways[3 * i + 2]}; }
    /// Tractions per point, body axes, into free_u.
    void gather_tractions();
    /// Where a point is with the present tractions [m], whether or not they are spread.
    Vec3 present(std::size_t i) const;
    /// Points in the order of their equations: from the middle of what is inside undeformed to its rim, where points
    /// let go and slip first; then all others.
    void set_order();
    /// Makes the equations of all marked points anew, at the present shape.
    void rebuild(const double* at);
    /// Brings the equations in line with the marks, one in or out at a time.
    void follow_marks();
    /// First guess: what was in contact and still could be, and what is deep inside undeformed.
    void begin();
    /// How deep the shape without contact is inside anything; 0 when what is released is not remembered (the paper's
    /// way: everything inside touches).
    double deepest() const;
    /// Lets go of what is pulled, and of touch points that friction does not hold. True when something changed.
    bool release();
    /// Whether some point in contact is inside all the same.
    bool slid() const;
    /// The shape without contact.
    void fall_back();
    /// No displacement beyond what small strain can still be stretched to: a body far too soft for its fall would else
    /// fill the room.
    void limit() const;
    /// Last resort where no linear shape fits between obstacles: points still inside are put on the surface. Returns
    /// the farthest way, of the body's size.
    double put_out() const;
    /// Takes in what the deformed shape pushes through. True when there was something.
    bool take_in();

    const ContactShape& self;
    const Input& input;
    const FreeResponse& response;
    std::size_t d;
    Mat3 turn, back;
    ContactMark* marks;
    double *touch_points, *u, *target = nullptr, *tau = nullptr, *field = nullptr, *weight = nullptr, *free_u = nullptr,
                              *ways = nullptr;
    std::int32_t* order = nullptr;
    LowRank rank;
    double sag = 0.0, size = 1.0, strength = 0.0;
    Vec3 along;               ///< the force that the shape carries, body axes
    bool spread_out = false;  ///< u is the shape of tau
};

}  // namespace limber
