// Layout, little-endian: magic (8 bytes), format version u32, method name, body hash u64, payload length u64,
// checksum u64 of the payload (FNV-1a), payload.
#include "deform/deformer_file.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr std::uint8_t kMagic[8] = {'l', 'i', 'm', 'b', 'e', 'r', 'D', '\0'};
constexpr std::uint32_t kFormat = 1;

// Covers name and hash too: a flipped bit in the name would otherwise blame the registry.
std::uint64_t checksum(const std::string& method, std::uint64_t body_hash, std::span<const std::uint8_t> payload) {
    std::uint64_t hash = 0xcbf29ce484222325ull;
    const auto add = [&](std::uint8_t byte) { hash = (hash ^ byte) * 0x100000001b3ull; };
    for (const char c : method) add(static_cast<std::uint8_t>(c));
    for (int i = 0; i < 8; ++i) add(static_cast<std::uint8_t>(body_hash >> (8 * i)));
    for (const std::uint8_t byte : payload) add(byte);
    return hash;
}

struct Header {
    std::string method;
    std::uint64_t body_hash = 0;
    std::span<const std::uint8_t> payload;
};

Header read_header(std::span<const std::uint8_t> bytes, ByteReader& in) {
    for (const std::uint8_t expected : kMagic)
        if (in.u8() != expected) in.fail("this is not a saved deformer", "the magic bytes 'limberD'");
    const std::uint32_t format = in.u32();
    if (format == 0 || format > kFormat)
        in.fail(text("format ", format), text("format ", kFormat, " or older: a newer limber wrote this"));
    Header header;
    header.method = in.text();
    header.body_hash = in.u64();
    const std::uint64_t length = in.u64();
    const std::uint64_t sum = in.u64();
    if (length != in.left())
        in.fail(text(in.left(), " bytes follow the header"), text(length, " bytes: the data was cut or glued"));
    header.payload = bytes.subspan(bytes.size() - in.left());
    if (sum != checksum(header.method, header.body_hash, header.payload))
        in.fail("the checksum does not match", "undamaged data");
    return header;
}

}  // namespace

std::vector<std::uint8_t> save_deformer(const Deformer& deformer) {
    ByteWriter payload;
    deformer.save(payload);
    const std::string method = deformer.method_name();
    const std::uint64_t hash = deformer.body().hash();
    ByteWriter out;
    for (const std::uint8_t byte : kMagic) out.u8(byte);
    out.u32(kFormat);
    out.text(method);
    out.u64(hash);
    out.u64(payload.bytes().size());
    out.u64(checksum(method, hash, payload.bytes()));
    std::vector<std::uint8_t> bytes = out.bytes();
    bytes.insert(bytes.end(), payload.bytes().begin(), payload.bytes().end());
    return bytes;
}

std::unique_ptr<Deformer> load_deformer(std::shared_ptr<const Body> body, std::span<const std::uint8_t> bytes,
                                        const InputLocation& place, const MethodFinder& find) {
    if (body == nullptr) throw Error(Fault::bad_usage, place, "no body to load a deformer for");
    ByteReader in(bytes, place);
    const Header header = read_header(bytes, in);
    const Method* method = find(header.method);
    if (method == nullptr)
        in.fail(text("a deformer of method '", header.method, "', which this program does not have"), "a known method");
    if (header.body_hash != body->hash()) {
        in.fail(text("a deformer of another body (", fmt::format("{:016x}", header.body_hash), ")"),
                text("one of body '", body->name(), "' (", fmt::format("{:016x}", body->hash()), ")"));
    }
    ByteReader payload(header.payload, place);
    std::unique_ptr<Deformer> deformer = method->load(std::move(body), payload);
    if (deformer == nullptr) payload.fail("the method could not read its part");
    if (payload.left() != 0)
        payload.fail(counted(payload.left(), "byte") + " left over", "nothing after the method's part");
    return deformer;
}

}  // namespace limber
