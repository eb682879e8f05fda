// The pack of the C library that comes with perfpact: c_library.yaml.
#pragma once
#include <string_view>

namespace perfpact::library {

inline constexpr std::string_view kCLibraryName = "c_library.yaml";
extern const std::string_view kCLibrary;

}  // namespace perfpact::library
