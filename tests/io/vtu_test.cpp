#include "io/samples.hpp"
#include "io/temporary_folder.hpp"

#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/vtk/vtu_arrays.hpp"

#include <limber/tools/mesh_io.hpp>

namespace limber {
namespace {

using namespace testing_io;

// One triangle beside a line; the arrays are filled in by each test.
std::string grid(const std::string& root, const std::string& points, const std::string& corners,
                 const std::string& ends, const std::string& types, const std::string& rest = "") {
    return "<?xml version='1.0'?>\n<!-- a comment -->\n<VTKFile type=\"UnstructuredGrid\" " + root +
           ">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"3\" NumberOfCells=\"2\">\n" +
           "<PointData Scalars='none'><DataArray type='UInt8' Name='set:tip' format='ascii'>0 0 "
           "1</DataArray></PointData>\n" +
           "<CellData><DataArray type='Int32' Name='set:x &amp; y' format='ascii'>1 1</DataArray></CellData>\n" +
           "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" " + points +
           "</DataArray></Points>\n<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\" " + corners +
           "</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" " + ends +
           "</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" " + types +
           "</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n" + rest + "</VTKFile>\n";
}

std::string ascii_grid(const std::string& points = "0 0 0\n1.5 0 0\n0 2.5 0",
                       const std::string& corners = "0 1 0 1 2") {
    return grid("version='0.1' byte_order='LittleEndian'", "format='ascii'>\n" + points, "format='ascii'>" + corners,
                "format='ascii'>2 5", "format='ascii'>3 5");
}

void expect_the_triangle(const Mesh& mesh) {
    EXPECT_EQ(mesh.kind, CellKind::tri3);
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1.5, 0, 0}, {0, 2.5, 0}}));
    EXPECT_EQ(mesh.cells, (std::vector<std::int32_t>{0, 1, 2}));
    // The line is no cell of the mesh: its corners go into a vertex set of the same name.
    EXPECT_EQ(mesh.cell_sets, (std::map<std::string, IndexSet>{{"x & y", {0}}}));
    EXPECT_EQ(mesh.vertex_sets, (std::map<std::string, IndexSet>{{"tip", {2}}, {"x & y", {0, 1}}}));
}

template <class Header, class T>
std::string block(std::initializer_list<T> values, bool big_endian) {
    const auto put = [&](std::string& out, auto value) {
        if (big_endian) value = byte_swapped(value);
        out.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    std::string out;
    put(out, static_cast<Header>(values.size() * sizeof(T)));
    for (const T v : values) put(out, v);
    return out;
}

std::string base64(const std::string& bytes) {
    static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t b = 0; b < 3; ++b)
            bits = (bits << 8) | (i + b < bytes.size() ? static_cast<unsigned char>(bytes[i + b]) : 0u);
        for (std::size_t c = 0; c < 4; ++c) out += i + c <= bytes.size() ? digits[(bits >> (18 - 6 * c)) & 63] : '=';
    }
    return out;
}

template <class Header>
std::vector<std::string> blocks(bool big_endian) {
    return {block<Header, double>({0, 0, 0, 1.5, 0, 0, 0, 2.5, 0}, big_endian),
            block<Header, std::int32_t>({0, 1, 0, 1, 2}, big_endian), block<Header, std::int64_t>({2, 5}, big_endian),
            block<Header, std::uint8_t>({3, 5}, big_endian)};
}

template <class Header>
std::string root(bool big_endian) {
    return std::string("version='1.0' byte_order='") + (big_endian ? "BigEndian" : "LittleEndian") + "' header_type='" +
           (sizeof(Header) == 8 ? "UInt64'" : "UInt32'");
}

