// VTU with appended raw data (UInt64 lengths, little-endian), and PVD collections of such files.
#include "io/element_types.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/written_by.hpp"
#include "io/vtk/xml.hpp"

#include "core/text.hpp"

#include <limber/tools/mesh_io.hpp>

#include <cmath>

namespace limber {

namespace {
// The XML part and the appended block grow together: an array's offset is where the block stands.
class VtuOutput {
public:
    template <class T>
    void array(const char* type, std::string_view name, int components, std::span<const T> values) {
        // Scalars go without a number of components: with one, meshio makes columns of them.
        const std::string width = components == 1 ? std::string() : text("NumberOfComponents=\"", components, "\" ");
        line(text("<DataArray type=\"", type, "\" Name=\"", xml_escaped(name), "\" ", width,
                  "format=\"appended\" offset=\"", data_.size(), "\"/>"));
        const std::uint64_t bytes = values.size_bytes();
        append(&bytes, sizeof bytes);
        append(values.data(), values.size_bytes());
    }
    void line(std::string_view words) { xml_.append(words).push_back('\n'); }
    std::string take() && {
        return std::move(xml_) + "<AppendedData encoding=\"raw\">\n_" + data_ + "\n</AppendedData>\n</VTKFile>\n";
    }

private:
    void append(const void* from, std::size_t n) {
        if (n > 0) data_.append(static_cast<const char*>(from), n);
    }
    std::string xml_, data_;
};

void put_sets(VtuOutput& out, const std::map<std::string, IndexSet>& sets, std::size_t count) {
    for (const auto& [name, set] : sets) {
        std::vector<std::uint8_t> marks(count, 0);
        for (const std::int32_t i : set) marks[static_cast<std::size_t>(i)] = 1;
        out.array<std::uint8_t>("UInt8", "set:" + name, 1, marks);
    }
}

void check_fields(const std::string& path, const Mesh& mesh, std::span<const VtuField> fields) {
    for (const VtuField& f : fields) {
        const std::size_t count = f.on_cells ? mesh.cell_count() : mesh.vertices.size();
        const auto fail = [&](const std::string& found) {
            throw Error(Fault::bad_usage, {path, 0, {}}, text("not written: field ", in_quotes(f.name), found));
        };
        if (!is_name(f.name)) fail(" has no name that is text");
        if (f.components < 1 || f.values.size() != count * static_cast<std::size_t>(f.components)) {
            fail(text(" has ", f.values.size(), " values, not ", f.components, " for each of ", count,
                      f.on_cells ? " cells" : " vertices"));
        }
        for (const double v : f.values)
            if (!std::isfinite(v)) fail(" has values that are not finite");
    }
}

void put_fields(VtuOutput& out, std::span<const VtuField> fields, bool on_cells) {
    for (const VtuField& f : fields)
        if (f.on_cells == on_cells) out.array<double>("Float64", f.name, f.components, f.values);
}

void put_cells(VtuOutput& out, const Mesh& mesh) {
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    std::vector<std::int64_t> ends;
    for (std::size_t c = 1; c <= mesh.cell_count(); ++c) ends.push_back(static_cast<std::int64_t>(c * corners));
    out.array<std::int32_t>("Int32", "connectivity", 1, mesh.cells);
    out.array<std::int64_t>("Int64", "offsets", 1, ends);
    out.array<std::uint8_t>(
        "UInt8", "types", 1,
        std::vector<std::uint8_t>(mesh.cell_count(), static_cast<std::uint8_t>(element_type(mesh.kind).vtk)));
}
}  // namespace

void write_vtu(const std::string& path, const Mesh& mesh, std::span<const VtuField> fields, const std::string& about) {
    check_writable(path, mesh);
    check_fields(path, mesh, fields);
    std::vector<double> points;
    for (const Vec3& p : mesh.vertices) points.insert(points.end(), {p.x, p.y, p.z});

    VtuOutput out;
    out.line("<?xml version=\"1.0\"?>");
    out.line(text("<!-- ", written_by(about), " -->"));
    out.line("<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">");
    out.line(text("<UnstructuredGrid>\n<Piece NumberOfPoints=\"", mesh.vertices.size(), "\" NumberOfCells=\"",
                  mesh.cell_count(), "\">"));
    out.line("<Points>");
    out.array<double>("Float64", "Points", 3, points);
    out.line("</Points>\n<Cells>");
    put_cells(out, mesh);
    out.line("</Cells>\n<PointData>");
    put_fields(out, fields, false);
    put_sets(out, mesh.vertex_sets, mesh.vertices.size());
    out.line("</PointData>\n<CellData>");
    put_fields(out, fields, true);
    put_sets(out, mesh.cell_sets, mesh.cell_count());
    out.line("</CellData>\n</Piece>\n</UnstructuredGrid>");
    write_file(path, std::move(out).take());
}

void write_pvd(const std::string& path, std::span<const PvdEntry> entries, const std::string& about) {
    std::string out = text("<?xml version=\"1.0\"?>\n<!-- ", written_by(about), " -->\n");
    out += "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
    for (const PvdEntry& e : entries) {
        if (!std::isfinite(e.time) || !is_name(e.file)) {
            throw Error(Fault::bad_usage, {path, 0, {}},
                        text("not written: an entry with time ", e.time, " and file ", in_quotes(e.file)));
        }
        fmt::format_to(std::back_inserter(out), "<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n",
                       e.time, xml_escaped(e.file));
    }
    write_file(path, out + "</Collection>\n</VTKFile>\n");
}

std::vector<PvdEntry> read_pvd(const std::string& path) {
    const ReadBudget budget;
    const std::string bytes = read_file(path);
    Scanner in(bytes, path);
    const XmlElement root = parse_xml(in, {});
    const XmlElement* collection = root.child("Collection");
    if (root.name != "VTKFile" || collection == nullptr) {
        in.fail_at(root.position, Fault::bad_file, text("found <", root.name.substr(0, 40), ">"),
                   "a VTKFile with a Collection");
    }
    std::vector<PvdEntry> entries;
    for (const XmlElement& e : collection->children) {
        if (e.name != "DataSet") continue;
        const std::string *time = e.attribute("timestep"), *file = e.attribute("file");
        PvdEntry entry{0.0, file == nullptr ? std::string() : *file};
        if (!is_name(entry.file))
            in.fail_at(e.position, Fault::bad_file, "a DataSet without a file", "file=\"name.vtu\"");
        if (time != nullptr && (!parse_real(*time, entry.time) || !std::isfinite(entry.time)))
            in.fail_at(e.position, Fault::bad_file, text("timestep is ", in_quotes(*time)), "a number");
        entries.push_back(std::move(entry));
    }
    return entries;
}

}  // namespace limber
