// The core library of P4_16, as the language specification describes it. Programs test whether _CORE_P4_ is defined.

#ifndef _CORE_P4_
#define _CORE_P4_

// What `verify`, `extract`, `select` and stacks can report. Programs add errors of their own.
error {
    NoError,
    PacketTooShort,         // extract, lookahead or advance beyond the end of the packet
    NoMatch,                // no case of a select matches
    StackOutOfBounds,       // next of a full header stack, last of an empty one
    HeaderTooShort,         // more bits for a varbit field than it can hold
    ParserTimeout,          // the parser ran too long
    ParserInvalidArgument   // a value that the parser's target cannot handle
}

// The packet that a parser reads; it keeps a cursor.
extern packet_in {
    // Fills the fields of a header of fixed size, makes it valid, moves the cursor behind it.
    void extract<T>(out T hdr);
    // The same for a header with one varbit field, which takes this many bits.
    void extract<T>(out T variableSizeHeader, in bit<32> variableFieldSizeInBits);
    // The next bits as a T; the cursor stays.
    T lookahead<T>();
    // Moves the cursor.
    void advance(in bit<32> sizeInBits);
    // Bytes in the packet.
    bit<32> length();
}

// The packet that a deparser writes.
extern packet_out {
    // Appends a header if it is valid; element by element for stacks, unions and structs.
    void emit<T>(in T hdr);
}

// In a parser: if `check` is false, sets the parser's error and goes to state reject.
extern void verify(in bool check, in error toSignal);

// Does nothing.
@noWarn("unused")
action NoAction() {}

match_kind {
    exact,      // equal
    ternary,    // equal under a mask
    lpm         // the longest prefix that matches
}

// An error at compile time if `check` is false. The value is true.
extern bool static_assert(bool check, string message);
extern bool static_assert(bool check);

#endif
