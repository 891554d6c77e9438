#include "playback/series_vtu.hpp"

#include "io/files/atomic_file.hpp"
#include "io/files/named_file.hpp"
#include "io/vtk/vtu_arrays.hpp"
#include "playback/series_data.hpp"

#include "core/text.hpp"

#include <limber/tools/mesh_io.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace limber {

namespace {
constexpr std::string_view kDisplacementNames[] = {"displacement", "displacements", "u", "disp"};
constexpr std::string_view kVelocityNames[] = {"velocity", "velocities", "v"};

bool same_word(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y; });
}

class VtuPointReader {
public:
    VtuPointReader(Scanner& in, const XmlElement& root) : arrays_(in, root), root_(root) {}

    VtuPoints read() {
        const XmlElement* grid = root_.child("UnstructuredGrid");
        if (grid == nullptr || root_.name != "VTKFile") {
            arrays_.fail(root_, text("a file that starts with ", in_quotes(root_.name)),
                         "a VTKFile with an UnstructuredGrid");
        }
        if (const XmlElement* field = grid->child("FieldData")) read_time(*field);
        bool first = true;
        for (const XmlElement& piece : grid->children) {
            if (piece.name != "Piece") continue;
            read_piece(piece, first);
            first = false;
        }
        if (out_.points.empty()) arrays_.fail(*grid, "the grid has no points", "one or more");
        return std::move(out_);
    }

private:
    void read_time(const XmlElement& field) {
        for (const XmlElement& a : field.children) {
            if (const std::string* n = a.attribute("Name");
                a.name == "DataArray" && n != nullptr && *n == "TimeValue") {
                const std::vector<double> t = arrays_.reals(a);
                if (t.size() == 1 && std::isfinite(t[0])) out_.time = t[0];
            }
        }
    }
    void read_piece(const XmlElement& piece, bool first) {
        const XmlElement* points = piece.child("Points");
        if (points == nullptr || points->child("DataArray") == nullptr) arrays_.fail(piece, "a piece without points");
        const std::size_t before = out_.points.size();
        append(out_.points, *points->child("DataArray"), "point", before);
        const std::size_t count = out_.points.size() - before;
        const XmlElement* data = piece.child("PointData");
        read_field(data, kDisplacementNames, piece, first, count, out_.displacement_name, out_.displacement);
        read_field(data, kVelocityNames, piece, first, count, out_.velocity_name, out_.velocity);
    }
    // The first piece decides which array it is; the others must have it too.
    template <std::size_t N>
    void read_field(const XmlElement* data, const std::string_view (&names)[N], const XmlElement& piece, bool first,
                    std::size_t count, std::string& name, std::vector<Vec3>& out) {
        if (!first && name.empty()) return;
        const XmlElement* found = first ? find_usual(data, names) : find_exact(data, name);
        if (found == nullptr && first) return;
        if (found == nullptr)
            arrays_.fail(piece, text("a piece without the array ", in_quotes(name)), "all pieces to have it");
        name = *found->attribute("Name");
        const std::size_t before = out.size();
        append(out, *found, "vector", before);
        if (out.size() - before != count) {
            arrays_.fail(*found, text("the array ", in_quotes(name), " has ", out.size() - before, " vectors"),
                         text(count, ", one per point"));
        }
    }
    template <std::size_t N>
    static const XmlElement* find_usual(const XmlElement* data, const std::string_view (&names)[N]) {
        for (const std::string_view usual : names) {
            if (data != nullptr) {
                for (const XmlElement& a : data->children) {
                    if (const std::string* n = a.attribute("Name");
                        a.name == "DataArray" && n != nullptr && same_word(*n, usual) && width_of(a) != 1) {
                        return &a;
                    }
                }
            }
        }
        return nullptr;
    }
    static const XmlElement* find_exact(const XmlElement* data, const std::string& name) {
        if (data != nullptr) {
            for (const XmlElement& a : data->children) {
                if (const std::string* n = a.attribute("Name"); a.name == "DataArray" && n != nullptr && *n == name)
                    return &a;
            }
        }
        return nullptr;
    }
    static std::int64_t width_of(const XmlElement& array) {
        std::int64_t n = 1;
        if (const std::string* words = array.attribute("NumberOfComponents");
            words != nullptr && !parse_integer(*words, n)) {
            return 0;
        }
        return n;
    }
    void append(std::vector<Vec3>& out, const XmlElement& array, const char* what, std::size_t before) {
        const std::int64_t width = array.attribute("NumberOfComponents") == nullptr ? 3 : width_of(array);
        if (width != 2 && width != 3) arrays_.fail(array, text("an array of ", width, " components"), "2 or 3");
        const std::vector<double> values = arrays_.reals(array);
        const auto w = static_cast<std::size_t>(width);
        if (values.size() % w != 0) arrays_.fail(array, text(values.size(), " numbers"), text("a multiple of ", w));
        for (std::size_t i = 0; i < values.size(); i += w) {
            const Vec3 v{values[i], values[i + 1], w == 3 ? values[i + 2] : 0.0};
            if (!is_finite(v)) {
                arrays_.fail(array, text(what, " ", out.size() - before, " is not finite"), "finite numbers",
                             Fault::bad_mesh);
            }
            out.push_back(v);
        }
    }

    VtuArrays arrays_;
    const XmlElement& root_;
    VtuPoints out_;
};

struct VtuFile {
    std::string path;
    std::optional<double> time;
};

