typedef bit<48> mac_t;
type bit<9> port_t;
enum color_t { red, green }
enum bit<4> kind_t { low = 1, high = 2 }
header byte_t { bit<8> x; }
header options_t { bit<8> n; varbit<320> data; }
header_union either_t { byte_t byte; options_t options; }
struct all_t<T> { T t; either_t[2] parts; tuple<bit<8>, bool> pair; mac_t mac; port_t port; color_t color; kind_t kind; int<7> i; error e; }
error { Mine }
