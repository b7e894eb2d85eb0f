// SPDX-License-Identifier: MIT
// Copies between elements and their stream. All of it is written once, for both directions.
#include "mpi/datatypes/datatype.hpp"
#include "mpi/datatypes/layout.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace saguaro::mpi {
namespace {

using layouts::node;

// Addresses in elements are numbers: MPI_BOTTOM is 0, and displacements may be anything.
using address = std::uintptr_t;

enum class way : bool { pack, unpack };

address moved(address from, std::int64_t by) {
    return from + static_cast<address>(by);
}

template <way direction>
void copy_bytes(address memory, std::byte *stream, std::size_t bytes) {
    auto *elements = reinterpret_cast<std::byte *>(memory);
    if constexpr (direction == way::pack)
        std::memcpy(stream, elements, bytes);
    else
        std::memcpy(elements, stream, bytes);
}

// Two copies of a fixed width that overlap, if `bytes` is not twice the width.
template <way direction, std::size_t width>
void copy_ends(address memory, std::byte *stream, std::size_t bytes) {
    copy_bytes<direction>(memory, stream, width);
    copy_bytes<direction>(memory + bytes - width, stream + bytes - width, width);
}

// A call of memcpy costs more than it copies here.
template <way direction>
inline void copy_run(address memory, std::byte *stream, std::size_t bytes) {
    if (bytes > 64)
        copy_bytes<direction>(memory, stream, bytes);
    else if (bytes > 32)
        copy_ends<direction, 32>(memory, stream, bytes);
    else if (bytes > 16)
        copy_ends<direction, 16>(memory, stream, bytes);
    else if (bytes >= 8)
        copy_ends<direction, 8>(memory, stream, bytes);
    else if (bytes >= 4)
        copy_ends<direction, 4>(memory, stream, bytes);
    else if (bytes >= 2)
        copy_ends<direction, 2>(memory, stream, bytes);
    else if (bytes == 1)
        copy_bytes<direction>(memory, stream, 1);
}

inline double loaded(address from) {
    double value = 0;
    std::memcpy(&value, reinterpret_cast<const void *>(from), sizeof value);
    return value;
}

// Four runs. Packed doubles go out two in a store, because a core loads more numbers a cycle than
// it stores: 1,000 of them take 195 ns instead of 250. Four floats in a store gain nothing.
template <way direction, std::size_t width>
inline void copy_four(address first, address second, address third, address fourth,
                      std::byte *stream) {
    if constexpr (direction == way::pack && width == 8) {
        using two [[gnu::vector_size(16)]] = double;
        const two front = {loaded(first), loaded(second)};
        const two back = {loaded(third), loaded(fourth)};
        std::memcpy(stream, &front, sizeof front);
        std::memcpy(stream + sizeof front, &back, sizeof back);
    } else {
        copy_bytes<direction>(first, stream, width);
        copy_bytes<direction>(second, stream + width, width);
        copy_bytes<direction>(third, stream + 2 * width, width);
        copy_bytes<direction>(fourth, stream + 3 * width, width);
    }
}

template <way direction>
class mover {
public:
    // All `size` bytes of a shape, or of `count` of them; null is a run.
    static void whole(const node *shape, std::int64_t size, address memory, std::byte *stream);
    static void whole_row(const node *shape, std::int64_t size, std::int64_t count,
                          std::int64_t stride, address memory, std::byte *stream);

    // `bytes` from `offset` on.
    static void part(const node *shape, std::int64_t size, address memory, std::int64_t offset,
                     std::byte *stream, std::int64_t bytes);
    static void part_of_row(const node *shape, std::int64_t size, std::int64_t stride,
                            address memory, std::int64_t offset, std::byte *stream,
                            std::int64_t bytes);

private:
    static void part_of_blocks(const node &shape, address memory, std::int64_t offset,
                               std::byte *stream, std::int64_t bytes);
    static void part_of_list(const node &shape, address memory, std::int64_t offset,
                             std::byte *stream, std::int64_t bytes);

