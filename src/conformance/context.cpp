#include "conformance/context.hpp"

#include "core/text.hpp"

namespace limber::conformance {

void Context::expect(bool holds, const std::string& message) {
    ++looked_at_;
    if (holds) return;
    // Three are enough to see a pattern; the count tells the rest.
    if (++failed_ <= 3) failures_ += (failures_.empty() ? "" : "; ") + message;
}

void Context::expect_at_most(double found, double limit, const std::string& what) {
    expect(found <= limit,
           text(what, ": ", fmt::format("{:.3g}", found), ", expected at most ", fmt::format("{:.3g}", limit)));
    if (limit > 0.0 && found / limit >= closest_) {
        closest_ = found / limit;
        closest_what_ = text(what, " ", fmt::format("{:.2g}", found), " of ", fmt::format("{:.2g}", limit));
    }
}

ConformanceResult Context::result(const std::string& check) const {
    ConformanceResult r;
    r.check = check;
    if (!skip_.empty()) {
        r.passed = r.skipped = true;
        r.message = text("skipped: ", skip_);
    } else if (looked_at_ == 0) {
        r.message = "nothing was looked at";
    } else if (failed_ > 0) {
        r.message = text(failures_, failed_ > 3 ? text(" (and ", failed_ - 3, " more)") : std::string());
    } else {
        r.passed = true;
        r.message = counted(looked_at_, "comparison") + (closest_what_.empty() ? "" : "; closest: " + closest_what_);
    }
    return r;
}

namespace {

std::vector<Variant> single_choices(const Method& method) {
    std::vector<Variant> out;
    for (const OptionSpec& option : method.options()) {
        if (option.type == OptionType::choice) {
            for (const std::string& word : option.choices) {
                if (OptionValue(word) != option.fallback)
                    out.push_back({text(option.name, "=", word), {{option.name, word}}});
            }
        }
        if (option.type == OptionType::flag) {
            const bool* usual = option.fallback.flag();  // null in a table that forgot it
            const bool other = usual == nullptr || !*usual;
            out.push_back({text(option.name, "=", other), {{option.name, other}}});
        }
    }
    return out;
}

}  // namespace

std::vector<Variant> variants(const Method& method, bool pairs) {
    const std::vector<Variant> singles = single_choices(method);
    std::vector<Variant> out{{"defaults", {}}};
    out.insert(out.end(), singles.begin(), singles.end());
    if (!pairs) return out;
    for (std::size_t i = 0; i < singles.size(); ++i) {
        for (std::size_t j = i + 1; j < singles.size(); ++j) {
            if (singles[i].options.begin()->first == singles[j].options.begin()->first) continue;
            Variant both{singles[i].label + " " + singles[j].label, singles[i].options};
            both.options.insert(singles[j].options.begin(), singles[j].options.end());
            out.push_back(std::move(both));
        }
    }
    return out;
}

void for_each_variant(Context& c, const std::shared_ptr<const Body>& body, bool pairs,
                      const std::function<void(const std::shared_ptr<const Deformer>&, const std::string&)>& use) {
    for (const Variant& variant : variants(c.method, pairs && c.settings.pairs)) {
        std::shared_ptr<const Deformer> deformer;
        try {
            deformer = prepare(c.method, body, variant.options);
        } catch (const Error& e) {
            const bool refused = e.fault() == Fault::bad_option || e.fault() == Fault::unsupported;
            c.expect(refused && !variant.options.empty(), text(variant.label, ": ", e.what()));
            continue;
        }
        use(deformer, variant.label);
    }
}

}  // namespace limber::conformance
