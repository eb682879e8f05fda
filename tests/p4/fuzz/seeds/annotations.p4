@name("a.b") @hidden const int x = 1;
@list[1, "two", x] @pairs[a = 1, b = "c"] @free(any 1 + tokens ( here )) struct s { @optional bit<8> a; }
@deprecated("no") extern void f(in bit<8> a, @optional in bit<8> b);
extern E { E(); abstract bit<8> m(in bit<8> x); }
