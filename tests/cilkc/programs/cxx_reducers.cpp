// SPDX-License-Identifier: MIT
// options: -std=c++98
// Cilk Plus's and OpenCilk's reducers, in spawned functions and loops of a C++98 program.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/holder.h>
#include <cilk/opadd_reducer.h>
#include <cilk/ostream_reducer.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>

#include <iostream>
#include <list>
#include <string>
#include <vector>

struct node {
    int value;
    node *left, *right;
};

node *tree(int low, int high) {
    if (low >= high)
        return 0;
    const int middle = (low + high) / 2;
    node *const n = new node;
    n->value = middle;
    n->left = tree(low, middle);
    n->right = tree(middle + 1, high);
    return n;
}

cilk::reducer<cilk::op_list_append<int> > in_order;
cilk::reducer_opadd<long> sum;

void walk(node *n) {
    if (n == 0)
        return;
    cilk_spawn walk(n->left);
    in_order->push_back(n->value);
    sum += n->value;
    walk(n->right);
    cilk_sync;
    delete n;
}

// A monoid of the program's.
struct append_words {
    typedef std::string value_type;
    append_words() {}
    explicit append_words(const std::string &s) : words(s) {}
    void add(const std::string &s) { words += s; }
    void reduce(append_words *right) { words += right->words; }
    const std::string &view_get_value() const { return words; }
    std::string words;
};

int main() {
    walk(tree(0, 1000));
    int at = 0, good = 1;
    const std::list<int> &visited = in_order.get_value();
    for (std::list<int>::const_iterator i = visited.begin(); i != visited.end(); ++i)
        good = good && *i == at++;
    std::cout << at << ' ' << good << ' ' << sum.get_value() << '\n';

    cilk::reducer<cilk::op_vector<int> > squares;
    cilk::reducer<cilk::op_string> letters;
    cilk::reducer<cilk::op_max_index<int, int> > peak;
    cilk::reducer_min<double> least;
    cilk::reducer<cilk::op_or<unsigned> > bits;
    cilk::reducer<cilk::op_mul<double> > product;
    cilk::reducer<cilk::monoid_with_view<append_words> > words("<");
    cilk::holder<std::vector<int> > scratch;
    cilk::opadd_reducer<int> plain = 5;
    cilk_for (int i = 0; i < 200; ++i) {
        scratch->assign(4, i);
        squares->push_back((*scratch)[3] * i);
        *letters += char('a' + i % 26);
        *peak = cilk::max_of(*peak, i, i * (150 - i));
        least.calc_min(i * 0.5 - 20);
        *bits |= 1u << i % 20;
        if (i % 50 == 0)
            *product *= 3;
        if (i % 40 == 0)
            words->add("w");
        plain += 2;
    }
    std::cout << squares.get_value().size() << ' ' << squares.get_value()[199] << '\n'
              << letters.get_value().substr(20, 10) << '\n'
              << peak.get_value().first << ' ' << peak->get_reference() << '\n'
              << least.get_value() << ' ' << bits.get_value() << ' ' << product.get_value() << '\n'
              << words.get_value() << ' ' << int(plain) << '\n';
    {
        cilk::reducer<cilk::op_ostream> out(std::cout);
        cilk_for (int i = 0; i < 10; ++i)
            *out << i << ',';
        cilk::ostream_reducer<char> more(std::cout);
        cilk_for (int i = 10; i < 20; ++i)
            more << i << ',';
    }
    std::cout << '\n' << (__cilkrts_get_nworkers() > 0) << '\n';
    return 0;
}

/* Output:
1000 1 499500
200 39601
uvwxyzabcd
75 5625
-20 1048575 81
<wwwww 405
0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,
1
*/
