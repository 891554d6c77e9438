#include "io/matrix/matrix_market.hpp"

#include "core/assert.hpp"
#include "core/text.hpp"
#include "io/files/atomic_file.hpp"

#include <cmath>

namespace limber {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;  // bytes gathered before they are written

std::string head(const char* kind, std::span<const std::string> comments) {
    std::string out = text("%%MatrixMarket matrix ", kind, "\n");
    for (const std::string& comment : comments) {
        out += "% ";
        for (const char c : comment) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
        out += '\n';
    }
    return out;
}

void flush(AtomicFile& file, std::string& buffer, std::size_t least) {
    if (buffer.size() < least) return;
    file.write(buffer);
    buffer.clear();
}

double checked(const std::string& path, double value) {
    if (!std::isfinite(value)) {
        throw Error(Fault::bad_data, {path, 0, {}}, "an entry that is not finite",
                    "materials and sizes that do not overflow");
    }
    return value;
}

std::size_t lower_entries(const SparseMatrix& m) {
    std::size_t count = 0;
    for (std::size_t r = 0; r < m.rows(); ++r) {
        for (auto e = static_cast<std::size_t>(m.starts[r]); e < static_cast<std::size_t>(m.starts[r + 1]); ++e)
            if (static_cast<std::size_t>(m.columns[e]) <= r) ++count;
    }
    return count;
}

}  // namespace

void write_matrix_market(const std::string& path, const SparseMatrix& m, std::span<const std::string> comments,
                         Progress& progress) {
    AtomicFile file(path);
    std::string buffer = head("coordinate real symmetric", comments);
    buffer += text(m.rows(), " ", m.rows(), " ", lower_entries(m), "\n");
    for (std::size_t r = 0; r < m.rows(); ++r) {
        if (r % 1024 == 0) {
            progress.update(static_cast<double>(r) / static_cast<double>(m.rows()), "writing matrices");
            if (progress.stop_requested()) throw Error(Fault::interrupted, {path, 0, {}}, "interrupted while writing");
        }
        for (auto e = static_cast<std::size_t>(m.starts[r]); e < static_cast<std::size_t>(m.starts[r + 1]); ++e) {
            if (static_cast<std::size_t>(m.columns[e]) > r) break;
            fmt::format_to(std::back_inserter(buffer), "{} {} {:.17g}\n", r + 1, m.columns[e] + 1,
                           checked(path, m.values[e]));
        }
        flush(file, buffer, kChunk);
    }
    flush(file, buffer, 1);
    file.commit();
}

void write_matrix_market(const std::string& path, std::span<const double> values, std::size_t columns,
                         std::span<const std::string> comments) {
    LIMBER_ASSERT(columns > 0 && values.size() % columns == 0);
    AtomicFile file(path);
    std::string buffer = head("array real general", comments);
    buffer += text(values.size() / columns, " ", columns, "\n");
    for (const double value : values) {
        fmt::format_to(std::back_inserter(buffer), "{:.17g}\n", checked(path, value));
        flush(file, buffer, kChunk);
    }
    flush(file, buffer, 1);
    file.commit();
}

}  // namespace limber
