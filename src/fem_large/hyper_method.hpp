// HyperMethod: what stvk and neo_hookean are, but for their law.
#pragma once

#include "fem_large/hyperelastic.hpp"

#include <limber/method.hpp>

namespace limber {

class HyperMethod final : public Method {
public:
    /// Literals.
    HyperMethod(const char* name, const char* summary, HyperLaw law) : name_(name), summary_(summary), law_(law) {}

    const char* name() const override { return name_; }
    const char* summary() const override { return summary_; }
    Traits traits() const override;
    OptionTable options() const override;
    void check(const Body& body, const OptionValues& options) const override;
    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& options,
                                      Progress& progress) const override;
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const override;

private:
    const char* name_;
    const char* summary_;
    HyperLaw law_;
};

}  // namespace limber
