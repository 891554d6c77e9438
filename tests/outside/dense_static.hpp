// A method made outside limber, through its public headers only: statics of small tetrahedral bodies by a dense factor.
#pragma once

#include <limber/method.hpp>

namespace outside {

/// K u = f at every step, whatever dt is. Exact, slow to prepare, and meant for a few hundred vertices.
class DenseStatic final : public limber::Method {
public:
    const char* name() const override { return "dense_static"; }
    const char* summary() const override {
        return "Static linear elasticity of small tetrahedral bodies by one dense factor.";
    }
    limber::Traits traits() const override;
    limber::OptionTable options() const override;
    std::unique_ptr<limber::Deformer> prepare(std::shared_ptr<const limber::Body> body,
                                              const limber::OptionValues& options,
                                              limber::Progress& progress) const override;
    std::unique_ptr<limber::Deformer> load(std::shared_ptr<const limber::Body> body,
                                           limber::ByteReader& in) const override;
};

}  // namespace outside
