// The reader that keeps everything an artist wrote, and the two writers that give it back.
#include "fuzz/fuzz.hpp"
#include "io/surface/repaired.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace limber;
    return fuzz::try_input(data, size, [](std::string_view bytes) {
        const ObjModel model = parse_obj_model(std::string(bytes), "input.obj");
        fuzz::use_surface(model.surface);
        for (std::size_t c = 0; c < model.surface.faces.size(); ++c) {
            fuzz::demand(model.corner_uv[c] < static_cast<std::int32_t>(model.uvs.size()));
            fuzz::demand(model.corner_normal[c] < static_cast<std::int32_t>(model.normals.size()));
        }
        const std::string again = rewrite_obj(model, model.surface.vertices, model.normals, "again");
        fuzz::demand(parse_obj_model(again, "again.obj").surface.faces == model.surface.faces);
        if (model.surface.face_count() > 2000) return;
        RepairReport report;
        RepairSources sources;
        std::vector<std::string> remarks;
        const Surface repaired = repair(model.surface, report, &sources);
        if (repaired.face_count() > 0) {
            fuzz::demand(parse_obj_model(repaired_obj(model, repaired, sources, "mended", remarks), "mended.obj")
                             .surface.faces == repaired.faces);
        }
    });
}
