# What every target of the project has in common, and the function that declares a stage.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE ccache)
if(CCACHE)
  # What ccache needs to be of use with precompiled headers (its manual, "Precompiled headers").
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_DEPEND=true ${CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_library(LLVM_LIBRARY LLVM-19 PATHS /usr/lib/llvm-19/lib REQUIRED)
find_path(LLVM_INCLUDE_DIRECTORY llvm/Support/Casting.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH REQUIRED)

add_library(perfpact_options INTERFACE)
target_compile_options(perfpact_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
                                                  -Wno-missing-field-initializers)
target_include_directories(perfpact_options INTERFACE ${PROJECT_SOURCE_DIR}/src)

# perfpact_stage(NAME sources... [LINKS libraries...] [PRIVATE_LINKS libraries...])
# declares the static library of one stage. LINKS are the stages and libraries its headers need; the
# link lists are the allowed dependency graph.
function(perfpact_stage name)
  cmake_parse_arguments(STAGE "" "" "LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(${name} STATIC ${STAGE_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC perfpact_options ${STAGE_LINKS} PRIVATE ${STAGE_PRIVATE_LINKS})
  if(TARGET perfpact_pch AND NOT name STREQUAL "perfpact_pch")
    target_precompile_headers(${name} REUSE_FROM perfpact_pch)
  endif()
endfunction()

# One precompiled header for the heavy library headers, shared by all stages.
file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp.in "// Anchor of the shared precompiled header.\n")
configure_file(${CMAKE_BINARY_DIR}/pch.cpp.in ${CMAKE_BINARY_DIR}/pch.cpp COPYONLY)
add_library(perfpact_pch STATIC ${CMAKE_BINARY_DIR}/pch.cpp)
target_link_libraries(perfpact_pch PUBLIC perfpact_options fmt::fmt)
target_precompile_headers(perfpact_pch PRIVATE ${CMAKE_CURRENT_LIST_DIR}/pch.h)

# perfpact_test(NAME sources... LINKS libraries... [LABELS labels...]) declares a GoogleTest executable and
# its ctest entry. Tests find their files under PERFPACT_SOURCE_DIR. The default label is `fast`.
function(perfpact_test name)
  cmake_parse_arguments(TEST "" "" "LINKS;LABELS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${TEST_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${TEST_LINKS} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE PERFPACT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_precompile_headers(${name} REUSE_FROM perfpact_pch)
  if(NOT TEST_LABELS)
    set(TEST_LABELS fast)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT 600)
endfunction()
