#include "core/rotation.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

TEST(Rotation, TheRotationIsFoundUnderStretchAndMirror) {
    // Half turns are where the trace is lowest and a careless formula divides by nothing.
    for (const Vec3& turn : {Vec3{0, 0, 0}, Vec3{0.3, -1.2, 0.5}, Vec3{3.1415926535, 0, 0}, Vec3{0, 3.1415926535, 0},
                             Vec3{1.8, 1.8, 1.8}}) {
        const Mat3 r = to_matrix(from_rotation_vector(turn));
        Mat3 stretch;  // symmetric and positive: the other factor of a polar decomposition
        stretch(0, 0) = 3.0;
        stretch(1, 1) = 0.5;
        stretch(2, 2) = 40.0;
        stretch(0, 1) = stretch(1, 0) = 0.2;
        for (const double sign : {1.0, -1.0}) {
            Mat3 a = r * stretch;
            for (auto& row : a.m)
                for (double& v : row) v *= sign;
            EXPECT_TRUE(invertible(a));
            const Mat3 back = to_matrix(rotation_in(a));
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) EXPECT_NEAR(back(i, j), r(i, j), 1e-9);
        }
    }
    Mat3 flat = Mat3::identity();
    flat(2, 2) = 0.0;
    EXPECT_FALSE(invertible(flat));
    EXPECT_FALSE(invertible(Mat3{}));
}

}  // namespace
}  // namespace limber
