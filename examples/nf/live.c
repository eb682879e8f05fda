// Runs a network function between live interfaces by AF_PACKET sockets, one a port.
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "nf.h"

enum { MAX_PORTS = 64, TAG = 4, ADDRESSES = 12 };

static volatile sig_atomic_t stopped;

static void stop(int signal) {
  (void)signal;
  stopped = 1;
}

static int open_interface(const char* program, const char* name) {
  struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
  address.sll_ifindex = (int)if_nametoindex(name);
  if (address.sll_ifindex == 0) {
    fprintf(stderr, "%s: there is no interface '%s'\n", program, name);
    return -1;
  }
  // No protocol before the bind: nothing of other interfaces comes in.
  int handle = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, 0);
  int on = 1;
  struct packet_mreq promiscuous = {.mr_ifindex = address.sll_ifindex, .mr_type = PACKET_MR_PROMISC};
  if (handle < 0 || setsockopt(handle, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) != 0 ||
      setsockopt(handle, SOL_PACKET, PACKET_AUXDATA, &on, sizeof on) != 0 ||
      setsockopt(handle, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promiscuous, sizeof promiscuous) != 0 ||
      bind(handle, (struct sockaddr*)&address, sizeof address) != 0) {
    fprintf(stderr, "%s: cannot open interface '%s': %s\n", program, name, strerror(errno));
    if (handle >= 0) close(handle);
    return -1;
  }
  return handle;
}

// Puts back the 802.1Q tag that the kernel took out of a packet. Returns the packet's length.
static ssize_t restore_tag(uint8_t* packet, ssize_t length, struct msghdr* message) {
  for (struct cmsghdr* part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_PACKET || part->cmsg_type != PACKET_AUXDATA) continue;
    struct tpacket_auxdata data;
    memcpy(&data, CMSG_DATA(part), sizeof data);
    if ((data.tp_status & TP_STATUS_VLAN_VALID) == 0 || length < ADDRESSES) continue;
    bool has_type = (data.tp_status & TP_STATUS_VLAN_TPID_VALID) != 0;
    uint16_t tag[] = {htons(has_type ? data.tp_vlan_tpid : ETH_P_8021Q), htons(data.tp_vlan_tci)};
    memmove(packet + ADDRESSES + TAG, packet + ADDRESSES, (size_t)(length - ADDRESSES));
    memcpy(packet + ADDRESSES, tag, TAG);
    return length + TAG;
  }
  return length;
}

// The next packet's length, -1 if there is none. Packets that do not fit are lost, as on a real port.
static ssize_t receive(int handle, uint8_t* packet) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(struct tpacket_auxdata))];
  } control;
  struct iovec place = {packet, LARGEST_PACKET - TAG};
  struct msghdr message = {
      .msg_iov = &place, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t length = recvmsg(handle, &message, 0);
  if (length < 0 || (message.msg_flags & MSG_TRUNC) != 0) return -1;
  return restore_tag(packet, length, &message);
}

static void forward(const struct pollfd* ports, uint16_t count, uint16_t from, int output,
                    const uint8_t* packet, size_t length) {
  for (uint16_t to = 0; to < count; to++) {
    if (output != to && !(output == NF_FLOOD && to != from)) continue;
    if (send(ports[to].fd, packet, length, 0) < 0) continue;  // a full queue loses packets
  }
}

static void forward_until_stopped(struct pollfd* ports, uint16_t count) {
  uint8_t* packet = packet_buffer();
  while (!stopped) {
    if (poll(ports, count, -1) < 0) continue;
    for (uint16_t port = 0; port < count; port++) {
      if (ports[port].revents == 0) continue;
      ssize_t length = receive(ports[port].fd, packet);
      if (length < 0) continue;
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      uint64_t now_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
      int output = nf_process(port, packet, (uint16_t)length, now_ns);
      forward(ports, count, port, output, packet, (size_t)length);
    }
  }
}

int run_live(const char* program, char* names) {
  struct pollfd ports[MAX_PORTS];
  uint16_t count = 0;
  int status = EXIT_SUCCESS;
  for (char* name = strtok(names, ","); name != NULL && status == EXIT_SUCCESS; name = strtok(NULL, ",")) {
    if (count == MAX_PORTS) {
      fprintf(stderr, "%s: more than %d interfaces\n", program, MAX_PORTS);
      status = EXIT_FAILURE;
      break;
    }
    int handle = open_interface(program, name);
    if (handle < 0)
      status = EXIT_FAILURE;
    else
      ports[count++] = (struct pollfd){.fd = handle, .events = POLLIN};
  }
  if (status == EXIT_SUCCESS && count == 0) {
    fprintf(stderr, "%s: --interfaces names no interface\n", program);
    status = EXIT_FAILURE;
  }
  if (status == EXIT_SUCCESS) {
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    printf("forwarding between %d interfaces\n", count);
    fflush(stdout);
    forward_until_stopped(ports, count);
  }
  for (uint16_t port = 0; port < count; port++) close(ports[port].fd);
  return status;
}
