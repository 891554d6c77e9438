// Fields: what a body's colours stand for. Values per body vertex at a time of a recording.
#pragma once

#include "fem/stress.hpp"
#include "metrics/pairing.hpp"

#include <limber/recording.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber {

enum class Field : std::uint8_t { none, displacement, velocity, von_mises, error, material };
const char* to_string(Field field);
/// Throws Error{bad_usage} with the nearest name.
Field parse_field(const std::string& name);
std::vector<std::string> field_names();

/// What stands beside the colours: "|u - u_ref|", and the SI unit of the values ("m", "Pa"); "" for fields without numbers.
struct FieldWords {
    const char* title;
    const char* unit;
};
FieldWords words_of(Field field);

/// Computes one field on one recording; borrows both recordings.
class FieldOnBody {
public:
    /// `reference`: for Field::error; on another mesh it is sampled at this body's vertices. Throws Error{bad_usage} without it,
    /// Error{unsupported} when the recording lacks what the field needs.
    FieldOnBody(const Recording& recording, Field field, const Recording* reference);

    /// One value per body vertex, in SI units; empty for none and material. Between frames the displacements are blended, then looked at.
    std::vector<double> at(double time) const;

private:
    std::vector<double> stress(const std::vector<Vec3>& u) const;

    const Recording& recording_;
    const Recording* reference_;
    Field field_;
    std::unique_ptr<StressMap> stress_;
    std::optional<Sampler> sampler_;        ///< empty when the meshes are the same
};

}  // namespace limber
