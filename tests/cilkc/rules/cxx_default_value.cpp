// SPDX-License-Identifier: MIT
// error: 76:16: the default value of the parameter 'limit' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 77:16: the default value of the parameter 'n' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 78:16: the default value of the parameter 'value' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 79:16: the default value of the parameter 'value' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 80:16: the default value of the parameter 'value' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 81:16: the default value of the parameter 'value' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 82:16: the default value of the parameter 'value' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 83:16: the default value of the parameter 't' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 84:16: the default value of the parameter 'h' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 85:16: the default value of the parameter 'one' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 86:16: the default value of the parameter 's' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 87:16: the default value of the parameter 'f' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 98:16: the default value of the parameter 'value' calls a function, makes an object or reads a variable: write this argument of the spawned call
// error: 99:16: the default value of the parameter 'value' calls a function, makes an object or reads a variable: write this argument of the spawned call
#include <cilk/cilk.h>
#include <functional>
#include <string>
#include <vector>

int level;
int next();
const int fixed = 3;
constexpr int three() {
    return 3;
}
constexpr int same(const int &x) {
    return x;
}
struct settings {
    int level;
    int numbers[2];
} changing;
const settings constant = {1, {2, 3}};
int numbers[2];
const int *pointer = &level;
struct ticket {
    ticket();
    int number;
};
struct holder {
    int number = level;
};
struct pair_of {
    int a = 1, b = 2;
};

int reads(int n, int limit = level);
int calls(int n = next());
int member(int n, int value = changing.level);
int element(int n, int value = numbers[1]);
int pointed(int n, int value = *pointer);
int inner(int n, int value = changing.numbers[0]);
int by_reference(int n, int value = same(level));
int made(int n, ticket t = ticket());
int filled(int n, holder h = {});
int allocated(int n, int *one = new int(1));
int copied(int n, settings s = changing);
int captured(int n, std::function<int()> f = [v = level] { return v; });
int constants(int n, int a = fixed, int b = three(), int *c = &level, int &d = level);
int objects(int n, std::string s = "text", std::vector<int> v = {1, 2}, pair_of p = {},
            std::function<int()> f = [] { return level; });
int parts(int n, int a = constant.level, int b = constant.numbers[1], char c = "abc"[1],
          unsigned long d = sizeof(level), int e = same(fixed));

template <class T>
int pattern(T n, int value = next());
template <class T>
int overloaded(T n);
template <class T>
int overloaded(T n, T more, T value = T(level));
template <class T>
int harmless(T n, T zero = T(), int value = 5);

int f(int n) {
    cilk_spawn reads(n);
    cilk_spawn calls();
    cilk_spawn member(n);
    cilk_spawn element(n);
    cilk_spawn pointed(n);
    cilk_spawn inner(n);
    cilk_spawn by_reference(n);
    cilk_spawn made(n);
    cilk_spawn filled(n);
    cilk_spawn allocated(n);
    cilk_spawn copied(n);
    cilk_spawn captured(n);
    cilk_spawn constants(n);
    cilk_spawn objects(n);
    cilk_spawn parts(n);
    cilk_spawn reads(n, level);
    cilk_sync;
    return n;
}

template <class T>
void g(T n) {
    cilk_spawn pattern(n);
    cilk_spawn overloaded(n, n);
    cilk_spawn overloaded(n);
    cilk_spawn overloaded(n, n, n);
    cilk_spawn pattern(n, 1);
    cilk_spawn harmless(n);
    cilk_sync;
}

// A pack may have the argument.
template <class... A>
void h(A... all) {
    cilk_spawn pattern(all...);
    cilk_sync;
}
