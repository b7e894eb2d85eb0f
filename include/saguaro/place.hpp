// SPDX-License-Identifier: MIT
// Allocators of memory with a place (place.h), for std::pmr's containers and for the classic ones.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/allocate_local.hpp"
#include "saguaro/detail/exceptions.hpp"
#include <saguaro/place.h>

#include <cstddef>
#include <limits>
#include <memory_resource>
#include <new>

namespace saguaro {

namespace detail {

// Whether `other` is a T, as `self` is. Without run-time type information: whether it is `self`.
template <class T>
bool is_a(const std::pmr::memory_resource &other, const T &self) noexcept {
#if defined(__cpp_rtti)
    static_cast<void>(self);
    return dynamic_cast<const T *>(&other) != nullptr;
#else
    return &other == &self;
#endif
}

} // namespace detail

// Memory on the node of the thread that allocates. Alignment up to 4096; std::bad_alloc otherwise,
// and when there is no memory. Any thread may free.
class local_resource final : public std::pmr::memory_resource {
    void *do_allocate(std::size_t bytes, std::size_t alignment) override {
        return detail::allocate_local(bytes, alignment);
    }
    void do_deallocate(void *p, std::size_t, std::size_t) override { sg_free_place(p); }
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
        return detail::is_a<local_resource>(other, *this);
    }
};

// Blocks of whole pages by a layout, each of which costs what sg_malloc_place costs: for a few
// large ones. std::bad_alloc where sg_malloc_place returns null, which leaves the reason in errno.
// A list that the layout names must outlive the resource.
class place_resource final : public std::pmr::memory_resource {
public:
    explicit place_resource(sg_layout layout) : layout_(layout) {}

private:
    void *do_allocate(std::size_t bytes, std::size_t alignment) override {
        void *const p =
            alignment <= detail::page_alignment ? sg_malloc_place(bytes, layout_) : nullptr;
        if (p == nullptr)
            detail::throw_error<std::bad_alloc>();
        return p;
    }
    void do_deallocate(void *p, std::size_t, std::size_t) override { sg_free_place(p); }
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
        // Any of them frees what another one has allocated.
        return detail::is_a<place_resource>(other, *this);
    }

    sg_layout layout_;
};

// The classic kind of local_resource: std::vector<double, saguaro::local_allocator<double>>.
template <class T>
struct local_allocator {
    using value_type = T;

    local_allocator() = default;
    template <class U>
    local_allocator(const local_allocator<U> &) noexcept {}

    T *allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
            detail::throw_error<std::bad_array_new_length>();
        return static_cast<T *>(detail::allocate_local(count * sizeof(T), alignof(T)));
    }
    void deallocate(T *p, std::size_t) noexcept { sg_free_place(p); }

    friend bool operator==(const local_allocator &, const local_allocator &) { return true; }
};

// The classic kind of place_resource.
template <class T>
struct place_allocator {
    using value_type = T;
    static_assert(alignof(T) <= detail::page_alignment);

    explicit place_allocator(sg_layout where) : layout(where) {}
    template <class U>
    place_allocator(const place_allocator<U> &other) noexcept : layout(other.layout) {}

    T *allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
            detail::throw_error<std::bad_array_new_length>();
        void *const p = sg_malloc_place(count * sizeof(T), layout);
        if (p == nullptr)
            detail::throw_error<std::bad_alloc>();
        return static_cast<T *>(p);
    }
    void deallocate(T *p, std::size_t) noexcept { sg_free_place(p); }

    friend bool operator==(const place_allocator &, const place_allocator &) { return true; }

    sg_layout layout;
};

} // namespace saguaro
