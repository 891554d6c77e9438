// GlContext: an OpenGL ES 3.0 context that needs no window, no X and no GPU.
#pragma once

#include <memory>

namespace limber {

class GlContext {
public:
    /// Throws Error{unsupported}: EGL or OpenGL ES 3.0 cannot be started here.
    GlContext();
    ~GlContext();
    GlContext(const GlContext&) = delete;
    GlContext& operator=(const GlContext&) = delete;

    /// Makes the context current in this thread for as long as it lives, then whatever was current before.
    class Current {
    public:
        explicit Current(const GlContext& context);
        ~Current();
        Current(const Current&) = delete;
        Current& operator=(const Current&) = delete;

    private:
        void* before_;
    };

private:
    void* context_ = nullptr;  // EGLContext
};

}  // namespace limber
