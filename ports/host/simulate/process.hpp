// SPDX-License-Identifier: MIT
// Other programs, started with their arguments as they are: no shell reads them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace kinecast::host {

// File descriptors that the program gets; -1: this program's own.
struct Streams {
  int input{-1};
  int output{-1};
  int error{-1};
};

// Messages of the program are English, whatever the user's language. Returns 0 if there is no such program.
[[nodiscard]] pid_t start_program(const std::vector<std::string>& arguments, const Streams& streams);

// The exit code; 128 more than the signal that ended it.
[[nodiscard]] int exit_code_of(pid_t program);
// The same if it has ended; -1: not yet.
[[nodiscard]] int exit_code_now(pid_t program);

// The exit code, with a line of progress while it takes long: `what` and the seconds.
[[nodiscard]] int exit_code_with_progress(pid_t program, const std::string& what);

// A file descriptor that is closed at the end of its scope, and that no program inherits.
class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }
  void close();

 private:
  int value_;
};

}  // namespace kinecast::host
