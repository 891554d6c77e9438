// A Method turns a Body into a Deformer. Its traits say beforehand what it can do; its option table says how to ask.
#pragma once

#include <limber/deformer.hpp>
#include <limber/progress.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace limber {

/// Facts about a method, checked at prepare, so that asking for what it cannot do is a message and not zeros.
struct Traits {
    std::vector<CellKind> cells;  ///< kinds of body it can take
    bool fixed_step = true;       ///< true: dt is fixed at prepare, by the option "step"; false: any dt
    bool linear = true;           ///< loads superpose (no contact, no unilateral constraints)
    bool dynamic = true;          ///< has velocity and inertia
    bool accepts_forces = true;
    bool accepts_gravity = true;
    bool accepts_handles = true;
    bool accepts_vertex_targets = false;  ///< handles whose vertices are driven each by itself
    bool accepts_live = true;
    bool accepts_obstacles = false;  ///< collides; all others refuse loads with obstacles
    bool free_bodies = false;        ///< allows an unanchored body
    bool readout_stiffness = true;
    int order = 2;                       ///< of the error in dt, smooth loads, default options
    double small_load_tolerance = 1e-9;  ///< relative distance from linear_fem at small loads, default options
};

class Method {
public:
    virtual ~Method() = default;
    virtual const char* name() const = 0;
    virtual const char* summary() const = 0;  ///< one sentence
    virtual Traits traits() const = 0;
    virtual OptionTable options() const = 0;

    /// Throws Error for options that contradict each other or the body, without doing the work of prepare.
    virtual void check(const Body& /*body*/, const OptionValues& /*options*/) const {}

    /// May take minutes, may allocate, may throw Error; shows progress.
    virtual std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& options,
                                              Progress& progress) const = 0;
    /// The inverse of Deformer::save.
    virtual std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const = 0;
};

/// Throws Error{unsupported} when the traits exclude the body.
void check_traits(const Method& method, const Body& body);

/// Every method known to the program, in order of registration. Built-in ones come first.
std::vector<const Method*> all_methods();
/// nullptr when there is none of that name.
const Method* find_method(const std::string& name);
/// Throws Error{bad_usage} with a suggestion for a misspelt name.
const Method& require_method(const std::string& name, const InputLocation& place = {});
/// Adds a method of your own; throws Error{bad_usage} when the name is taken.
void register_method(std::unique_ptr<const Method> method);

/// Self-contained bytes: magic, format version, method name, body hash, the method's part, checksum.
std::vector<std::uint8_t> save_deformer(const Deformer& deformer);
/// Throws Error{bad_data} for damage, another body, an unknown method or a newer version.
std::unique_ptr<Deformer> load_deformer(std::shared_ptr<const Body> body, std::span<const std::uint8_t> bytes,
                                        const InputLocation& place = {});

}  // namespace limber
