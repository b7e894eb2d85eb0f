# SPDX-License-Identifier: MIT
"""What each file of generated C++ programs begins with: its types, and Cilk's words and reducers, for
plain C++ as well."""

TEXT = r"""#include <atomic>
#include <cstdio>
#include <utility>
#include <vector>
typedef unsigned long u64;

#ifdef ELISION
#define cilk_reducer(identity, reduce)
#define cilk_spawn
#define cilk_sync
#define cilk_scope
#define cilk_for for
namespace cilk {
template <class V> struct monoid_base { typedef V value_type; };
template <class V> struct op_add {
    struct value_type {
        V value = V();
        value_type &operator+=(V by) { value += by; return *this; }
        V get() const { return value; }
    };
};
template <class V> struct op_vector {
    struct value_type : std::vector<V> {
        const std::vector<V> &get() const { return *this; }
    };
};
template <class M> class reducer {
public:
    typedef typename M::value_type view_type;
    view_type &operator*() { return view_; }
    view_type *operator->() { return &view_; }
    auto get_value() { return view_.get(); }
private:
    view_type view_;
};
}
#else
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_vector.h>
#endif

static inline u64 mix(u64 a, u64 b) {
    a ^= b + 0x9e3779b97f4a7c15UL + (a << 6) + (a >> 2);
    return a * 0xff51afd7ed558ccdUL ^ a >> 33;
}

struct oops {
    u64 value;
};
static inline u64 risky(u64 n) {
    if (n % 3 == 0)
        throw oops{n};
    return n;
}

static std::atomic<long> living; // objects of the classes below

// Its memory shows an object that is used after its end or after it was moved.
class object {
public:
    object(u64 n = 7) : at(new u64(n)) { ++living; }
    object(const object &o) : at(new u64(*o.at)) { ++living; }
    object(object &&o) noexcept : at(o.at) { o.at = nullptr; ++living; }
    object &operator=(const object &o) {
        if (this != &o) {
            delete at;
            at = new u64(*o.at);
        }
        return *this;
    }
    object &operator=(object &&o) noexcept { std::swap(at, o.at); return *this; }
    ~object() {
        if (at != nullptr)
            *at = 0xdead;
        delete at;
        --living;
    }
    u64 get() const { return *at; }
private:
    u64 *at;
};
struct derived : object {
    explicit derived(u64 n) : object(n), more(n) {}
    u64 more;
};
// It cannot be copied.
class unique {
public:
    explicit unique(u64 n = 5) : is(n) {}
    unique(unique &&) = default;
    unique &operator=(unique &&) = default;
    u64 get() const { return is.get(); }
private:
    object is;
};
// It cannot be moved byte by byte.
class fixed {
public:
    fixed(u64 n = 3) : self(this), number(n) { ++living; }
    fixed(const fixed &o) : self(this), number(o.get()) { ++living; }
    fixed &operator=(const fixed &o) { number = o.get(); return *this; }
    ~fixed() { self = nullptr; --living; }
    u64 get() const { return self == this ? number : 0xbad; }
private:
    const fixed *self;
    u64 number;
};
struct small {
    unsigned a, b;
};
struct big {
    u64 all[6];
};
struct bits {
    unsigned a : 5, b : 27;
};
class note {
public:
    note(u64 &to, u64 n) : to_(to), n_(n) {}
    ~note() { to_ = mix(to_, n_); }
private:
    u64 &to_;
    u64 n_;
};

template <class T> struct maker {
    static T make(u64 n) { return T(n); }
};
template <> struct maker<small> {
    static small make(u64 n) { return small{unsigned(n), unsigned(n >> 32)}; }
};
template <> struct maker<big> {
    static big make(u64 n) { return big{{n, n + 1, n + 2, n + 3, n + 4, n + 5}}; }
};
template <> struct maker<bits> {
    static bits make(u64 n) { bits b; b.a = n & 31; b.b = n >> 5 & 0x7ffffff; return b; }
};
template <class T> T of(u64 n) { return maker<T>::make(n); }

static inline u64 d(u64 n) { return n; }
static inline u64 d(int n) { return u64(n); }
static inline u64 d(unsigned n) { return n; }
static inline u64 d(long n) { return u64(n); }
static inline u64 d(short n) { return u64(n); }
static inline u64 d(unsigned char n) { return n; }
static inline u64 d(const object &o) { return o.get(); }
static inline u64 d(const unique &o) { return o.get(); }
static inline u64 d(const fixed &o) { return o.get(); }
static inline u64 d(const small &o) { return mix(o.a, o.b); }
static inline u64 d(const big &o) { return mix(mix(mix(o.all[0], o.all[1]), o.all[2]), o.all[5]); }
static inline u64 d(const bits &o) { return mix(o.a, o.b); }
template <class T> u64 d(const std::vector<T> &row) {
    u64 n = 1;
    for (const T &one : row)
        n = mix(n, d(one));
    return n;
}
template <class T, std::size_t count> u64 d(const T (&row)[count]) {
    u64 n = 1;
    for (const T &one : row)
        n = mix(n, d(one));
    return n;
}
template <class T> std::vector<T> row(u64 n) {
    std::vector<T> all;
    for (u64 i = 0; i < 4; ++i)
        all.push_back(of<T>(mix(n, i)));
    return all;
}

struct hashed {
    u64 hash = 0, power = 1;
    void add(u64 n) { hash = hash * 31 + n; power *= 31; }
    u64 get() const { return hash; }
};
struct hash_monoid : cilk::monoid_base<hashed> {
    static void reduce(hashed *left, hashed *right) {
        left->hash = left->hash * right->power + right->hash;
        left->power *= right->power;
    }
};

inline void no_sum(void *view) { *static_cast<u64 *>(view) = 0; }
inline void join_sums(void *l, void *r) { *static_cast<u64 *>(l) += *static_cast<u64 *>(r); }
inline void no_hash(void *view) { *static_cast<hashed *>(view) = hashed(); }
inline void join_hashes(void *l, void *r) {
    hash_monoid::reduce(static_cast<hashed *>(l), static_cast<hashed *>(r));
}
typedef u64 cilk_reducer(no_sum, join_sums) sum_cell;
typedef hashed cilk_reducer(no_hash, join_hashes) hash_cell;
struct cells {
    sum_cell sum;
    hash_cell rows[3];
    explicit cells(u64 sum = 5) : sum{sum} {}
    cells &itself() { return *this; }
};
struct two_cells {
    sum_cell &one;
    sum_cell *other;
};
inline void add_to(sum_cell &to, u64 n) { to += n; }
inline void add_each(hash_cell *from, hash_cell *to, u64 n) {
    for (; from != to; ++from)
        from->add(n);
}
inline void by_pointer(sum_cell &to, u64 n) {
    void (*add)(sum_cell &, u64) = add_to;
    add(to, n);
}

inline std::pair<u64, u64> two_of(u64 n) { return {n, mix(n, 1)}; }
inline u64 &same_one(u64 &x, u64 n) {
    x = mix(x, n);
    return x;
}
inline object object_of(u64 n) { return object(n); }
"""