template <class Header>
void try_encodings(bool big_endian) {
    const std::vector<std::string> b = blocks<Header>(big_endian);
    const auto inline_array = [&](std::size_t i) { return "format='binary'>\n  " + base64(b[i]) + "\n"; };
    expect_the_triangle(parse_vtu(
        grid(root<Header>(big_endian), inline_array(0), inline_array(1), inline_array(2), inline_array(3)), "inline"));
    // Some writers encode the length on its own, with padding before the data.
    const auto split_array = [&](std::size_t i) {
        return "format='binary'>" + base64(b[i].substr(0, sizeof(Header))) + base64(b[i].substr(sizeof(Header)));
    };
    expect_the_triangle(parse_vtu(
        grid(root<Header>(big_endian), split_array(0), split_array(1), split_array(2), split_array(3)), "split"));
    for (const bool raw : {true, false}) {
        std::string data;
        std::vector<std::string> arrays;
        for (const std::string& bytes : b) {
            arrays.push_back("format='appended' offset='" + std::to_string(data.size()) + "'>");
            data += raw ? bytes : base64(bytes);
        }
        const std::string tail = std::string("<AppendedData encoding='") + (raw ? "raw" : "base64") + "'>\n  _" + data +
                                 "\n</AppendedData>\n";
        expect_the_triangle(parse_vtu(grid(root<Header>(big_endian), arrays[0], arrays[1], arrays[2], arrays[3], tail),
                                      raw ? "raw" : "base64"));
    }
}

