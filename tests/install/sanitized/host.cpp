// SPDX-License-Identifier: MIT
// A program with a sanitizer that loads a plug-in, and unloads it again. Usage: host PLUGIN
#include <dlfcn.h>

int main(int, char **argv) {
    for (int i = 0; i < 3; ++i) {
        void *const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (plugin == nullptr)
            return 3;
        if (reinterpret_cast<long (*)(long)>(dlsym(plugin, "plugin_work"))(10) != 55)
            return 4;
        dlclose(plugin);
    }
    return 0;
}
