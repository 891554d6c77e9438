#include <limber/series.hpp>

#include "core/text.hpp"

namespace limber {

const char* to_string(SeriesMatch match) {
    switch (match) {
        case SeriesMatch::automatic: return "automatic";
        case SeriesMatch::by_index: return "by_index";
        case SeriesMatch::by_rest_position: return "by_rest_position";
    }
    return "?";
}

const char* to_string(SeriesFormat format) {
    switch (format) {
        case SeriesFormat::npz: return "npz";
        case SeriesFormat::pc2: return "pc2";
        case SeriesFormat::mdd: return "mdd";
        case SeriesFormat::vtu: return "vtu";
        case SeriesFormat::csv: return "csv";
    }
    return "?";
}

Recording read_series(const SeriesSource& source, std::shared_ptr<const Body>) {
    if (source.path.ends_with(".limber")) return read_recording(source.path);
    throw Error(Fault::unsupported, {source.path, 0, {}}, "series of other programs cannot be read yet", "a .limber recording");
}

SeriesWritten write_series(const Recording&, const SeriesTarget& target) {
    throw Error(Fault::unsupported, {target.path, 0, {}}, text("writing ", to_string(target.format), " is not there yet"));
}

}  // namespace limber