    // Equal runs, in rows: at even distances, or at each displacement. A width is a constant to the
    // compiler if it is a common one.
    template <std::size_t width>
    static void fixed_runs(std::int64_t count, std::int64_t stride, address memory,
                           std::byte *stream);
    template <std::size_t width>
    static void fixed_rows(const node &row, std::int64_t rows, std::int64_t stride, address memory,
                           std::byte *stream);
    template <std::size_t width>
    static void fixed_blocks(const node &shape, address memory, std::byte *stream);
    static void runs(std::size_t width, std::int64_t count, std::int64_t stride, address memory,
                     std::byte *stream);
    static void rows(const node &row, std::int64_t count, std::int64_t stride, address memory,
                     std::byte *stream);
    static void blocks(const node &shape, address memory, std::byte *stream);
    static void list(const node &shape, address memory, std::byte *stream);
};

const node *child_of(const node &list, std::size_t place) {
    return list.children.empty() ? nullptr : list.children[place].get();
}

template <way direction>
template <std::size_t width>
void mover<direction>::fixed_runs(std::int64_t count, std::int64_t stride, address memory,
                                  std::byte *stream) {
    for (; count >= 4; count -= 4) {
        copy_four<direction, width>(memory, moved(memory, stride), moved(memory, 2 * stride),
                                    moved(memory, 3 * stride), stream);
        memory = moved(memory, 4 * stride);
        stream += 4 * width;
    }
    for (; count != 0; --count) {
        copy_bytes<direction>(memory, stream, width);
        memory = moved(memory, stride);
        stream += width;
    }
}

template <way direction>
template <std::size_t width>
void mover<direction>::fixed_rows(const node &row, std::int64_t rows, std::int64_t stride,
                                  address memory, std::byte *stream) {
    for (; rows != 0; --rows) {
        fixed_runs<width>(row.count, row.stride, memory, stream);
        memory = moved(memory, stride);
        stream += static_cast<std::size_t>(row.count) * width;
    }
}

template <way direction>
template <std::size_t width>
void mover<direction>::fixed_blocks(const node &shape, address memory, std::byte *stream) {
    const std::int64_t *at = shape.displacements.data();
    const std::int64_t *const end = at + shape.displacements.size();
    for (; end - at >= 4; at += 4) {
        copy_four<direction, width>(moved(memory, at[0]), moved(memory, at[1]),
                                    moved(memory, at[2]), moved(memory, at[3]), stream);
        stream += 4 * width;
    }
    for (; at != end; ++at) {
        copy_bytes<direction>(moved(memory, *at), stream, width);
        stream += width;
    }
}

// Calls the instance of `function` for this width, or else does `otherwise`.
#define SG_BY_WIDTH(width, function, otherwise, ...)                                               \
    switch (width) {                                                                               \
    case 1:                                                                                        \
        return function<1>(__VA_ARGS__);                                                           \
    case 2:                                                                                        \
        return function<2>(__VA_ARGS__);                                                           \
    case 4:                                                                                        \
        return function<4>(__VA_ARGS__);                                                           \
    case 8:                                                                                        \
        return function<8>(__VA_ARGS__);                                                           \
    case 12:                                                                                       \
        return function<12>(__VA_ARGS__);                                                          \
    case 16:                                                                                       \
        return function<16>(__VA_ARGS__);                                                          \
    case 24:                                                                                       \
        return function<24>(__VA_ARGS__);                                                          \
    case 32:                                                                                       \
        return function<32>(__VA_ARGS__);                                                          \
    case 64:                                                                                       \
        return function<64>(__VA_ARGS__);                                                          \
    default:                                                                                       \
        otherwise;                                                                                 \
    }

template <way direction>
void mover<direction>::runs(std::size_t width, std::int64_t count, std::int64_t stride,
                            address memory, std::byte *stream) {
    auto any_width = [=]() mutable {
        for (; count != 0; --count) {
            copy_run<direction>(memory, stream, width);
            memory = moved(memory, stride);
            stream += width;
        }
    };
    SG_BY_WIDTH(width, fixed_runs, any_width(), count, stride, memory, stream)
}

template <way direction>
void mover<direction>::rows(const node &row, std::int64_t count, std::int64_t stride,
                            address memory, std::byte *stream) {
    auto any_width = [=, &row]() mutable {
        for (; count != 0; --count) {
            runs(static_cast<std::size_t>(row.child_size), row.count, row.stride, memory, stream);
            memory = moved(memory, stride);
            stream += row.count * row.child_size;
        }
    };
    SG_BY_WIDTH(row.child_size, fixed_rows, any_width(), row, count, stride, memory, stream)
}

template <way direction>
void mover<direction>::blocks(const node &shape, address memory, std::byte *stream) {
    if (shape.child) {
        for (std::int64_t displacement : shape.displacements) {
            whole(shape.child.get(), shape.child_size, moved(memory, displacement), stream);
            stream += shape.child_size;
        }
        return;
    }
    const auto width = static_cast<std::size_t>(shape.child_size);
    auto any_width = [=, &shape]() mutable {
        for (std::int64_t displacement : shape.displacements) {
            copy_run<direction>(moved(memory, displacement), stream, width);
            stream += width;
        }
    };
    SG_BY_WIDTH(width, fixed_blocks, any_width(), shape, memory, stream)
}

#undef SG_BY_WIDTH

template <way direction>
void mover<direction>::list(const node &shape, address memory, std::byte *stream) {
    const std::size_t entries = shape.displacements.size();
    const std::int64_t *starts = shape.starts.data();
    const std::int64_t *displacements = shape.displacements.data();
    if (shape.children.empty()) {
        for (std::size_t i = 0; i != entries; ++i)
            copy_run<direction>(moved(memory, displacements[i]), stream + starts[i],
                                static_cast<std::size_t>(starts[i + 1] - starts[i]));
        return;
    }
    for (std::size_t i = 0; i != entries; ++i)
        whole(shape.children[i].get(), starts[i + 1] - starts[i], moved(memory, displacements[i]),
              stream + starts[i]);
}

template <way direction>
void mover<direction>::whole(const node *shape, std::int64_t size, address memory,
                             std::byte *stream) {
    if (!shape)
        copy_run<direction>(memory, stream, static_cast<std::size_t>(size));
    else if (shape->what == node::kind::strided)
        whole_row(shape->child.get(), shape->child_size, shape->count, shape->stride, memory,
                  stream);
    else if (shape->what == node::kind::blocks)
        blocks(*shape, memory, stream);
    else
        list(*shape, memory, stream);
}

template <way direction>
void mover<direction>::whole_row(const node *shape, std::int64_t size, std::int64_t count,
                                 std::int64_t stride, address memory, std::byte *stream) {
    if (!shape)
        return runs(static_cast<std::size_t>(size), count, stride, memory, stream);
    if (shape->what == node::kind::strided && !shape->child)
        return rows(*shape, count, stride, memory, stream);
    for (; count != 0; --count) {
        whole(shape, size, memory, stream);
        memory = moved(memory, stride);
        stream += size;
    }
}

template <way direction>
void mover<direction>::part(const node *shape, std::int64_t size, address memory,
                            std::int64_t offset, std::byte *stream, std::int64_t bytes) {
    if (bytes == size)
        whole(shape, size, memory, stream);
    else if (!shape)
        copy_run<direction>(moved(memory, offset), stream, static_cast<std::size_t>(bytes));
    else if (shape->what == node::kind::strided)
        part_of_row(shape->child.get(), shape->child_size, shape->stride, memory, offset, stream,
                    bytes);
    else if (shape->what == node::kind::blocks)
        part_of_blocks(*shape, memory, offset, stream, bytes);
    else
        part_of_list(*shape, memory, offset, stream, bytes);
}

// The rest of the child that is cut at `offset`, whole children, the begin of one more.
template <way direction>
void mover<direction>::part_of_row(const node *shape, std::int64_t size, std::int64_t stride,
                                   address memory, std::int64_t offset, std::byte *stream,
                                   std::int64_t bytes) {
    memory = moved(memory, offset / size * stride);
    if (const std::int64_t inside = offset % size; inside != 0) {
        const std::int64_t rest = std::min(bytes, size - inside);
        part(shape, size, memory, inside, stream, rest);
        memory = moved(memory, stride);
        stream += rest;
        bytes -= rest;
    }
    const std::int64_t count = bytes / size;
    whole_row(shape, size, count, stride, memory, stream);
    if (const std::int64_t rest = bytes % size; rest != 0)
        part(shape, size, moved(memory, count * stride), 0, stream + count * size, rest);
}

template <way direction>
void mover<direction>::part_of_blocks(const node &shape, address memory, std::int64_t offset,
                                      std::byte *stream, std::int64_t bytes) {
    const std::int64_t size = shape.child_size;
    auto place = shape.displacements.begin() + offset / size;
    for (std::int64_t inside = offset % size; bytes != 0; inside = 0) {
        const std::int64_t next = std::min(bytes, size - inside);
        part(shape.child.get(), size, moved(memory, *place++), inside, stream, next);
        stream += next;
        bytes -= next;
    }
}

template <way direction>
void mover<direction>::part_of_list(const node &shape, address memory, std::int64_t offset,
                                    std::byte *stream, std::int64_t bytes) {
    auto after = std::upper_bound(shape.starts.begin(), shape.starts.end(), offset);
    auto place = static_cast<std::size_t>(after - shape.starts.begin()) - 1;
    for (std::int64_t inside = offset - shape.starts[place]; bytes != 0; inside = 0) {
        const std::int64_t size = shape.starts[place + 1] - shape.starts[place];
        const std::int64_t next = std::min(bytes, size - inside);
        part(child_of(shape, place), size, moved(memory, shape.displacements[place]), inside,
             stream, next);
        stream += next;
        bytes -= next;
        ++place;
    }
}

template <way direction>
void move(const datatype_object &type, address buffer, std::int64_t count, std::int64_t offset,
          std::byte *stream, std::int64_t bytes) {
    if (bytes == 0)
        return;
    const layouts::placed &layout = type.layout();
    const node *shape = layout.shape.get();
    const address memory = moved(buffer, layout.first);
    if (type.contiguous())
        copy_run<direction>(moved(memory, offset), stream, static_cast<std::size_t>(bytes));
    else if (count == 1)
        mover<direction>::part(shape, layout.size, memory, offset, stream, bytes);
    else
        mover<direction>::part_of_row(shape, layout.size, type.extent(), memory, offset, stream,
                                      bytes);
}

} // namespace

