#include "io/gltf/gltf_document.hpp"

#include "io/files/atomic_file.hpp"
#include "io/files/named_file.hpp"
#include "io/files/scanner.hpp"
#include "io/vtk/vtu_arrays.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace limber {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF is little-endian and read by copying");

/// Values that JSON text can hold at most: each costs a hundred times more memory than its two characters.
constexpr std::ptrdiff_t kMostValues = 2'000'000;

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t v;
    std::memcpy(&v, bytes.data() + at, sizeof v);
    return v;
}

/// Extensions without which we still read the file rightly: they concern looks, lights, or number formats we read
/// anyway.
bool understood(const std::string& extension) {
    static const char* const kKnown[] = {"KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual",
                                         "KHR_animation_pointer", "KHR_node_visibility",   "KHR_texture_basisu",
                                         "EXT_texture_webp",      "EXT_texture_avif",      "MSFT_texture_dds",
                                         "KHR_xmp_json_ld"};
    return extension.starts_with("KHR_materials_") ||
           std::find(std::begin(kKnown), std::end(kKnown), extension) != std::end(kKnown);
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string percent_decoded(const std::string& uri) {
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const int high = uri[i] == '%' && i + 2 < uri.size() ? hex_digit(uri[i + 1]) : -1;
        const int low = high >= 0 ? hex_digit(uri[i + 2]) : -1;
        out += low >= 0 ? static_cast<char>(16 * high + low) : uri[i];
        if (low >= 0) i += 2;
    }
    return out;
}

/// A URI with a scheme, or a path of another system, is no file beside this one.
bool is_plain_name(const std::string& name) { return name.find_first_of("\\:") == std::string::npos; }

}  // namespace

GltfDocument::GltfDocument(std::string_view bytes, const std::string& path) : budget_(bytes.size()), path_(path) {
    is_binary_ = bytes.starts_with("glTF");
    if (is_binary_) {
        open_container(bytes);
    } else {
        parse(bytes);
    }
    check_asset();
    open_buffers();
}

void GltfDocument::open_container(std::string_view bytes) {
    const auto fail = [&](const std::string& found, const std::string& expected) {
        throw Error(Fault::bad_file, {path_, 0, {}}, found, expected);
    };
    if (bytes.size() < 20) fail(text("a GLB file of ", counted(bytes.size(), "byte")), "20 or more");
    if (word_at(bytes, 4) != 2) fail(text("GLB version ", word_at(bytes, 4)), "version 2");
    if (word_at(bytes, 8) > bytes.size())
        fail(text("the file is cut: its header says ", word_at(bytes, 8), " bytes, it has ", bytes.size()), {});
    bytes = bytes.substr(0, std::max<std::size_t>(word_at(bytes, 8), 20));
    std::string_view json;
    for (std::size_t at = 12, chunk = 0; at + 8 <= bytes.size(); ++chunk) {
        const std::size_t length = word_at(bytes, at);
        const std::string_view kind = bytes.substr(at + 4, 4);
        if (length > bytes.size() - at - 8)
            fail(text("chunk ", chunk, " claims ", length, " bytes, but ", bytes.size() - at - 8, " are left"), {});
        const std::string_view content = bytes.substr(at + 8, length);
        if (chunk == 0 && kind != "JSON") fail(text("the first chunk is ", in_quotes(kind)), "'JSON'");
        if (chunk == 0) json = content;
        if (chunk == 1 && kind == std::string_view("BIN\0", 4)) {
            binary_ = content;
            has_binary_ = true;
        }
        at += 8 + length;
    }
    parse(json);
}

void GltfDocument::parse(std::string_view json) {
    const auto refuse = [&](const std::string& found, const std::string& expected) {
        throw Error(Fault::unsupported, {path_, 0, {}}, found, expected);
    };
    const auto values = std::count_if(json.begin(), json.end(),
                                      [](char c) { return c == ',' || c == '[' || c == '{'; });
    if (values > kMostValues)
        refuse(text("a JSON text of more than ", kMostValues, " values"), "fewer: data belongs in buffers");
    while (!json.empty() && json.back() == '\0') json.remove_suffix(1);  // some writers pad the chunk with zeros
    std::vector<SceneFault> faults;
    const bool usable = parse_json(json, path_, faults, json_);
    if (!faults.empty())
        throw Error(Fault::bad_file, faults.front().place, faults.front().found, faults.front().expected);
    if (!usable || !json_.is(JsonValue::Kind::object))
        throw Error(Fault::bad_file, {path_, 0, {}}, "this is no glTF file", "a JSON object with an 'asset'");
}

