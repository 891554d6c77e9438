// A BVH file for tests.
#pragma once

namespace limber::testing_io {

/// A chain of three with different channel orders, in centimetres.
inline constexpr const char* kBvhChain =
    "HIERARCHY\nROOT Hips {\n  OFFSET 0 0 0\n  CHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition\n"
    "  JOINT Left Up Leg\n  {\n    OFFSET 10 0 0\n    CHANNELS 3 Yrotation Xrotation Zrotation\n"
    "    JOINT mixamorig:Leg\n    {\n      OFFSET 0 -100 0\n      CHANNELS 2 Zrotation Xrotation\n"
    "      End Site\n      {\n        OFFSET 0 -75 0\n      }\n    }\n  }\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.04\n"
    "0 0 0 1 90 2  0 0 0  0 0\n"
    "90 0 0 5 94 2  30 40 50  60 70\n";

}  // namespace limber::testing_io
