// The table of methods: the only file that knows them all. Every public function that asks the table is defined here,
// above the methods, so that nothing below has to reach up and no linker can drop the built-ins.
#include <limber/method.hpp>

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "deform/deformer_file.hpp"
#include "methods/bem/bem.hpp"
#include "methods/clustered_fem/clustered_fem.hpp"
#include "methods/corotational/corotational.hpp"
#include "methods/linear_fem/linear_fem.hpp"
#include "methods/modal/modal.hpp"
#include "methods/neo_hookean/neo_hookean.hpp"
#include "methods/stvk/stvk.hpp"

#include <mutex>

namespace limber {
namespace {

struct Registry {
    std::mutex mutex;
    std::vector<std::unique_ptr<const Method>> methods;

    Registry() {
        // One line per method, in the order in which lists show them.
        methods.push_back(make_linear_fem());
        methods.push_back(make_clustered_fem());
        methods.push_back(make_modal());
        methods.push_back(make_corotational());
        methods.push_back(make_stvk());
        methods.push_back(make_neo_hookean());
        methods.push_back(make_bem());
    }
};

// Built on first use (so other statics may register methods) and never destroyed: deformers may outlive main.
Registry& registry() {
    static Registry* const one = new Registry;
    return *one;
}

}  // namespace

std::vector<const Method*> all_methods() {
    Registry& r = registry();
    const std::lock_guard lock(r.mutex);
    std::vector<const Method*> out;
    for (const auto& method : r.methods) out.push_back(method.get());
    return out;
}

const Method* find_method(const std::string& name) {
    for (const Method* method : all_methods())
        if (name == method->name()) return method;
    return nullptr;
}

const Method& require_method(const std::string& name, const InputLocation& place) {
    if (const Method* method = find_method(name)) return *method;
    std::vector<std::string> known;
    for (const Method* method : all_methods()) known.emplace_back(method->name());
    throw Error(Fault::bad_usage, place, text("there is no method '", name, "'"),
                text("one of ", fmt::format("'{}'", fmt::join(known, "', '")), suggestion(name, known)));
}

void register_method(std::unique_ptr<const Method> method) {
    if (method == nullptr) throw Error(Fault::bad_usage, {}, "register_method was given nothing", "a method");
    const std::string name = method->name();
    if (name.empty()) throw Error(Fault::bad_usage, {}, "a method without a name", "a name");
    Registry& r = registry();
    const std::lock_guard lock(r.mutex);
    for (const auto& known : r.methods) {
        if (name == known->name())
            throw Error(Fault::bad_usage, {}, text("there is already a method '", name, "'"), "a name of its own");
    }
    r.methods.push_back(std::move(method));
}

std::unique_ptr<Deformer> load_deformer(std::shared_ptr<const Body> body, std::span<const std::uint8_t> bytes,
                                        const InputLocation& place) {
    return load_deformer(std::move(body), bytes, place, find_method);
}

}  // namespace limber
