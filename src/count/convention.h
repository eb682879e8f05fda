// Packets as the entry's convention has them in registers and memory.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <span>

#include "explore/native/entry.h"
#include "packet/capture.h"
#include "x86/registers.h"

namespace perfpact::count {

using Arguments = std::array<std::uint64_t, x86::kArguments.size()>;
using ReadMemory = std::function<bool(std::uint64_t, std::span<std::uint8_t>)>;
using WriteMemory = std::function<bool(std::uint64_t, std::span<const std::uint8_t>)>;

/// The packet that the entry is called with; nothing where the convention has no length, or memory is not
/// readable.
[[nodiscard]] std::optional<packet::Bytes> packet_of(const explore::Entry& entry, const Arguments& arguments,
                                                     const ReadMemory& read);

/// Where the packet's bytes are; nothing where memory is not readable.
[[nodiscard]] std::optional<std::uint64_t> packet_address(const explore::Entry& entry,
                                                          const Arguments& arguments, const ReadMemory& read);

/// Has the entry be called with another packet, at its time: writes its bytes in the place of the first and
/// its length, and gives the arguments. False where memory is not writable.
[[nodiscard]] bool give_packet(const explore::Entry& entry, const packet::CapturedPacket& packet,
                               Arguments& arguments, const ReadMemory& read, const WriteMemory& write);

}  // namespace perfpact::count
