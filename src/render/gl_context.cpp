// EGL and OpenGL ES are opened with dlopen and never closed: drivers keep threads and tables that do not survive
// unloading.
#include "render/gl_context.hpp"

#include "core/text.hpp"
#include "render/gl_api.hpp"

#include <limber/error.hpp>

#define EGL_NO_X11  // no window system: none of its headers either
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <dlfcn.h>

#include <string>
#include <utility>

namespace limber {

namespace {

[[noreturn]] void refuse(const std::string& found) {
    throw Error(Fault::unsupported, {}, text("pictures cannot be drawn: ", found),
                "EGL and OpenGL ES 3.0 (Debian: apt-get install libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri)");
}

void* opened(const char* library) {
    void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) refuse(text("no ", library));
    return handle;
}

template <class Call>
void find(void* library, const char* name, Call& out) {
    out = reinterpret_cast<Call>(dlsym(library, name));
    if (out == nullptr) refuse(text("no ", name, " in the OpenGL library"));
}

struct EglApi {
    decltype(&::eglGetProcAddress) GetProcAddress = nullptr;
    decltype(&::eglGetDisplay) GetDisplay = nullptr;
    decltype(&::eglInitialize) Initialize = nullptr;
    decltype(&::eglBindAPI) BindAPI = nullptr;
    decltype(&::eglChooseConfig) ChooseConfig = nullptr;
    decltype(&::eglCreateContext) CreateContext = nullptr;
    decltype(&::eglDestroyContext) DestroyContext = nullptr;
    decltype(&::eglMakeCurrent) MakeCurrent = nullptr;
    decltype(&::eglGetCurrentContext) GetCurrentContext = nullptr;
    decltype(&::eglGetError) GetError = nullptr;
    decltype(&::eglQueryString) QueryString = nullptr;
};

/// The libraries and the display, once per process.
struct Driver {
    EglApi egl;
    GlApi gl;
    EGLDisplay display = EGL_NO_DISPLAY;

    Driver() {
        load();
        // Without a window system first; a machine's own GPU next; what the environment offers last.
        for (const EGLenum platform : {static_cast<EGLenum>(EGL_PLATFORM_SURFACELESS_MESA),
                                       static_cast<EGLenum>(EGL_PLATFORM_DEVICE_EXT), EGLenum{0}}) {
            if (try_platform(platform)) return;
        }
        refuse("no EGL display can be opened");
    }

private:
    void load() {
        void* egl_library = opened("libEGL.so.1");
        void* gl_library = opened("libGLESv2.so.2");
#define LIMBER_EGL_FIND(name) find(egl_library, "egl" #name, egl.name)
        LIMBER_EGL_FIND(GetProcAddress);
        LIMBER_EGL_FIND(GetDisplay);
        LIMBER_EGL_FIND(Initialize);
        LIMBER_EGL_FIND(BindAPI);
        LIMBER_EGL_FIND(ChooseConfig);
        LIMBER_EGL_FIND(CreateContext);
        LIMBER_EGL_FIND(DestroyContext);
        LIMBER_EGL_FIND(MakeCurrent);
        LIMBER_EGL_FIND(GetCurrentContext);
        LIMBER_EGL_FIND(GetError);
        LIMBER_EGL_FIND(QueryString);
#undef LIMBER_EGL_FIND
#define LIMBER_GL_FIND(name) find(gl_library, "gl" #name, gl.name);
        LIMBER_GL_CALLS(LIMBER_GL_FIND)
#undef LIMBER_GL_FIND
    }

    bool try_platform(EGLenum platform) {
        EGLDisplay found = EGL_NO_DISPLAY;
        if (platform == 0) {
            found = egl.GetDisplay(EGL_DEFAULT_DISPLAY);
        } else if (const auto get = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
                       egl.GetProcAddress("eglGetPlatformDisplayEXT"))) {
            void* native = EGL_DEFAULT_DISPLAY;
            if (platform == EGL_PLATFORM_DEVICE_EXT && !first_device(native)) return false;
            found = get(platform, native, nullptr);
        }
        EGLint major = 0, minor = 0;
        if (found == EGL_NO_DISPLAY || egl.Initialize(found, &major, &minor) != EGL_TRUE) return false;
        const char* extensions = egl.QueryString(found, EGL_EXTENSIONS);
        if (extensions == nullptr || std::string(extensions).find("EGL_KHR_surfaceless_context") == std::string::npos)
            return false;
        display = found;
        return true;
    }

    bool first_device(void*& out) const {
        const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(egl.GetProcAddress("eglQueryDevicesEXT"));
        EGLDeviceEXT device = nullptr;
        EGLint count = 0;
        if (query == nullptr || query(1, &device, &count) != EGL_TRUE || count < 1) return false;
        out = device;
        return true;
    }
};

/// Not destroyed at exit: the driver's own exit handlers may run before ours would.
const Driver& driver() {
    static const Driver* const kDriver = new Driver();
    return *kDriver;
}

}  // namespace

const GlApi& gl() { return driver().gl; }

GlContext::GlContext() {
    const Driver& d = driver();
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (d.egl.BindAPI(EGL_OPENGL_ES_API) != EGL_TRUE ||
        d.egl.ChooseConfig(d.display, wanted, &config, 1, &count) != EGL_TRUE || count < 1) {
        refuse("EGL offers no OpenGL ES 3.0");
    }
    context_ = d.egl.CreateContext(d.display, config, EGL_NO_CONTEXT, version);
    if (context_ == EGL_NO_CONTEXT) refuse(text("no OpenGL ES 3.0 context (EGL error ", d.egl.GetError(), ")"));
}

GlContext::~GlContext() { driver().egl.DestroyContext(driver().display, context_); }

GlContext::Current::Current(const GlContext& context) : before_(driver().egl.GetCurrentContext()) {
    const Driver& d = driver();
    if (d.egl.MakeCurrent(d.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context.context_) != EGL_TRUE)
        refuse(text("the OpenGL context cannot be used (EGL error ", d.egl.GetError(), ")"));
}

GlContext::Current::~Current() { driver().egl.MakeCurrent(driver().display, EGL_NO_SURFACE, EGL_NO_SURFACE, before_); }

}  // namespace limber
