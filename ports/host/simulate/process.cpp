// SPDX-License-Identifier: MIT
#include "process.hpp"

#include "../failure.hpp"
#include "../text/progress.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

extern char** environ;

namespace kinecast::host {
namespace {

// What a program is started with: two lists of C strings that end with null.
class CStrings {
 public:
  explicit CStrings(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  [[nodiscard]] char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

std::vector<std::string> english_environment() {
  std::vector<std::string> out{"LC_ALL=C"};
  for (char** each = environ; *each != nullptr; ++each)
    if (std::string_view(*each).substr(0, 7) != "LC_ALL=") out.emplace_back(*each);
  return out;
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

int wait_for(pid_t program, int flags) {
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(program, &status, flags);
    if (ended == program) return code_of(status);
    if (ended == 0) return -1;
    if (errno != EINTR)
      throw Failure(ExitCode::environment, std::string("a program that was started is lost: ") + std::strerror(errno));
  }
}

}  // namespace

pid_t start_program(const std::vector<std::string>& arguments, const Streams& streams) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const auto give = [&](int from, int to) {
    if (from >= 0) posix_spawn_file_actions_adddup2(&actions, from, to);
  };
  give(streams.input, STDIN_FILENO);
  give(streams.output, STDOUT_FILENO);
  give(streams.error, STDERR_FILENO);
  const CStrings words(arguments);
  const CStrings environment(english_environment());
  pid_t program = 0;
  const int error = posix_spawnp(&program, words.get()[0], &actions, nullptr, words.get(), environment.get());
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? program : 0;
}

int exit_code_of(pid_t program) { return wait_for(program, 0); }
int exit_code_now(pid_t program) { return wait_for(program, WNOHANG); }

int exit_code_with_progress(pid_t program, const std::string& what) {
  Progress progress(what);
  const auto start = std::chrono::steady_clock::now();
  int code = -1;
  while ((code = exit_code_now(program)) < 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    progress.show(std::to_string(static_cast<int>(passed.count())) + " s");
  }
  return code;
}

void Descriptor::close() {
  if (value_ >= 0) ::close(value_);
  value_ = -1;
}

}  // namespace kinecast::host
