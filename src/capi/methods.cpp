#include "capi/handles.hpp"

#include <map>
#include <mutex>
#include <vector>

using namespace limber;
using namespace limber::capi;

namespace {

/// What the caller's function is to the library.
class CallerProgress final : public Progress {
public:
    CallerProgress(limber_progress call, void* user) : call_(call), user_(user) {}
    void update(double fraction, std::string_view what) override {
        if (call_ == nullptr || stopped_) return;
        stopped_ = !call_(user_, fraction, std::string(what).c_str());
    }
    bool stop_requested() const override { return stopped_; }

private:
    limber_progress call_;
    void* user_;
    bool stopped_ = false;
};

/// A method's options, and the words of their choices as C wants them.
struct Listed {
    OptionTable table;
    std::vector<std::vector<const char*>> choices;
};

/// Tables live as long as the program, so that their texts may be handed out.
const Listed& listed(const char* method) {
    static std::map<std::string, Listed> tables;
    static std::mutex lock;
    const Method& found = require_method(&given(method, "method"));
    const std::lock_guard held(lock);
    const auto [at, is_new] = tables.try_emplace(method);
    Listed& out = at->second;
    if (!is_new) return out;
    out.table = found.options();
    for (const OptionSpec& spec : out.table) {
        std::vector<const char*>& words = out.choices.emplace_back();
        for (const std::string& word : spec.choices) words.push_back(word.c_str());
    }
    return out;
}

}  // namespace

size_t limber_method_count(void) { return all_methods().size(); }

const char* limber_method_name(size_t index) {
    const std::vector<const Method*> all = all_methods();
    return index < all.size() ? all[index]->name() : nullptr;
}

const char* limber_method_summary(const char* method) {
    const Method* found = method == nullptr ? nullptr : find_method(method);
    return found == nullptr ? nullptr : found->summary();
}

limber_status limber_method_traits(const char* method, limber_traits* out, limber_error* error) {
    return guarded(error, [&] {
        const Traits t = require_method(&given(method, "method")).traits();
        limber_traits& to = given(out, "out");
        to = {};
        for (const CellKind kind : t.cells) to.cells |= 1u << static_cast<unsigned>(kind);
        to.fixed_step = t.fixed_step;
        to.linear = t.linear;
        to.dynamic = t.dynamic;
        to.accepts_forces = t.accepts_forces;
        to.accepts_gravity = t.accepts_gravity;
        to.accepts_handles = t.accepts_handles;
        to.accepts_vertex_targets = t.accepts_vertex_targets;
        to.accepts_live = t.accepts_live;
        to.accepts_obstacles = t.accepts_obstacles;
        to.free_bodies = t.free_bodies;
        to.readout_stiffness = t.readout_stiffness;
        to.order = t.order;
        to.small_load_tolerance = t.small_load_tolerance;
    });
}

size_t limber_option_count(const char* method) {
    size_t count = 0;
    guarded(nullptr, [&] { count = listed(method).table.size(); });
    return count;
}

limber_status limber_option(const char* method, size_t index, limber_option_info* out, limber_error* error) {
    return guarded(error, [&] {
        const Listed& all = listed(method);
        const OptionTable& table = all.table;
        given(out, "out");
        if (index >= table.size()) {
            throw Error(Fault::bad_usage, {}, "option " + std::to_string(index),
                        "below " + std::to_string(table.size()) + ", the number of options");
        }
        const OptionSpec& spec = table[index];
        const std::vector<const char*>& choices = all.choices[index];
        *out = {};
        out->name = spec.name.c_str();
        out->unit = spec.unit.c_str();
        out->low = spec.low;
        out->high = spec.high;
        out->fallback_choice = "";
        out->choice_count = choices.size();
        out->choices = choices.data();
        out->live = spec.live;
        out->sentence = spec.sentence.c_str();
        switch (spec.type) {
            case OptionType::real: out->type = LIMBER_REAL; break;
            case OptionType::integer: out->type = LIMBER_INTEGER; break;
            case OptionType::flag: out->type = LIMBER_FLAG; break;
            case OptionType::choice: out->type = LIMBER_CHOICE; break;
        }
        if (const double* number = spec.fallback.number()) out->fallback = *number;
        if (const bool* flag = spec.fallback.flag()) out->fallback = *flag ? 1.0 : 0.0;
        if (const std::string* word = spec.fallback.word()) out->fallback_choice = word->c_str();
    });
}

limber_status limber_options_new(limber_options** out, limber_error* error) {
    return guarded(error, [&] { given(out, "out") = new limber_options; });
}
void limber_options_free(limber_options* options) { delete options; }

namespace {

limber_status set_option(limber_options* options, const char* name, OptionValue value, limber_error* error) {
    return guarded(error, [&] { given(options, "options").values[&given(name, "name")] = std::move(value); });
}

}  // namespace

limber_status limber_options_set_real(limber_options* options, const char* name, double value, limber_error* error) {
    return set_option(options, name, value, error);
}
limber_status limber_options_set_integer(limber_options* options, const char* name, int64_t value,
                                         limber_error* error) {
    return set_option(options, name, static_cast<long long>(value), error);
}
limber_status limber_options_set_flag(limber_options* options, const char* name, bool value, limber_error* error) {
    return set_option(options, name, value, error);
}
limber_status limber_options_set_choice(limber_options* options, const char* name, const char* value,
                                        limber_error* error) {
    if (value == nullptr) return tell(error, LIMBER_BAD_USAGE, {}, "value is NULL", "a pointer");
    return guarded(error, [&] { given(options, "options").values[&given(name, "name")] = std::string(value); });
}

limber_status limber_prepare(const limber_body* body, const char* method, const limber_options* options,
                             limber_progress progress, void* user, limber_deformer** out, limber_error* error) {
    return guarded(error, [&] {
        given(out, "out");
        const Method& found = require_method(&given(method, "method"));
        CallerProgress caller(progress, user);
        static const OptionValues defaults;
        const OptionValues& values = options == nullptr ? defaults : options->values;
        auto made = std::make_unique<limber_deformer>();
        made->deformer = found.prepare(given(body, "body").body, values, caller);
        if (caller.stop_requested()) throw Error(Fault::interrupted, {}, "stopped while preparing");
        *out = made.release();
    });
}

void limber_deformer_free(limber_deformer* deformer) { delete deformer; }

double limber_deformer_step(const limber_deformer* deformer) {
    return deformer == nullptr ? 0.0 : deformer->deformer->prepared_step();
}
size_t limber_deformer_live_capacity(const limber_deformer* deformer) {
    return deformer == nullptr ? 0 : static_cast<size_t>(std::max(deformer->deformer->live_capacity(), 0));
}
size_t limber_deformer_memory(const limber_deformer* deformer) {
    return deformer == nullptr ? 0 : deformer->deformer->memory();
}

limber_status limber_deformer_save(const limber_deformer* deformer, uint8_t** bytes, size_t* size,
                                   limber_error* error) {
    return guarded(error, [&] {
        given(bytes, "bytes");
        given(size, "size");
        hand_out(save_deformer(*given(deformer, "deformer").deformer), bytes, size);
    });
}

limber_status limber_deformer_load(const limber_body* body, const uint8_t* bytes, size_t size, limber_deformer** out,
                                   limber_error* error) {
    return guarded(error, [&] {
        given(out, "out");
        given_list(bytes, size, "bytes");
        auto made = std::make_unique<limber_deformer>();
        made->deformer = load_deformer(given(body, "body").body, {bytes, size});
        *out = made.release();
    });
}
