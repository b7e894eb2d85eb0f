// SPDX-License-Identifier: MIT
// What ../block_declarations.c declares in blocks alone.

struct chain {
    int value;
};

struct chain *first_link(int value);
int value_of(const struct chain *link);
double half(double x);
double quarter(double x);
int sum(int n, int row[n]);

static struct chain only;
int counter = 100;
int table[] = {1, 2, 3};
_Thread_local int own = 1;

struct chain *first_link(int value) {
    only.value = value;
    return &only;
}

int value_of(const struct chain *link) {
    return link->value;
}

double half(double x) {
    return x / 2;
}

double quarter(double x) {
    return x / 4;
}

int sum(int n, int row[n]) {
    int all = 0;
    for (int i = 0; i < n; i++)
        all += row[i];
    return all;
}