std::vector<VtuFile> files_of_pvd(const std::string& path) {
    std::vector<VtuFile> out;
    std::set<std::string> seen;
    for (const PvdEntry& e : read_pvd(path)) {
        if (ending_of(e.file) != ".vtu") {
            throw Error(Fault::unsupported, {path, 0, {}}, text("the file ", in_quotes(e.file)),
                        "files that end in .vtu");
        }
        const NamedFile file = file_named_by(path, e.file);
        if (file.state != NamedFile::State::fine) {
            throw Error(Fault::bad_file, {path, 0, {}}, text("the file ", in_quotes(e.file), " ", to_words(file.state)),
                        "files beside the PVD file or below");
        }
        if (!seen.insert(file.real.string()).second) {
            throw Error(Fault::bad_file, {path, 0, {}}, text("the file ", in_quotes(e.file), " is named twice"),
                        "one file per frame");
        }
        out.push_back({file.path.string(), e.time});
    }
    if (out.empty())
        throw Error(Fault::bad_file, {path, 0, {}}, "the collection has no files", "one DataSet per frame");
    return out;
}

std::vector<VtuFile> numbered_vtu_files(const std::string& pattern) {
    const std::filesystem::path whole(pattern);
    const std::string name = whole.filename().string(), head = name.substr(0, name.find('*')),
                      tail = name.substr(name.find('*') + 1);
    const std::filesystem::path folder = whole.has_parent_path() ? whole.parent_path() : std::filesystem::path(".");
    std::vector<std::pair<std::int64_t, std::string>> found;
    std::error_code problem;
    for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
        const std::string file = at->path().filename().string();
        if (file.size() <= head.size() + tail.size() || !file.starts_with(head) || !file.ends_with(tail)) continue;
        const std::string middle = file.substr(head.size(), file.size() - head.size() - tail.size());
        std::int64_t number = 0;
        if (middle.find_first_not_of("0123456789") == std::string::npos && parse_integer(middle, number))
            found.emplace_back(number, at->path().string());
    }
    if (problem) throw Error(Fault::bad_file, {pattern, 0, {}}, text("the folder cannot be read: ", problem.message()));
    if (found.empty())
        throw Error(Fault::bad_file, {pattern, 0, {}}, "no file has such a name", "a number in place of the '*'");
    std::sort(found.begin(), found.end());
    std::vector<VtuFile> out;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i > 0 && found[i].first == found[i - 1].first)
            throw Error(Fault::bad_file, {pattern, 0, {}}, text("two files have the number ", found[i].first), "one");
        out.push_back({found[i].second, {}});
    }
    return out;
}

std::vector<VtuFile> files_of(const std::string& path) {
    if (ending_of(path) == ".pvd") return files_of_pvd(path);
    if (std::filesystem::path(path).filename().string().find('*') != std::string::npos) return numbered_vtu_files(path);
    return {{path, {}}};
}

// Which of the two tells the motion is known only when all files are read: both are kept until then.
class VtuSeries {
public:
    void add(const VtuFile& file) {
        const std::string bytes = read_file(file.path);
        VtuPoints frame = parse_vtu_points(bytes, file.path);
        const InputLocation place{file.path, 0, {}};
        if (positions_.empty()) {
            first_ = frame;
            try {
                mesh_ = parse_vtu(bytes, file.path);
            } catch (const Error&) {
                mesh_.reset();  // cells that limber does not have: the points still serve
            }
        }
        if (frame.points.size() != first_.points.size()) {
            throw Error(Fault::bad_mesh, place, counted(frame.points.size(), "point"),
                        text(first_.points.size(), ", as in the first file"));
        }
        if (frame.displacement_name != first_.displacement_name) {
            throw Error(Fault::bad_file, place, text("the array ", in_quotes(frame.displacement_name)),
                        text(in_quotes(first_.displacement_name), ", as in the first file"));
        }
        moves_ = moves_ || frame.points != first_.points;
        if (frame.velocity_name == first_.velocity_name && !frame.velocity.empty())
            velocities_.push_back(std::move(frame.velocity));
        displacements_.push_back(std::move(frame.displacement));
        positions_.push_back(std::move(frame.points));
        if (const std::optional<double> t = file.time ? file.time : frame.time) times_.push_back(*t);
    }

    SeriesData finish() && {
        SeriesData out;
        out.points = first_.points.size();
        out.displaced = !first_.displacement_name.empty() && !moves_;
        if (out.displaced) {
            out.rest = first_.points;
            out.remarks.push_back(text("displacements are the array ", in_quotes(first_.displacement_name),
                                       " on points that do not move"));
        } else {
            out.remarks.push_back(first_.displacement_name.empty()
                                      ? std::string("positions are the points of the files")
                                      : text("positions are the points of the files, which move; the array ",
                                             in_quotes(first_.displacement_name), " is passed over"));
        }
        out.frames = std::move(out.displaced ? displacements_ : positions_);
        if (velocities_.size() == out.frames.size()) out.velocities = std::move(velocities_);
        if (times_.size() == out.frames.size()) out.times = std::move(times_);
        if (mesh_ && mesh_->vertices.size() == out.points) out.mesh = std::move(mesh_);
        return out;
    }

private:
    VtuPoints first_;
    std::optional<Mesh> mesh_;
    bool moves_ = false;
    std::vector<std::vector<Vec3>> positions_, displacements_, velocities_;
    std::vector<double> times_;
};
}  // namespace

VtuPoints parse_vtu_points(std::string_view bytes, const std::string& name) {
    Scanner in(bytes, name);
    const XmlElement root = parse_xml(in, "AppendedData");
    return VtuPointReader(in, root).read();
}

SeriesData load_vtu_series(const std::string& path) {
    const ReadBudget budget;
    VtuSeries series;
    for (const VtuFile& file : files_of(path)) series.add(file);
    return std::move(series).finish();
}

}  // namespace limber
