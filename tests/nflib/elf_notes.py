"""Reads what the tests need of a 64-bit ELF file: sections, function symbols, and the notes of perfpact.h."""
import struct
from collections import namedtuple

Section = namedtuple("Section", "name type flags address offset size link")
Mark = namedtuple("Mark", "kind name address")
KINDS = {1: "pcv", 2: "outcome", 3: "method", 4: "entry"}
EXECUTABLE, ALLOCATED, NOTE, SYMBOLS = 4, 2, 7, 2


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        assert self.data[:6] == b"\x7fELF\x02\x01"
        at, = struct.unpack_from("<Q", self.data, 40)
        size, count, names = struct.unpack_from("<HHH", self.data, 58)
        raw = [struct.unpack_from("<IIQQQQI", self.data, at + i * size) for i in range(count)]
        self.sections = [Section(self.text(raw[names][4] + entry[0]), *entry[1:]) for entry in raw]

    def text(self, at):
        return self.data[at : self.data.index(b"\0", at)].decode()

    def contents(self, name):
        return b"".join(self.data[s.offset : s.offset + s.size] for s in self.sections if s.name == name)

    def functions(self):
        found = {}
        for section in self.sections:
            if section.type != SYMBOLS:
                continue
            strings = self.sections[section.link].offset
            for at in range(section.offset, section.offset + section.size, 24):
                name, info, _, _, value, _ = struct.unpack_from("<IBBHQQ", self.data, at)
                if info & 15 == 2:
                    found[self.text(strings + name)] = value
        return found

    def is_code(self, address):
        return any(s.flags & EXECUTABLE and s.address <= address < s.address + s.size for s in self.sections)

    def marks(self):
        """The marks of a linked file."""
        marks = []
        for section in self.sections:
            if section.name != ".note.perfpact":
                continue
            assert section.type == NOTE and section.flags & ALLOCATED
            at, end = section.offset, section.offset + section.size
            while at < end:
                owner_size, size, kind = struct.unpack_from("<III", self.data, at)
                assert owner_size == 9 and self.data[at + 12 : at + 24] == b"perfpact\0\0\0\0", "not our note"
                place = at + 24
                distance, = struct.unpack_from("<q", self.data, place)
                name = self.data[place + 8 : place + size]
                assert name.index(b"\0") == len(name) - 1, "the name ends with the note"
                address = section.address + place - section.offset + distance
                marks.append(Mark(KINDS[kind], name[:-1].decode(), address))
                at = place + (size + 3) // 4 * 4
            assert at == end
        return marks