void pack(const datatype_object &type, const void *buffer, std::int64_t count, std::int64_t offset,
          void *out, std::int64_t bytes) {
    move<way::pack>(type, reinterpret_cast<address>(buffer), count, offset,
                    static_cast<std::byte *>(out), bytes);
}

void unpack(const datatype_object &type, void *buffer, std::int64_t count, std::int64_t offset,
            const void *in, std::int64_t bytes) {
    // Nothing is written to `in`.
    move<way::unpack>(type, reinterpret_cast<address>(buffer), count, offset,
                      static_cast<std::byte *>(const_cast<void *>(in)), bytes);
}

void copy(const datatype_object &from_type, const void *from, std::int64_t from_count,
          const datatype_object &to_type, void *to, std::int64_t to_count, std::int64_t bytes) {
    if (from_type.contiguous()) {
        address stream = moved(reinterpret_cast<address>(from), from_type.true_lower_bound());
        unpack(to_type, to, to_count, 0, reinterpret_cast<const void *>(stream), bytes);
        return;
    }
    if (to_type.contiguous()) {
        address stream = moved(reinterpret_cast<address>(to), to_type.true_lower_bound());
        pack(from_type, from, from_count, 0, reinterpret_cast<void *>(stream), bytes);
        return;
    }
    // A piece stays in the first-level cache between its two copies.
    constexpr std::int64_t piece = 8192;
    alignas(64) std::byte between[piece];
    for (std::int64_t offset = 0; offset < bytes; offset += piece) {
        const std::int64_t next = std::min(piece, bytes - offset);
        pack(from_type, from, from_count, offset, between, next);
        unpack(to_type, to, to_count, offset, between, next);
    }
}

} // namespace saguaro::mpi
