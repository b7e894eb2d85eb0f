// SPDX-License-Identifier: MIT
// Cilk Plus's reducers for C++, on the library's memory-mapped ones: what <cilk/reducer.h> is in
// C++.
//
//     cilk::reducer<cilk::op_add<long>> sum(0);           <cilk/reducer_opadd.h>
//     cilk_for (int i = 0; i < n; ++i)
//         *sum += a[i];
//     std::printf("%ld\n", sum.get_value());
//
// C++11; where cilkc++ preprocesses a program of C++98, the standard library has no more than that,
// and these headers ask it for no more. A lookup, `*sum`, costs what it costs with
// saguaro::reducer: two loads and a branch.
//
// Here as there, a view belongs to a strand: ask for it again after each spawn, sync or call that
// contains one. What Cilk Plus does to place views on cache lines, the runtime does by itself, so
// `Align` and `align_reducer` mean nothing.
#pragma once

#pragma GCC system_header

#include <saguaro/reducer.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace cilk {

// ---- Monoids

// Destroys an object unless it is confirmed.
template <typename Type>
class provisional_guard {
public:
    explicit provisional_guard(Type *object) : object_(object) {}
    ~provisional_guard() {
        if (object_ != nullptr)
            object_->~Type();
    }
    provisional_guard(provisional_guard &&from) : object_(from.object_) { from.confirm(); }
    provisional_guard(const provisional_guard &) = delete;
    provisional_guard &operator=(const provisional_guard &) = delete;

    void confirm() { object_ = nullptr; }
    template <typename Condition>
    Condition *confirm_if(Condition *condition) {
        if (condition != nullptr)
            confirm();
        return condition;
    }

private:
    Type *object_;
};

// What a program's own monoid derives from. It adds at least `reduce(left, right)`, pointers to
// views: left = left * right, associative; right is destroyed afterwards. Where T() is not the
// identity, `identity(view)` makes it in raw memory. Both may be static.
template <typename Value, typename View = Value>
class monoid_base {
public:
    typedef Value value_type;
    typedef View view_type;
    enum { align_reducer = false };

    void destroy(View *view) const { view->~View(); }
    void *allocate(std::size_t bytes) const { return ::operator new(bytes); }
    void deallocate(void *memory) const { ::operator delete(memory); }
    void identity(View *view) const { ::new (static_cast<void *>(view)) View(); }

    // For a construct() of the program's own: provisional(new (monoid) M()).confirm_if(new (view)
    // V(x)) destroys the monoid if the view's constructor throws.
    template <typename Type>
    static provisional_guard<Type> provisional(Type *object) {
        return provisional_guard<Type>(object);
    }

    // How a reducer makes its monoid and its first view, from its constructor's arguments: a
    // monoid, then what goes to the view.
    template <typename Monoid>
    static void construct(Monoid *monoid, View *view) {
        provisional_guard<Monoid> guard(::new (static_cast<void *>(monoid)) Monoid());
        monoid->identity(view);
        guard.confirm();
    }
    template <typename Monoid, typename First, typename... Rest>
    static void construct(Monoid *monoid, View *view, const First &first, const Rest &...rest) {
        provisional_guard<Monoid> guard(::new (static_cast<void *>(monoid)) Monoid());
        ::new (static_cast<void *>(view)) View(first, rest...);
        guard.confirm();
    }
    template <typename Monoid, typename First>
    static void construct(Monoid *monoid, View *view, First &first) {
        provisional_guard<Monoid> guard(::new (static_cast<void *>(monoid)) Monoid());
        ::new (static_cast<void *>(view)) View(first);
        guard.confirm();
    }
    template <typename Monoid>
    static void construct(Monoid *monoid, View *view, const Monoid &from) {
        provisional_guard<Monoid> guard(::new (static_cast<void *>(monoid)) Monoid(from));
        monoid->identity(view);
        guard.confirm();
    }
    template <typename Monoid>
    static void construct(Monoid *monoid, View *view, Monoid &from) {
        construct(monoid, view, static_cast<const Monoid &>(from));
    }
    template <typename Monoid, typename First, typename... Rest>
    static void construct(Monoid *monoid, View *view, const Monoid &from, const First &first,
                          const Rest &...rest) {
        provisional_guard<Monoid> guard(::new (static_cast<void *>(monoid)) Monoid(from));
        ::new (static_cast<void *>(view)) View(first, rest...);
        guard.confirm();
    }
};

// A monoid whose view knows the value's type, has its identity by default, and reduces itself.
template <class View, bool Align = false>
class monoid_with_view : public monoid_base<typename View::value_type, View> {
public:
    enum { align_reducer = Align };
    void identity(View *view) const { ::new (static_cast<void *>(view)) View(); }
    void reduce(View *left, View *right) const { left->reduce(right); }
};

// A view that is a value, with what reducer asks of it.
template <typename Type>
class scalar_view {
public:
    typedef Type value_type;
    typedef const Type &return_type_for_get_value;

    scalar_view() : m_value() {}
    scalar_view(const Type &v) : m_value(v) {}

    void view_move_in(Type &v) { m_value = v; }
    void view_move_out(Type &v) { v = m_value; }
    void view_set_value(const Type &v) { m_value = v; }
    const Type &view_get_value() const { return m_value; }
    Type &view_get_reference() { return m_value; }
    const Type &view_get_reference() const { return m_value; }

protected:
    Type m_value; // by this name: views of programs derive from it
};

// cilk::move_in(value): an argument whose contents the first view takes.
template <typename Type>
class move_in_wrapper {
public:
    explicit move_in_wrapper(Type &object) : object_(&object) {}
    operator Type &() const { return *object_; }
    Type &value() const { return *object_; }

private:
    Type *object_;
};

