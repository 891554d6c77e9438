#include "deform/option_specs.hpp"

namespace limber {

void save_options(ByteWriter& out, const OptionValues& options) {
    out.u32(static_cast<std::uint32_t>(options.size()));
    for (const auto& [name, value] : options) {
        out.text(name);
        out.u8(static_cast<std::uint8_t>(value.index()));
        if (const double* number = std::get_if<double>(&value))
            out.f64(*number);
        else if (const bool* flag = std::get_if<bool>(&value))
            out.u8(*flag ? 1 : 0);
        else
            out.text(std::get<std::string>(value));
    }
}

OptionValues load_options(ByteReader& in) {
    OptionValues options;
    for (std::uint32_t n = in.u32(); n > 0; --n) {
        const std::string name = in.text();
        switch (in.u8()) {
            case 0: options[name] = in.f64(); break;
            case 1: options[name] = in.u8() != 0; break;
            case 2: options[name] = in.text(); break;
            default: in.fail("an option of unknown type");
        }
    }
    return options;
}

}  // namespace limber
