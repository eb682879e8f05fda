#define WIDTH 8
#define FIELD(name, w) bit<w> name;
#if WIDTH > 4 && defined(FIELD)
header h_t { FIELD(a, WIDTH) FIELD(b, 2 * WIDTH) }
#else
#error no
#endif
# 100 "other.p4"
#undef WIDTH
/* comment */ // another
@pragma what ever
const bit<8> x = 1;