void GltfDocument::check_asset() const {
    const GltfField asset = root()["asset"];
    const std::string version = asset["version"].needed().text();
    if (!version.starts_with("2."))
        asset["version"].fail(text("glTF version ", in_quotes(version)), "version 2", Fault::unsupported);
    const GltfField required = root()["extensionsRequired"];
    for (std::size_t i = 0; i < required.size(); ++i) {
        const std::string name = required.at(i).text();
        const bool packed = name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression";
        if (!understood(name)) {
            required.at(i).fail(text("the file needs the extension ", in_quotes(name)),
                                packed ? "a file without mesh compression: export it again with compression off"
                                       : "only extensions that limber knows",
                                Fault::unsupported);
        }
    }
}

void GltfDocument::open_buffers() {
    const GltfField list = root()["buffers"];
    for (std::size_t b = 0; b < list.size(); ++b) {
        const GltfField buffer = list.at(b);
        const std::size_t length = buffer["byteLength"].needed().count(0);
        std::string_view bytes = binary_;
        if (buffer["uri"].there()) {
            bytes = resource(buffer["uri"], length);
        } else if (b != 0 || !has_binary_) {
            buffer.fail("has no 'uri'", "one (only the first buffer of a GLB file may go without)");
        }
        if (bytes.size() < length)
            buffer["byteLength"].fail(text("the buffer claims ", length, " bytes, but ", bytes.size(), " are there"));
        buffers_.push_back(bytes.substr(0, length));
    }
}

std::string_view GltfDocument::resource(const GltfField& at, std::size_t most) {
    const std::string uri = at.text();
    if (uri.starts_with("data:")) {
        const std::size_t comma = uri.find(',');
        if (comma == std::string::npos || !std::string_view(uri).substr(0, comma).ends_with(";base64"))
            at.fail("a data URI that is not base64", "'data:...;base64,...'");
        if (!decode_base64(std::string_view(uri).substr(comma + 1), most, decoded_.emplace_back()))
            at.fail("a data URI with characters that are not base64");
        return decoded_.back();
    }
    const std::string name = percent_decoded(uri);
    const NamedFile file = is_plain_name(name) ? file_named_by(path_, name) : NamedFile{};
    if (file.state == NamedFile::State::missing)
        at.fail(text("the file ", in_quotes(name), " ", to_words(file.state)), "it beside the glTF file");
    if (file.state != NamedFile::State::fine) {
        at.fail(text("the URI ", in_quotes(name), " leads elsewhere"),
                "a file in the folder of the glTF file or below, or a data URI");
    }
    const auto [entry, fresh] = files_.try_emplace(file.real.string());
    if (fresh) entry->second = read_file(file.path.string());
    return entry->second;
}

std::string_view GltfDocument::view(const GltfField& at) const {
    const GltfField list = root()["bufferViews"];
    const GltfField view = list.at(static_cast<std::size_t>(at.needed().index(list.size())));
    if (view["extensions"]["EXT_meshopt_compression"].there())
        view.fail("is compressed (EXT_meshopt_compression)", "a file without compression", Fault::unsupported);
    const auto buffer = static_cast<std::size_t>(view["buffer"].needed().index(buffers_.size()));
    const std::size_t offset = view["byteOffset"].count(0), length = view["byteLength"].needed().count(0);
    const std::string_view bytes = buffers_[buffer];
    if (offset > bytes.size() || length > bytes.size() - offset) {
        view.fail(text("bytes ", offset, " to ", offset + length, " of a buffer of ", bytes.size()), {},
                  Fault::bad_file);
    }
    return bytes.substr(offset, length);
}

void GltfDocument::spend_bytes(const GltfField& at, std::uint64_t bytes) const {
    // Sharing is fine within reason: a mesh shown a few times, times used by all curves.
    if (!budget_.take(bytes))
        at.fail(budget_.excess("what the file unfolds into"), budget_.limit(), Fault::unsupported);
}

}  // namespace limber
