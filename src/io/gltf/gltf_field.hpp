// GltfField: a value of a glTF file's JSON together with its place, so that every fault names it.
#pragma once

#include "io/json/json_value.hpp"

#include <limber/error.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace limber {

/// Does not own the value: lives no longer than the document. A field that is not there is a valid object.
class GltfField {
public:
    /// `file` and `value` outlive this.
    GltfField(const std::string& file, const JsonValue* value, std::string place)
        : file_(&file), value_(value), place_(std::move(place)) {}

    bool there() const { return value_ != nullptr; }
    bool is_object() const { return there() && value_->is(JsonValue::Kind::object); }
    const std::string& place() const { return place_; }
    const JsonValue* value() const { return value_; }  ///< null when not there

    /// A member of an object; not there when this is not there.
    GltfField operator[](const char* name) const;
    /// The same for a member that is at hand, so that no search is needed.
    GltfField member(const JsonMember& member) const;
    /// An item of a list; i < size().
    GltfField at(std::size_t i) const;
    /// Items of a list; 0 when not there.
    std::size_t size() const;
    const std::vector<JsonMember>& members() const;

    double number(double otherwise) const;
    /// A whole number from 0 to 2^31 - 1.
    std::size_t count(std::size_t otherwise) const;
    /// The same, below `limit`; -1 when not there.
    std::int32_t index(std::size_t limit) const;
    bool flag(bool otherwise) const;
    std::string text(const std::string& otherwise = {}) const;
    /// For names: as text(), with control characters replaced.
    std::string name(const std::string& otherwise = {}) const;
    /// Exactly n finite numbers; empty when not there.
    std::vector<double> reals(std::size_t n) const;

    /// Fails unless it is there.
    const GltfField& needed() const;
    [[noreturn]] void fail(const std::string& found, const std::string& expected = {},
                           Fault fault = Fault::bad_file) const;

private:
    const std::string* file_;
    const JsonValue* value_;
    std::string place_;
};

}  // namespace limber
