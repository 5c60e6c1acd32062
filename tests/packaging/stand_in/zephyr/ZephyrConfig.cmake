# SPDX-License-Identifier: MIT
# Stands in for Zephyr's CMake package: the modules of ZEPHYR_EXTRA_MODULES are read before the application goes on, as Zephyr
# does it, with CONFIG_ variables (the test gives them, from Kconfig); then `app`, which the application fills. On the host `app` is
# a program; for a board its object files, since there is nothing to link them with.
project(Zephyr-Kernel LANGUAGES C CXX)
if(CONFIG_STD_CPP17)
  set(CMAKE_CXX_STANDARD 17)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

foreach(module IN LISTS ZEPHYR_EXTRA_MODULES)
  get_filename_component(name ${module} NAME)
  add_subdirectory(${module}/zephyr ${CMAKE_BINARY_DIR}/modules/${name})
endforeach()

if(CMAKE_CROSSCOMPILING)
  add_library(app OBJECT)
else()
  add_executable(app ${CMAKE_CURRENT_LIST_DIR}/kernel.cpp)
endif()
target_include_directories(app PRIVATE ${CMAKE_CURRENT_LIST_DIR})
target_compile_options(app PRIVATE -Wall -Wextra -Werror)
