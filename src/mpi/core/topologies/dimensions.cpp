// SPDX-License-Identifier: MIT
// MPI_Dims_create: a number as a product of factors that are as close to each other as possible.
#include "mpi/core/interface/functions.hpp"

#include <algorithm>
#include <vector>

namespace saguaro::mpi::core {

namespace {

std::vector<int> divisors_of(int number) {
    std::vector<int> low;
    std::vector<int> high;
    for (int d = 1; d <= number / d; ++d)
        if (number % d == 0) {
            low.push_back(d);
            if (d != number / d)
                high.push_back(number / d);
        }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

// base^count, or `most` if it is above that.
std::int64_t power(std::int64_t base, std::size_t count, std::int64_t most) {
    std::int64_t product = 1;
    for (std::size_t i = 0; i < count && product < most; ++i)
        product *= base;
    return std::min(product, most);
}

// Looks through all ways to write a number as a product of factors that do not increase, for the
// one with the least difference between the first and the last. Of equal ones MPICH's choice: the
// greatest first factor, then the least second one, and so on.
class factors_search {
public:
    factors_search(int number, std::size_t count)
        : number_(number), divisors_(divisors_of(number)), tried_(count) {
        choose(number, 0);
    }

    const std::vector<int> &best() const { return best_; }

private:
    int spread(const std::vector<int> &of) const { return of.front() - of.back(); }

    bool is_better(const std::vector<int> &a, const std::vector<int> &b) const {
        if (b.empty() || spread(a) != spread(b))
            return b.empty() || spread(a) < spread(b);
        return std::lexicographical_compare(b.rbegin(), b.rend(), a.rbegin(), a.rend());
    }

    // Whether a factor at a place may be part of something better than the best so far.
    bool may_be_better(int factor, int product, std::size_t at) const {
        const std::size_t left = tried_.size() - at;
        if (power(factor, left, product) < product)
            return false;
        if (best_.empty() || at == 0)
            return true;
        const int least = std::max(1, tried_.front() - spread(best_));
        return factor >= least && power(least, left, std::int64_t{product} + 1) <= product;
    }

    void choose(int product, std::size_t at) {
        if (at == tried_.size()) {
            if (product == 1 && is_better(tried_, best_))
                best_ = tried_;
            return;
        }
        const int most = at == 0 ? number_ : tried_[at - 1];
        for (const int d : divisors_) {
            // The last factor is at most the root.
            if (d > most || (at == 0 && !best_.empty() &&
                             power(std::max(1, d - spread(best_)), tried_.size(),
                                   std::int64_t{number_} + 1) > number_))
                return;
            if (product % d != 0 || !may_be_better(d, product, at))
                continue;
            tried_[at] = d;
            choose(product / d, at + 1);
        }
    }

    int number_;
    std::vector<int> divisors_;
    std::vector<int> tried_;
    std::vector<int> best_;
};

} // namespace

int dims_create(int nodes, int ndims, int *dims) {
    if (nodes < 1)
        return abi::err_arg;
    if (ndims < 0)
        return abi::err_dims;
    if (ndims > 0 && dims == nullptr)
        return abi::err_arg;
    int left = nodes;
    std::size_t chosen = 0;
    for (int i = 0; i < ndims; ++i) {
        if (dims[i] < 0 || (dims[i] > 0 && left % dims[i] != 0))
            return abi::err_dims;
        if (dims[i] == 0)
            ++chosen;
        else
            left /= dims[i];
    }
    if (chosen == 0)
        return ndims == 0 || left == 1 ? abi::success : abi::err_dims;
    const factors_search search(left, chosen);
    for (int i = 0, next = 0; i < ndims; ++i)
        if (dims[i] == 0)
            dims[i] = search.best()[static_cast<std::size_t>(next++)];
    return abi::success;
}

} // namespace saguaro::mpi::core
