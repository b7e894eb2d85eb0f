// SPDX-License-Identifier: MIT
// Types that the translation writes are the program's own, whatever else has their names.
#include <cilk/cilk.h>
#include <cstdio>
#include <sys/stat.h>
#include <tuple>
#include <vector>

static void add_one(int &x) {
    ++x;
}

namespace geometry {
struct point {
    int k;
};
point make(int k) {
    return point{k};
}
std::tuple<point, std::vector<point>> pair_of(int k) {
    return std::make_tuple(point{k}, std::vector<point>(1, point{k + 1}));
}
namespace {
struct hidden {
    int k;
};
hidden make_hidden(int k) {
    return hidden{k};
}
} // namespace
struct outer {
    struct inner {
        int k;
    };
};
outer::inner nodes[2];
outer::inner *find(int i) {
    return &nodes[i];
}
typedef outer::inner (*maker)(int);
outer::inner make_inner(int k) {
    return {k};
}
maker get_maker() {
    return make_inner;
}
int outer::inner::*get_member() {
    return &outer::inner::k;
}
int take(point p) {
    return p.k;
}
} // namespace geometry

namespace app {

namespace geometry {
struct point {
    int k;
    point(::geometry::point p) : k(p.k + 1000) {}
};
struct outer {};
} // namespace geometry
namespace std {
struct vector {};
} // namespace std

static int results() {
    auto y = cilk_spawn ::geometry::make(4);
    auto z = cilk_spawn ::geometry::make_hidden(5);
    auto both = cilk_spawn ::geometry::pair_of(6);
    int taken = cilk_spawn ::geometry::take({7});
    cilk_sync;
    return y.k + z.k + ::std::get<0>(both).k + ::std::get<1>(both)[0].k + taken;
}

static int declared_between() {
    int a = 0;
    cilk_spawn add_one(a);
    auto *p = ::geometry::find(1);
    auto make = ::geometry::get_maker();
    auto member = ::geometry::get_member();
    p->k += make(2).k;
    p->*member += 1;
    cilk_sync;
    return a + p->k;
}

} // namespace app

// A function has the name of the class.
static int with_tag() {
    struct stat s;
    s.st_size = 4;
    int a = 0;
    cilk_spawn add_one(a);
    struct stat *p = &s;
    p->st_size++;
    cilk_sync;
    return a + static_cast<int>(s.st_size);
}

class owner {
    struct part {
        int v = 7;
    } part_;

public:
    part *get() { return &part_; }
    int inside() {
        int a = 0;
        cilk_spawn add_one(a);
        part *p = &part_;
        p->v++;
        cilk_sync;
        return a + p->v;
    }
};

static int of_private_type() {
    owner o;
    int a = 0;
    cilk_spawn add_one(a);
    auto p = o.get();
    p->v++;
    cilk_sync;
    const int before = a + p->v;
    return before + o.inside();
}

int main() {
    std::printf("%d %d %d %d\n", app::results(), app::declared_between(), with_tag(),
                of_private_type());
}

/* Output:
29 4 6 19
*/
