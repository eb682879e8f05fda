const int a = 1 << 20;
const bit<8> b = 8w255 |+| 8w1;
const int<16> c = -16s7 >> 2;
const bool d = a > 3 && !(b == 1) || false;
const bit<12> e = b[7:4] ++ b;
const int f = (a + 7) * 3 - 12 / 5 % 3;
const string g = "text";
