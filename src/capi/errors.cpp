#include "capi/handles.hpp"

#include <limber/version.hpp>

namespace limber::capi {

limber_status status_of(Fault fault) {
    switch (fault) {
        case Fault::bad_usage: return LIMBER_BAD_USAGE;
        case Fault::bad_file: return LIMBER_BAD_FILE;
        case Fault::bad_mesh: return LIMBER_BAD_MESH;
        case Fault::bad_material: return LIMBER_BAD_MATERIAL;
        case Fault::bad_scene: return LIMBER_BAD_SCENE;
        case Fault::bad_option: return LIMBER_BAD_OPTION;
        case Fault::bad_data: return LIMBER_BAD_DATA;
        case Fault::unsupported: return LIMBER_UNSUPPORTED;
        case Fault::interrupted: return LIMBER_INTERRUPTED;
    }
    return LIMBER_INTERNAL;
}

void hand_out(const std::vector<std::uint8_t>& from, std::uint8_t** bytes, std::size_t* size) {
    auto* copy = new std::uint8_t[std::max<std::size_t>(from.size(), 1)];
    std::copy(from.begin(), from.end(), copy);
    *bytes = copy;
    *size = from.size();
}

}  // namespace limber::capi

using namespace limber;
using namespace limber::capi;

int limber_c_api(void) { return LIMBER_C_API; }

const char* limber_version(void) {
    static const std::string version = provenance().version;
    return version.c_str();
}

const char* limber_status_word(limber_status status) {
    switch (status) {
        case LIMBER_OK: return "ok";
        case LIMBER_BAD_USAGE: return to_string(Fault::bad_usage);
        case LIMBER_BAD_FILE: return to_string(Fault::bad_file);
        case LIMBER_BAD_MESH: return to_string(Fault::bad_mesh);
        case LIMBER_BAD_MATERIAL: return to_string(Fault::bad_material);
        case LIMBER_BAD_SCENE: return to_string(Fault::bad_scene);
        case LIMBER_BAD_OPTION: return to_string(Fault::bad_option);
        case LIMBER_BAD_DATA: return to_string(Fault::bad_data);
        case LIMBER_UNSUPPORTED: return to_string(Fault::unsupported);
        case LIMBER_INTERRUPTED: return to_string(Fault::interrupted);
        case LIMBER_NO_MEMORY: return "no_memory";
        case LIMBER_INTERNAL: break;
    }
    return "internal";
}

void limber_error_line(const limber_error* error, char* line, size_t size) {
    if (error == nullptr) return copy_text("error is NULL", line, size);
    std::string text = error->place;
    if (!text.empty()) text += ": ";
    text += error->found;
    if (error->expected[0] != '\0') text += std::string("; expected ") + error->expected;
    copy_text(text, line, size);
}

void limber_bytes_free(uint8_t* bytes) { delete[] bytes; }

limber_status limber_set_threads(int threads, limber_error* error) {
    return guarded(error, [&] {
        if (threads < 1) throw Error(Fault::bad_usage, {}, "threads is " + std::to_string(threads), "at least 1");
        set_thread_count(threads);
    });
}
