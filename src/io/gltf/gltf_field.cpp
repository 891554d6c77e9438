#include "io/gltf/gltf_field.hpp"

#include "core/text.hpp"

#include <cmath>

namespace limber {

void GltfField::fail(const std::string& found, const std::string& expected, Fault fault) const {
    throw Error(fault, {*file_, 0, place_}, found, expected);
}

const GltfField& GltfField::needed() const {
    if (!there()) fail("is missing", "every such glTF object has it");
    return *this;
}

GltfField GltfField::operator[](const char* name) const {
    if (there() && !value_->is(JsonValue::Kind::object)) fail(describe(*value_), "an object");
    return {*file_, there() ? value_->find(name) : nullptr, place_ + "/" + name};
}

GltfField GltfField::member(const JsonMember& member) const {
    return {*file_, &member.value, place_ + "/" + member.name.substr(0, 60)};
}

GltfField GltfField::at(std::size_t i) const { return {*file_, &value_->items[i], limber::text(place_, "/", i)}; }

std::size_t GltfField::size() const {
    if (!there()) return 0;
    if (!value_->is(JsonValue::Kind::list)) fail(describe(*value_), "a list");
    return value_->items.size();
}

const std::vector<JsonMember>& GltfField::members() const {
    static const std::vector<JsonMember> none;
    if (!there()) return none;
    if (!value_->is(JsonValue::Kind::object)) fail(describe(*value_), "an object");
    return value_->members;
}

double GltfField::number(double otherwise) const {
    if (!there()) return otherwise;
    if (!value_->is(JsonValue::Kind::number) || !std::isfinite(value_->number)) fail(describe(*value_), "a number");
    return value_->number;
}

std::size_t GltfField::count(std::size_t otherwise) const {
    if (!there()) return otherwise;
    const double n = number(0.0);
    if (!(n >= 0.0 && n <= 2147483647.0) || n != std::floor(n))
        fail(describe(*value_), "a whole number from 0 to 2147483647");
    return static_cast<std::size_t>(n);
}

std::int32_t GltfField::index(std::size_t limit) const {
    if (!there()) return -1;
    const std::size_t i = count(0);
    if (i >= limit) {
        fail(limber::text("the index ", i),
             limit == 0 ? "none: the file has no such list" : limber::text("0 to ", limit - 1), Fault::bad_mesh);
    }
    return static_cast<std::int32_t>(i);
}

bool GltfField::flag(bool otherwise) const {
    if (!there()) return otherwise;
    if (!value_->is(JsonValue::Kind::flag)) fail(describe(*value_), "true or false");
    return value_->flag;
}

std::string GltfField::text(const std::string& otherwise) const {
    if (!there()) return otherwise;
    if (!value_->is(JsonValue::Kind::text)) fail(describe(*value_), "a text");
    return value_->text;
}

std::string GltfField::name(const std::string& otherwise) const {
    std::string out = text(otherwise);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
    return out;
}

std::vector<double> GltfField::reals(std::size_t n) const {
    std::vector<double> out;
    if (!there()) return out;
    if (size() != n) fail(limber::text("a list of ", size()), limber::text(n, " numbers"));
    for (std::size_t i = 0; i < n; ++i) out.push_back(at(i).number(0.0));
    return out;
}

}  // namespace limber
