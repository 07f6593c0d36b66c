// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <infiniband/verbs.h>

#include <memory>
#include <string>

namespace verbs {

/// The function of a loaded library; false where it has none of the name.
template <typename Function>
bool find(void* handle, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
}

/// The functions of libibverbs that are used here, found at run time.
struct Library {
    ibv_device** (*device_list)(int*) = nullptr;
    void (*free_device_list)(ibv_device**) = nullptr;
    const char* (*device_name)(ibv_device*) = nullptr;
    ibv_context* (*open_device)(ibv_device*) = nullptr;
    int (*close_device)(ibv_context*) = nullptr;
    int (*query_port)(ibv_context*, std::uint8_t, ibv_port_attr*) = nullptr;
};

/// Nothing where libibverbs is not installed.
const Library* library();

/// An opened RDMA device; null where verbs does not know it or may not open it.
using Context = std::unique_ptr<ibv_context, int (*)(ibv_context*)>;
Context open_device(const Library& library, const std::string& name);

}  // namespace verbs
