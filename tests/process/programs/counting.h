int count_packet(int port);
