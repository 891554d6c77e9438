// A sheet is one finished picture: panels side by side with titles, and a footer with a caption and the meaning of the
// colours. Nothing in the footer ever covers what a panel shows.
#pragma once

#include "render/colour.hpp"
#include "render/image.hpp"

#include <optional>
#include <string>
#include <vector>

namespace limber {

/// What the colours mean: a bar with numbers under it, or named colours.
struct Legend {
    struct Tick {
        double fraction = 0.0;  ///< along the bar, 0 to 1
        std::string label;
    };
    struct Entry {
        Colour colour;
        std::string label;
    };
    std::string title;  ///< with the unit: "displacement [mm]"
    ColourMap map = ColourMap::sequential;
    std::vector<Tick> ticks;
    std::vector<Entry> entries;  ///< named colours instead of the bar
};

/// What a sheet of this size will hold; panels are drawn in the sizes that sheet_layout() gives.
struct SheetPlan {
    int width = 960, height = 640;  ///< [px] of the whole
    int panels = 1;
    bool one_row = false;                  ///< a filmstrip; otherwise rows and columns are chosen for large panels
    bool caption = false, legend = false;  ///< either makes a footer
    Colour paper = rgb(0xFBFAF8);
};

struct PanelBox {
    int left = 0, top = 0, width = 0, height = 0;  ///< [px]
};
struct SheetLayout {
    std::vector<PanelBox> panels;
    int footer = 0;     ///< its height [px]
    double unit = 1.0;  ///< letters grow with the picture: 1 at 960 x 640
};
/// Throws Error{bad_usage} when the panels would be smaller than 16 pixels.
SheetLayout sheet_layout(const SheetPlan& plan);

struct SheetPanel {
    Image image;
    std::string title;  ///< upper left
    std::string below;  ///< lower middle, such as the time; "" = none
};
struct SheetText {
    std::string heading, line;  ///< of the caption: the first in bold
    std::optional<Legend> legend;
};

/// The whole sheet. Panels are those of sheet_layout() in order.
Image compose_sheet(const SheetPlan& plan, const std::vector<SheetPanel>& panels, const SheetText& words);

}  // namespace limber
