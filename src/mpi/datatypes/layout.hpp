// SPDX-License-Identifier: MIT
// Where the bytes of an element lie, in normal form: a tree that says nothing of types and is as
// small and as flat as cheap rules make it (README.md has them).
//
//   placed { first, size, shape }      the bytes begin at `first`
//     shape null                       one run of `size` bytes
//     strided { count, stride, child } child after child, `stride` bytes apart
//     blocks { displacements, child }  one child at each displacement
//     list { displacements, starts, children }   children that differ
//
// Displacements count from the first byte of the stream, so the first one of each node is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace saguaro::mpi::layouts {

struct node;
using node_pointer = std::shared_ptr<const node>;

// Bytes and the place of their first one, relative to the address that the user gives. No bytes at
// all: size 0.
struct placed {
    std::int64_t first = 0;
    std::int64_t size = 0;
    node_pointer shape;
};

struct node {
    enum class kind : std::uint8_t { strided, blocks, list };

    kind what = kind::strided;
    std::int64_t runs = 0; // how many runs of bytes there are below, if that is less than 2^62

    // strided and blocks: what each child is; a null child is a run of child_size bytes.
    std::int64_t child_size = 0;
    node_pointer child;

    // strided
    std::int64_t count = 0;
    std::int64_t stride = 0;

    // blocks and list
    std::vector<std::int64_t> displacements;

    // list: where in the stream each child begins, and at last the list's size. No children at all
    // means that all are runs.
    std::vector<std::int64_t> starts;
    std::vector<node_pointer> children;
};

placed run(std::int64_t first, std::int64_t size);

// `count` times the same bytes, `stride` apart.
placed repeated(const placed &child, std::int64_t count, std::int64_t stride);

// What is added, in this order of the stream.
class sequence {
public:
    void reserve(std::size_t entries) { entries_.reserve(entries); }
    // `moved_by` is added to its place.
    void add(const placed &next, std::int64_t moved_by = 0);
    placed finish();

private:
    void flatten();
    void merge();
    placed make() const;

    std::vector<placed> entries_;
};

} // namespace saguaro::mpi::layouts
