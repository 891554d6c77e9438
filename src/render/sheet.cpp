#include "render/sheet.hpp"

#include "core/text.hpp"
#include "render/canvas.hpp"
#include "render/lettering.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr Colour kInk = rgb(0x2B2F36), kFaint = rgb(0x6A707A);
constexpr double kPanelAspect = 1.35;  // width over height at which most bodies fill a panel well

/// Columns that give the largest panels of a pleasing shape.
int best_columns(int count, double width, double height) {
    int best = 1;
    double largest = 0.0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double side = std::min(width / columns, kPanelAspect * height / rows);
        if (side > largest * (1 + 1e-9)) {
            largest = side;
            best = columns;
        }
    }
    return best;
}

struct FooterPen {
    Image& image;
    double top, unit;  ///< [px]
    double text_size() const { return 15.0 * unit; }
    double small() const { return 12.5 * unit; }
};

/// The bar with its title to the left and numbers below. Returns where it begins.
double draw_bar(const FooterPen& pen, const Legend& legend, double right) {
    const double length = std::min(300.0 * pen.unit, 0.36 * pen.image.width), left = right - length;
    const double top = pen.top + 13.0 * pen.unit, bottom = top + 12.0 * pen.unit;
    const int first = static_cast<int>(std::floor(left)), last = static_cast<int>(std::ceil(right));
    for (int x = first; x < last; ++x) {
        const double t = std::clamp((x + 0.5 - left) / length, 0.0, 1.0);
        fill_rect(pen.image, std::max<double>(x, left), top, std::min<double>(x + 1, right), bottom,
                  sample(legend.map, t));
    }
    for (const Legend::Tick& tick : legend.ticks) {
        const double x = std::floor(left + tick.fraction * length) + 0.5;
        fill_rect(pen.image, x - 0.5 * std::max(1.0, pen.unit), bottom, x + 0.5 * std::max(1.0, pen.unit),
                  bottom + 4.0 * pen.unit, kFaint);
        draw_text(pen.image, x, bottom + 17.5 * pen.unit, tick.label,
                  {.size = pen.small(), .ink = kInk, .align = TextAlign::centre});
    }
    const double end = left - 12.0 * pen.unit;
    draw_text(pen.image, end, bottom - 1.0 * pen.unit, legend.title,
              {.size = pen.text_size(), .ink = kInk, .align = TextAlign::right});
    return end - letters_width(legend.title, pen.text_size());
}

/// Named colours from right to left in one line. Returns where they begin.
double draw_entries(const FooterPen& pen, const Legend& legend, double right) {
    const double box = 12.0 * pen.unit, middle = pen.top + 26.0 * pen.unit;
    double x = right;
    for (auto entry = legend.entries.rbegin(); entry != legend.entries.rend(); ++entry) {
        const double begin = x - letters_width(entry->label, pen.text_size());
        if (begin - box < 0.3 * pen.image.width) break;
        draw_text(pen.image, begin, middle + 5.0 * pen.unit, entry->label, {.size = pen.text_size(), .ink = kInk});
        fill_panel(pen.image, begin - 1.5 * box, middle - box / 2, begin - 0.5 * box, middle + box / 2, 2.5 * pen.unit,
                   entry->colour);
        x = begin - 2.9 * box;
    }
    if (legend.title.empty()) return x;
    draw_text(pen.image, x, middle + 5.0 * pen.unit, legend.title,
              {.size = pen.text_size(), .ink = kFaint, .align = TextAlign::right});
    return x - letters_width(legend.title, pen.text_size());
}

void draw_footer(Image& sheet, const SheetLayout& layout, const SheetText& words) {
    const FooterPen pen{sheet, static_cast<double>(sheet.height - layout.footer), layout.unit};
    const double edge = 16.0 * layout.unit;
    double room = sheet.width - edge;
    // The last number of a bar is centred on its end and must not leave the sheet.
    if (words.legend) {
        room = words.legend->entries.empty() ? draw_bar(pen, *words.legend, room - 12.0 * layout.unit)
                                             : draw_entries(pen, *words.legend, room);
    }
    const double width = room - 2 * edge;
    const bool two = !words.heading.empty() && !words.line.empty();
    const double first = pen.top + (two ? 22.0 : 31.0) * layout.unit;
    if (!words.heading.empty()) {
        draw_text(sheet, edge, first, fitted_text(words.heading, pen.text_size(), width),
                  {.size = pen.text_size(), .ink = kInk, .weight = 0.165});
    }
    if (!words.line.empty()) {
        draw_text(sheet, edge, two ? pen.top + 42.0 * layout.unit : first,
                  fitted_text(words.line, pen.small() * 1.06, width), {.size = pen.small() * 1.06, .ink = kFaint});
    }
}

}  // namespace

SheetLayout sheet_layout(const SheetPlan& plan) {
    SheetLayout out;
    out.unit = std::clamp(std::min(plan.width / 960.0, plan.height / 400.0), 0.7, 4.0);
    out.footer = plan.caption || plan.legend ? static_cast<int>(std::lround(54.0 * out.unit)) : 0;
    const int count = std::max(1, plan.panels),
              gap = count > 1 ? std::max(1, static_cast<int>(std::lround(3.0 * out.unit))) : 0;
    const int columns = plan.one_row ? count : best_columns(count, plan.width, plan.height - out.footer),
              rows = (count + columns - 1) / columns;
    const int height = plan.height - out.footer;
    if ((plan.width - gap * (columns - 1)) / columns < 16 || (height - gap * (rows - 1)) / rows < 16) {
        throw Error(Fault::bad_usage, {"--size", 0, {}},
                    text(plan.width, "x", plan.height, " for ", counted(static_cast<std::size_t>(count), "panel")),
                    "at least 16 pixels for each panel");
    }
    for (int p = 0; p < count; ++p) {
        const int column = p % columns, row = p / columns;
        const int left = (plan.width + gap) * column / columns,
                  right = (plan.width + gap) * (column + 1) / columns - gap;
        const int top = (height + gap) * row / rows, bottom = (height + gap) * (row + 1) / rows - gap;
        out.panels.push_back({left, top, right - left, bottom - top});
    }
    return out;
}

Image compose_sheet(const SheetPlan& plan, const std::vector<SheetPanel>& panels, const SheetText& words) {
    const SheetLayout layout = sheet_layout(plan);
    Image sheet = make_image(plan.width, plan.height, plan.paper);
    const Colour halo{1.0F, 1.0F, 1.0F, 0.55F};
    for (std::size_t p = 0; p < std::min(panels.size(), layout.panels.size()); ++p) {
        const PanelBox& at = layout.panels[p];
        paste(sheet, panels[p].image, at.left, at.top);
        const double size = std::min(17.0 * layout.unit, at.width / 9.0), room = at.width - 1.6 * size;
        if (!panels[p].title.empty()) {
            draw_text(sheet, at.left + 0.8 * size, at.top + 1.55 * size, fitted_text(panels[p].title, size, room),
                      {.size = size, .ink = kInk, .weight = 0.165, .halo = halo});
        }
        if (!panels[p].below.empty()) {
            draw_text(sheet, at.left + at.width / 2.0, at.top + at.height - 0.8 * size,
                      fitted_text(panels[p].below, size, room),
                      {.size = size, .ink = kInk, .halo = halo, .align = TextAlign::centre});
        }
    }
    if (layout.footer > 0) draw_footer(sheet, layout, words);
    return sheet;
}

}  // namespace limber
