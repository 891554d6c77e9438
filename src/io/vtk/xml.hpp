// A small XML reader for VTK files: elements, attributes, text. No namespaces, no document types, bounded depth and
// size.
#pragma once

#include "io/files/scanner.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limber {

struct XmlElement {
    std::string_view name;
    std::vector<std::pair<std::string_view, std::string>> attributes;  ///< entities replaced
    std::string_view content;  ///< the first text inside that is not blank; a view into the file, entities untouched
    std::vector<XmlElement> children;
    std::size_t position = 0;  ///< byte of its '<'

    /// nullptr when there is none.
    const std::string* attribute(std::string_view key) const;
    const XmlElement* child(std::string_view key) const;
};

/// The root element. Reading stops inside an element called `stop_at`, whose content is the rest of the file (raw
/// appended data).
XmlElement parse_xml(Scanner& in, std::string_view stop_at);

/// & < > " as entities, for attribute values.
std::string xml_escaped(std::string_view text);

}  // namespace limber
