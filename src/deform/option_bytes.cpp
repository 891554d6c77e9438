#include "deform/option_specs.hpp"

#include "core/overloads.hpp"

namespace limber {

void save_option(ByteWriter& out, const OptionValue& value) {
    value.visit(Overloads{
        [&](double number) {
            out.u8(0);
            out.f64(number);
        },
        [&](bool flag) {
            out.u8(1);
            out.u8(flag ? 1 : 0);
        },
        [&](const std::string& word) {
            out.u8(2);
            out.text(word);
        },
        [&](std::int64_t number) {  // of a scene's hash only: no method takes one, so none is saved or read
            out.u8(3);
            out.u64(static_cast<std::uint64_t>(number));
        },
    });
}

void save_options(ByteWriter& out, const OptionValues& options) {
    out.u32(static_cast<std::uint32_t>(options.size()));
    for (const auto& [name, value] : options) {
        out.text(name);
        save_option(out, value);
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