template <typename Type>
inline move_in_wrapper<Type> move_in(Type &object) {
    return move_in_wrapper<Type>(object);
}

// The older class of a reducer: `type`. It adds no data.
template <typename Reducer>
struct legacy_reducer_downcast {
    struct type : Reducer {};
};

namespace internal {

// What view_get_value returns. A view that does not say returns a Value.
template <typename>
struct ignored {
    typedef void type;
};
template <typename Value, typename View, typename = void>
struct result_of_get {
    typedef Value type;
};
template <typename Value, typename View>
struct result_of_get<Value, View,
                     typename ignored<typename View::return_type_for_get_value>::type> {
    typedef typename View::return_type_for_get_value type;
};

// How a value goes into a view and comes out of it.
template <typename Value, typename View>
struct value_in_view {
    static void move_in(View &view, Value &v) { view.view_move_in(v); }
    static void move_out(View &view, Value &v) { view.view_move_out(v); }
    static void set(View &view, const Value &v) { view.view_set_value(v); }
    typedef typename result_of_get<Value, View>::type result;
    static result get(const View &view) { return view.view_get_value(); }
};
template <typename Value>
struct value_in_view<Value, Value> {
    static void move_in(Value &view, Value &v) { view = v; }
    static void move_out(Value &view, Value &v) { v = view; }
    static void set(Value &view, const Value &v) { view = v; }
    typedef const Value &result;
    static const Value &get(const Value &view) { return view; }
};

[[noreturn]] inline void no_memory_for_reducer() {
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
    throw std::bad_alloc();
#else
    std::abort();
#endif
}

struct reducer_head : sg_reducer {};

} // namespace internal

// ---- The reducer

// A variable that strands update at once, each through a view of its own. It is made and destroyed
// anywhere, and neither copied nor moved. Its arguments go to the monoid's `construct`.
template <class Monoid>
class reducer : private internal::reducer_head {
    typedef internal::value_in_view<typename Monoid::value_type, typename Monoid::view_type> values;

public:
    typedef Monoid monoid_type;
    typedef typename Monoid::value_type value_type;
    typedef typename Monoid::view_type view_type;

    reducer() {
        start([this](view_type *first) { Monoid::construct(&monoid(), first); });
    }
    template <typename T1>
    reducer(const T1 &x1) {
        start([&](view_type *first) { Monoid::construct(&monoid(), first, x1); });
    }
    template <typename T1>
    reducer(T1 &x1) {
        start([&](view_type *first) { Monoid::construct(&monoid(), first, x1); });
    }
    template <typename T1, typename T2, typename... Rest>
    reducer(const T1 &x1, const T2 &x2, const Rest &...rest) {
        start([&](view_type *first) { Monoid::construct(&monoid(), first, x1, x2, rest...); });
    }

    ~reducer() {
        sg_reducer_destroy(this);
        monoid().~Monoid();
    }

    reducer(const reducer &) = delete;
    reducer &operator=(const reducer &) = delete;

    Monoid &monoid() { return *reinterpret_cast<Monoid *>(&room_); }
    const Monoid &monoid() const { return *reinterpret_cast<const Monoid *>(&room_); }

    // The strand's view.
    view_type &view() { return *static_cast<view_type *>(sg_reducer_view(this)); }
    const view_type &view() const { return *static_cast<const view_type *>(sg_reducer_view(this)); }
    view_type &operator*() { return view(); }
    const view_type &operator*() const { return view(); }
    view_type *operator->() { return &view(); }
    const view_type *operator->() const { return &view(); }
    view_type &operator()() { return view(); }
    const view_type &operator()() const { return view(); }

    // The value of the serial program, where no parallel work is outstanding.
    void move_in(value_type &from) { values::move_in(view(), from); }
    void move_out(value_type &to) { values::move_out(view(), to); }
    void set_value(const value_type &v) { values::set(view(), v); }
    typename values::result get_value() const { return values::get(view()); }

    operator typename legacy_reducer_downcast<reducer>::type &() {
        return *static_cast<typename legacy_reducer_downcast<reducer>::type *>(this);
    }
    operator const typename legacy_reducer_downcast<reducer>::type &() const {
        return *static_cast<const typename legacy_reducer_downcast<reducer>::type *>(this);
    }

private:
    template <class Make>
    void start(Make make) {
        if (sg_reducer_create_with(this, &functions, &make_by<Make>, &make) != 0)
            internal::no_memory_for_reducer();
    }
    template <class Make>
    static void make_by(void *view, void *make) {
        (*static_cast<Make *>(make))(static_cast<view_type *>(view));
    }

    // A null context makes the runtime hand over the address of the sg_reducer: this object's base.
    static Monoid &monoid_of(void *context) {
        return static_cast<reducer *>(
                   static_cast<internal::reducer_head *>(static_cast<sg_reducer *>(context)))
            ->monoid();
    }
    static void make_identity(void *view, void *context) {
        monoid_of(context).identity(static_cast<view_type *>(view));
    }
    static void reduce(void *left, void *right, void *context) noexcept {
        monoid_of(context).reduce(static_cast<view_type *>(left), static_cast<view_type *>(right));
    }
    static void destroy(void *view, void *context) noexcept {
        monoid_of(context).destroy(static_cast<view_type *>(view));
    }

    // Hidden: the loader would let all copies of the library in a process share the first one's.
    __attribute__((visibility("hidden"))) static const sg_monoid functions;

    alignas(Monoid) unsigned char room_[sizeof(Monoid)];
};

template <class Monoid>
const sg_monoid reducer<Monoid>::functions = {&reducer::make_identity,
                                              &reducer::reduce,
                                              &reducer::destroy,
                                              sizeof(view_type),
                                              alignof(view_type),
                                              nullptr,
                                              nullptr};

} // namespace cilk
