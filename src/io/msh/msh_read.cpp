// MSH: the header, the sections and the physical names, common to versions 2 and 4.
#include "io/msh/msh.hpp"

#include "core/text.hpp"

#include <limber/tools/mesh_io.hpp>

#include <limits>

namespace limber {

namespace {
MshFormat read_format(Scanner& in) {
    MshFormat format;
    const std::string version(in.token());
    if (version == "4.1")
        format.major = 4;
    else if (version == "2.2" || version == "2.1" || version == "2" || version == "2.0")
        format.major = 2;
    else
        in.fail(text("MSH version ", in_quotes(version)), "2.2 or 4.1 (in Gmsh: Mesh.MshFileVersion = 4.1)");
    format.binary = in.integer_in("the file type (0 text, 1 binary)", 0, 1) == 1;
    format.size_bytes = static_cast<int>(in.integer("the data size"));
    if (format.size_bytes != 8 && !(format.size_bytes == 4 && format.major == 4))
        in.fail(text("a data size of ", format.size_bytes), "8");
    if (!format.binary) return format;

    in.end_line();
    in.set_binary(false);
    const auto one = in.raw<std::int32_t>("the number 1 that shows the byte order");
    if (one != 1 && byte_swapped(one) != 1)
        in.fail(text("the byte order mark is ", one), "the number 1 in either byte order");
    in.set_binary(one != 1);
    return format;
}

void read_names(Scanner& in, MshData& out) {
    const std::size_t n = in.count("the number of physical names", 6);
    for (std::size_t i = 0; i < n; ++i) {
        const auto dimension = static_cast<int>(in.integer_in("a dimension", 0, 3));
        const auto tag = static_cast<std::int32_t>(
            in.integer_in("a physical tag", 1, std::numeric_limits<std::int32_t>::max()));
        const std::string_view name = in.quoted_word("a physical name");
        if (name.empty()) continue;
        if (!is_name(name)) in.fail(text("the physical name ", in_quotes(name), " is not UTF-8 text"));
        out.names[{dimension, tag}] = std::string(name);
    }
}

// Sections limber has no use for (node data, periodicity, comments): on to their end.
void skip_section(Scanner& in, const std::string& name) {
    const std::string end = "$End" + name;
    const std::size_t at = in.bytes().find(end, in.position());
    if (at == std::string_view::npos) in.fail(text("section ", in_quotes("$" + name), " has no end"), end);
    in.seek(at);
}

void read_section(Scanner& in, const std::string& name, MshFormat& format, MshData& out) {
    if (name == "MeshFormat") {
        format = read_format(in);
    } else if (name == "PhysicalNames") {
        read_names(in, out);
    } else if (name == "PartitionedEntities") {
        in.fail(Fault::unsupported, "a partitioned mesh",
                "one without partitions (in Gmsh: Mesh > Partition > Unpartition)");
    } else if (name == "Entities" && format.major == 4) {
        read_msh4_entities(in, format, out);
    } else if (name == "Nodes") {
        format.major == 4 ? read_msh4_nodes(in, format, out) : read_msh2_nodes(in, out);
    } else if (name == "Elements") {
        format.major == 4 ? read_msh4_elements(in, format, out) : read_msh2_elements(in, out);
    } else {
        skip_section(in, name);
    }
}
}  // namespace

const ElementType& known_gmsh_type(const Scanner& in, std::int64_t number) {
    const ElementType* type = gmsh_type(number);
    if (type == nullptr) in.fail(text("element type ", number), "a type number of the MSH format, such as 4 (tet4)");
    return *type;
}

Mesh parse_msh(std::string_view bytes, const std::string& name) {
    Scanner in(bytes, name);
    MshFormat format;
    MshData data;
    bool have_nodes = false, have_elements = false;
    for (std::string_view word = in.token(); !word.empty(); word = in.token()) {
        if (word[0] != '$' || word.size() > 60)
            in.fail(text("found ", in_quotes(word)), format.major == 0 ? "$MeshFormat" : "a section such as $Nodes");
        const std::string section(word.substr(1));
        if (format.major == 0 && section != "MeshFormat") in.fail(text("found ", in_quotes(word)), "$MeshFormat");
        if ((section == "Nodes" && have_nodes) || (section == "Elements" && have_elements) ||
            (section == "MeshFormat" && format.major != 0)) {
            in.fail(text("a second section ", in_quotes(word)));
        }
        have_nodes = have_nodes || section == "Nodes";
        have_elements = have_elements || section == "Elements";
        read_section(in, section, format, data);
        in.expect("$End" + section);
    }
    if (format.major == 0) in.fail("the file holds nothing", "$MeshFormat");
    if (!have_nodes || !have_elements) in.fail(text("the file ends without $", have_nodes ? "Elements" : "Nodes"));
    return build_msh(data, in);
}

}  // namespace limber
