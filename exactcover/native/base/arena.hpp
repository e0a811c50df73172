// Memory that is released in the reverse order in which it was taken.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>

#include "base/list.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

class Arena {
public:
    struct Mark {
        std::size_t chunk = 0;
        std::size_t used = 0;
    };

    Mark mark() const { return {current_, used_}; }

    void release(Mark mark) {
        current_ = mark.chunk;
        used_ = mark.used;
    }

    // Memory for n objects, aligned to a cache line, not initialized.
    template <typename T>
    T *take(std::size_t n) {
        const std::size_t size = (n * sizeof(T) + 63) / 64 * 64;
        while (current_ < chunks_.size() && used_ + size > chunks_[current_].size) {
            ++current_;
            used_ = 0;
        }
        if (current_ == chunks_.size()) {
            const std::size_t room = size > kChunk ? size : kChunk;
            void *memory = std::aligned_alloc(64, room);
            if (memory == nullptr) throw std::bad_alloc();
            chunks_.push_back({std::unique_ptr<void, Free>(memory), room});
            held_ += room;
            used_ = 0;
        }
        char *place = static_cast<char *>(chunks_[current_].memory.get()) + used_;
        used_ += size;
        return reinterpret_cast<T *>(place);
    }

    std::size_t bytes() const { return held_; }

private:
    static constexpr std::size_t kChunk = std::size_t{1} << 16;
    struct Free {
        void operator()(void *memory) const { std::free(memory); }
    };
    struct Chunk {
        std::unique_ptr<void, Free> memory;
        std::size_t size;
    };
    List<Chunk> chunks_;
    std::size_t current_ = 0;
    std::size_t used_ = 0;
    std::size_t held_ = 0;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
