// Materials are read from files beside the OBJ, so each input becomes one.
#include "fuzz/fuzz.hpp"
#include "io/surface/painted_file.hpp"

#include <cstdio>
#include <filesystem>

#include <unistd.h>

namespace {

std::string folder() {
    static const std::string made = [] {
        std::string pattern = (std::filesystem::temp_directory_path() / "limber_fuzz_mtl_XXXXXX").string();
        limber::fuzz::demand(::mkdtemp(pattern.data()) != nullptr);
        return pattern;
    }();
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace limber;
    std::FILE* file = std::fopen((folder() + "/input.mtl").c_str(), "wb");
    fuzz::demand(file != nullptr);
    std::fwrite(data, 1, size, file);
    std::fclose(file);
    return fuzz::try_input(data, size, [](std::string_view) {
        ObjModel model;
        model.materials = {"wood", "iron"};
        model.libraries = {"input.mtl"};
        PaintedSurface painted;
        std::vector<std::string> remarks;
        read_obj_looks(model, folder() + "/input.obj", painted, remarks);
        fuzz::demand(painted.looks.size() == 2);
        check(painted, {});
        for (const std::string& remark : remarks) fuzz::demand(remark.find('\n') == std::string::npos);
    });
}
