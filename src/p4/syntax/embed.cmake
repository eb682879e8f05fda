# Writes OUTPUT, a C++ file that holds the text of FILES (paths, separated by ';').
set(entries "")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  get_filename_component(name ${file} NAME)
  string(APPEND entries "    {\"${name}\", R\"P4TEXT(${text})P4TEXT\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"p4/syntax/builtin_files.h\"

namespace perfpact::p4 {
namespace {
constexpr BuiltinFile kFiles[] = {
${entries}};
}  // namespace
std::span<const BuiltinFile> builtin_files() { return kFiles; }
}  // namespace perfpact::p4
")