std::string vtu_message_of(const std::string& bytes) {
    try {
        parse_vtu(bytes, "m.vtu");
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}

TEST(Vtu, EveryKindComesBackExactly) {
    const TemporaryFolder folder;
    for (const CellKind kind : kKinds) {
        SCOPED_TRACE(to_string(kind));
        Mesh mesh = sample_mesh(kind);
        mesh.cell_sets["with \"quotes\""] = {1};
        write_mesh(folder.file("m.vtu"), mesh, MeshFormat::vtu);
        expect_same(read_mesh(folder.file("m.vtu")), mesh);
    }
}

TEST(Vtu, EncodingsByteOrdersAndHeaderWidthsAllReadTheSame) {
    expect_the_triangle(parse_vtu(ascii_grid(), "ascii"));
    for (const bool big_endian : {false, true}) {
        try_encodings<std::uint32_t>(big_endian);
        try_encodings<std::uint64_t>(big_endian);
    }
}

TEST(Vtu, PiecesAreJoined) {
    // The second piece counts its points from 0 again.
    const std::string one = ascii_grid();
    const std::size_t begin = one.find("<Piece"), end = one.find("</UnstructuredGrid>");
    const Mesh mesh = parse_vtu(std::string(one).insert(end, one.substr(begin, end - begin)), "m.vtu");
    EXPECT_EQ(mesh.vertices.size(), 6u);
    EXPECT_EQ(mesh.cells, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(mesh.cell_sets.at("x & y"), (IndexSet{0, 1}));
    EXPECT_EQ(mesh.vertex_sets.at("tip"), (IndexSet{2, 5}));
}

TEST(Vtu, FieldsAreWrittenBesideThePoints) {
    const TemporaryFolder folder;
    const Mesh mesh = sample_mesh(CellKind::tri3);
    std::vector<VtuField> fields{{"u", false, 3, std::vector<double>(3 * mesh.vertices.size(), 0.25)},
                                 {"stress", true, 1, std::vector<double>(mesh.cell_count(), 7.0)}};
    write_vtu(folder.file("m.vtu"), mesh, fields);
    expect_same(read_mesh(folder.file("m.vtu")), mesh);
    const std::string bytes = read_file(folder.file("m.vtu"));
    Scanner in(bytes, "m.vtu");
    const XmlElement file = parse_xml(in, "AppendedData");
    VtuArrays arrays(in, file);
    const XmlElement& piece = *file.child("UnstructuredGrid")->child("Piece");
    EXPECT_EQ(arrays.reals(piece.child("PointData")->children[0]), fields[0].values);
    EXPECT_EQ(arrays.reals(piece.child("CellData")->children[0]), fields[1].values);
    fields[1].values.pop_back();
    expect_error(Fault::bad_usage, "m.vtu", [&] { write_vtu(folder.file("m.vtu"), mesh, fields); });
}

TEST(Vtu, FaultsNameTheElementsLine) {
    EXPECT_EQ(vtu_message_of(ascii_grid()), "no error");
    EXPECT_EQ(vtu_message_of(ascii_grid("0 0 0\n1.5 0 0\n0 nan 0")),
              "m.vtu:8: point 2 is not finite; expected finite coordinates");
    EXPECT_EQ(vtu_message_of(ascii_grid("0 0 0\n1.5 0,5 0\n0 1 0")),
              "m.vtu:10: found '0,5'; expected an array's value (a number)");
    EXPECT_EQ(vtu_message_of(ascii_grid("0 0 0\n1.5 0 0\n0 2.5 0", "0 1 0 1 3")),
              "m.vtu:13: cell 1 names point 3, but the piece has 3 points (numbered from 0)");
    EXPECT_EQ(vtu_message_of(ascii_grid("0 0 0 1")),
              "m.vtu:8: the points have 4 coordinates; expected 3 for each of the 3 points");
    EXPECT_NE(vtu_message_of(grid("compressor='vtkZLibDataCompressor'", ">", ">", ">", ">"))
                  .find("m.vtu:3: the arrays are compressed ('vtkZLibDataCompressor'); expected an uncompressed file"),
              std::string::npos);
    EXPECT_EQ(vtu_message_of("solid"), "m.vtu:1: found 'solid'; expected an XML file, which starts with '<'");
    EXPECT_EQ(vtu_message_of("<VTKFile>\n<UnstructuredGrid>"),
              "m.vtu:2: the file ends inside the element 'UnstructuredGrid'; expected </UnstructuredGrid>");
}

TEST(Vtu, ASmallFileCannotClaimMuchMemory) {
    // An array that says it is huge, and elements nested without end.
    std::string huge(8, '\xff');
    EXPECT_NE(vtu_message_of(grid("header_type='UInt64'", "format='appended' offset='0'>", ">", ">", ">",
                                  "<AppendedData encoding='raw'>_" + huge))
                  .find("18446744073709551615 bytes, but"),
              std::string::npos);
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "<a>";
    EXPECT_EQ(vtu_message_of(deep), "m.vtu:1: elements nested deeper than 32; expected at most 32");
}

TEST(Vtu, ArraysThatShareTheirBytesHaveABudget) {
    // Otherwise a thousand arrays at the same offset would multiply a file in memory.
    const std::string data = block<std::uint32_t, double>({1, 2, 3, 4}, false) + std::string(100, ' ');
    const std::string bytes =
        "<VTKFile><DataArray type='UInt8' format='appended' offset='0'/><AppendedData encoding='raw'>_" + data;
    Scanner in(bytes, "m.vtu");
    const XmlElement file = parse_xml(in, "AppendedData");
    VtuArrays arrays(in, file);
    const std::size_t fit = (ReadBudget::kFree + ReadBudget::kPerByte * bytes.size()) / (32 * sizeof(double));
    const std::size_t taken = fit - fit / 1000;  // the elements of the file take their part as well
    for (std::size_t i = 0; i < taken; ++i) ASSERT_EQ(arrays.integers(file.children[0]).size(), 32u);
    expect_error(Fault::bad_file, "m.vtu", [&] {
        for (std::size_t i = taken; i <= fit; ++i) arrays.integers(file.children[0]);
    });
}

TEST(Pvd, TimesAndFilesComeBackExactly) {
    const TemporaryFolder folder;
    const std::vector<PvdEntry> entries{{0.0, "f_0.vtu"}, {1.0 / 3.0, "a & b/f \"1\".vtu"}, {1e-300, "f_2.vtu"}};
    write_pvd(folder.file("s.pvd"), entries);
    const std::vector<PvdEntry> back = read_pvd(folder.file("s.pvd"));
    ASSERT_EQ(back.size(), entries.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        EXPECT_EQ(back[i].time, entries[i].time);
        EXPECT_EQ(back[i].file, entries[i].file);
    }
}

}  // namespace
}  // namespace limber
