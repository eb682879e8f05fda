// A small marked program without a library: marked_parts.c and marked_main.c.
#pragma once

int sum(const int* numbers, int count);
int count_probes(unsigned bits);
int process(int value);
