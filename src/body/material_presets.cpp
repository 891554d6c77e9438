// Materials by human names. Stiffness, its range and its source are published; the Rayleigh damping of every preset but
// the paper's own is limber's choice (soft things look damped, rubber rings a little) because sources rarely give it.
// "Nearly incompressible" tissues get nu between 0.45 and 0.495: the true 0.4999... would make plain elements lock.
#include <limber/material.hpp>

#include <array>

namespace limber {
namespace {

constexpr double kTissueAlpha = 1.0;  // [1/s]
constexpr double kTissueBeta = 5e-3;  // [s]
constexpr double kRubberAlpha = 0.1;
constexpr double kRubberBeta = 2e-4;

Material tissue(const char* name, double young, double poisson, double density) {
    return {name, young, poisson, density, kTissueAlpha, kTissueBeta};
}
Material elastomer(const char* name, double young, double poisson, double density) {
    return {name, young, poisson, density, kRubberAlpha, kRubberBeta};
}
Material of_paper(const char* name, double young, double poisson, double density) {
    return {name, young, poisson, density, 1.0, 0.1};
}

constexpr const char* kPaper =
    "Alterovitz & Goldberg, Comparing algorithms for soft tissue deformation: accuracy metrics and benchmarks, table ";

const std::array<MaterialPreset, 17>& table() {
    static const std::string mp[3] = {std::string(kPaper) + "1", std::string(kPaper) + "2", std::string(kPaper) + "3"};
    static const std::array<MaterialPreset, 17> presets{{
        {tissue("fat", 3250, 0.49, 950), 2.3e3, 25e3, "body fat (breast), small strains; nearly incompressible",
         "Samani et al. 2007, Phys. Med. Biol. 52:1565; upper end: Krouskop et al. 1998, Ultrason. Imaging 20:260"},
        {tissue("muscle", 11.1e3, 0.49, 1050), 7.0e3, 15.2e3,
         "skeletal muscle at rest (calf), as shear waves see it; stiffer when tensed, isotropic here though fibres are "
         "not",
         "Arda et al. 2011, Am. J. Roentgenol. 197:532"},
        {tissue("liver", 5400, 0.49, 1060), 2.7e3, 9e3,
         "healthy liver in the living body; nearly incompressible, E = 3 G",
         "Palmeri et al. 2008, Ultrasound Med. Biol. 34:546 (shear modulus 0.9 to 3.0 kPa)"},
        {tissue("prostate", 60e3, 0.495, 1045), 55e3, 71e3,
         "normal prostate gland pressed slowly; nearly incompressible",
         "Krouskop et al. 1998, Ultrason. Imaging 20:260"},
        {tissue("breast", 3240, 0.49, 1020), 2.6e3, 35e3,
         "glandular breast tissue at small strains; ten times stiffer when squeezed hard",
         "Samani et al. 2007, Phys. Med. Biol. 52:1565; upper end: Krouskop et al. 1998, Ultrason. Imaging 20:260"},
        {tissue("skin", 420e3, 0.48, 1100), 420e3, 850e3,
         "forearm skin twisted in place: 0.42 MPa when young, twice that later in life",
         "Agache et al. 1980, Arch. Dermatol. Res. 269:221"},
        {tissue("brain", 1600, 0.49, 1040), 1.1e3, 2.5e3,
         "grey and white matter under slow indentation: among the softest tissues there are",
         "Budday et al. 2015, J. Mech. Behav. Biomed. Mater. 46:318"},
        {tissue("cartilage", 600e3, 0.1, 1100), 500e3, 700e3,
         "joint cartilage once its water has flowed (drained, so it is compressible); far stiffer under a blow",
         "Athanasiou et al. 1991, J. Orthop. Res. 9:330"},
        {tissue("kidney", 5000, 0.49, 1050), 2.1e3, 7.9e3,
         "kidney cortex, as shear waves see it; nearly incompressible", "Arda et al. 2011, Am. J. Roentgenol. 197:532"},
        {tissue("jelly", 4340, 0.49, 1010), 4.3e3, 277e3,
         "table jelly: gelatine with twenty times its mass of water; the upper end has twice its mass",
         "Bonavia 2025, arXiv:2512.20502"},
        {elastomer("silicone", 69e3, 0.49, 1070), 55e3, 125e3,
         "soft casting silicone of the Ecoflex 00-30 kind, as in soft robots",
         "Smooth-On, technical bulletin Ecoflex series (modulus at 100 % strain, specific gravity); range: limber's "
         "reading of later tests"},
        {elastomer("silicone_firm", 2.05e6, 0.495, 1030), 1.32e6, 2.97e6,
         "firm silicone of the Sylgard 184 (PDMS) kind; stiffer the hotter it was cured",
         "Johnston et al. 2014, J. Micromech. Microeng. 24:035017"},
        {elastomer("rubber", 1.5e6, 0.495, 930), 1.0e6, 2.5e6, "natural rubber without filler; nearly incompressible",
         "Ashby, Materials Selection in Mechanical Design, appendix of material data; Treloar 1975, The Physics of "
         "Rubber Elasticity"},
        {tissue("foam", 78e3, 0.3, 50), 28e3, 310e3, "open-cell polyurethane foam of a cushion, 30 to 100 kg/m^3",
         "Gibson & Ashby 1997, Cellular Solids: E = Es (rho/rhos)^2, Es = 45 MPa, rhos = 1200 kg/m^3, nu about 1/3"},
        {of_paper("mp1", 200, 0.47, 2000), 200, 200, "the accuracy paper's imaginary very soft block (MP1)",
         mp[0].c_str()},
        {of_paper("mp2", 60e3, 0.495, 1140), 60e3, 60e3,
         "the accuracy paper's prostate tissue (MP2); locks plain elements", mp[1].c_str()},
        {of_paper("mp3", 7000, 0.2, 10000), 7000, 7000, "the accuracy paper's heavy bending rod (MP3)", mp[2].c_str()},
    }};
    return presets;
}

}  // namespace

std::span<const MaterialPreset> material_presets() { return table(); }

const MaterialPreset* find_material_preset(const std::string& name) {
    for (const MaterialPreset& preset : table())
        if (preset.material.name == name) return &preset;
    return nullptr;
}

}  // namespace limber
