// What the opaque types of limber.h are, and how calls are kept from throwing.
#pragma once

#include <limber/limber.h>
#include <limber/method.hpp>
#include <limber/world.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>

struct limber_body_maker {
    limber::BodyDescription description;
};

struct limber_body {
    std::shared_ptr<const limber::Body> body;
};

struct limber_options {
    limber::OptionValues values;
};

struct limber_deformer {
    std::shared_ptr<const limber::Deformer> deformer;
};

struct limber_world {
    limber::World world;
};

namespace limber::capi {

/// Cut where it does not fit; nothing for a size of 0.
inline void copy_text(const std::string& text, char* out, std::size_t size) {
    if (out == nullptr || size == 0) return;
    const std::size_t length = std::min(text.size(), size - 1);
    std::memcpy(out, text.data(), length);
    out[length] = '\0';
}

inline limber_status tell(limber_error* error, limber_status status, const std::string& place, const std::string& found,
                          const std::string& expected) {
    if (error != nullptr) {
        error->status = status;
        copy_text(place, error->place, sizeof error->place);
        copy_text(found, error->found, sizeof error->found);
        copy_text(expected, error->expected, sizeof error->expected);
    }
    return status;
}

limber_status status_of(Fault fault);

/// Calls `work`, which may throw; nothing leaves.
template <class Work>
limber_status guarded(limber_error* error, Work&& work) noexcept {
    try {
        work();
        return tell(error, LIMBER_OK, {}, {}, {});
    } catch (const Error& e) {
        return tell(error, status_of(e.fault()), to_string(e.place()), e.found(), e.expected());
    } catch (const std::bad_alloc&) {
        return tell(error, LIMBER_NO_MEMORY, {}, "no memory", {});
    } catch (const std::exception& e) {
        return tell(error, LIMBER_INTERNAL, {}, e.what(), {});
    } catch (...) {
        return tell(error, LIMBER_INTERNAL, {}, "an exception that is none of limber's", {});
    }
}

/// Throws Error{bad_usage} for NULL.
template <class T>
T& given(T* pointer, const char* name) {
    if (pointer == nullptr) throw Error(Fault::bad_usage, {}, std::string(name) + " is NULL", "a pointer");
    return *pointer;
}

/// `count` items may be NULL only when there are none.
template <class T>
const T* given_list(const T* items, std::size_t count, const char* name) {
    if (items == nullptr && count > 0)
        throw Error(Fault::bad_usage, {}, std::string(name) + " is NULL", std::to_string(count) + " of them");
    return items;
}

/// Throws Error{bad_usage} for a body that the world does not have.
template <class W>
W& with_body(W* world, std::size_t body) {
    W& found = given(world, "world");
    if (body >= found.world.body_count()) {
        throw Error(Fault::bad_usage, {}, "body " + std::to_string(body),
                    "below " + std::to_string(found.world.body_count()) + ", the number of bodies");
    }
    return found;
}

inline void check_count(std::size_t count, std::size_t expected, const char* what) {
    if (count != expected) {
        throw Error(Fault::bad_usage, {}, "count is " + std::to_string(count),
                    std::to_string(expected) + ", the number of " + what);
    }
}

/// To be freed by limber_bytes_free.
void hand_out(const std::vector<std::uint8_t>& from, std::uint8_t** bytes, std::size_t* size);

}  // namespace limber::capi
