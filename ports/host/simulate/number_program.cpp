// SPDX-License-Identifier: MIT
#include "number_program.hpp"

#include "../failure.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace kinecast::host {

NumberProgram::NumberProgram(const std::filesystem::path& program, const std::vector<double>& input)
    : input_(std::tmpfile(), std::fclose), output_(nullptr, std::fclose) {  // a file without a name: it goes by itself
  if (!input_ || std::fwrite(input.data(), sizeof(double), input.size(), input_.get()) != input.size() ||
      std::fflush(input_.get()) != 0 || std::fseek(input_.get(), 0, SEEK_SET) != 0)
    throw Failure(ExitCode::environment, "the folder for temporary files cannot be written");
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure(ExitCode::environment, "no pipe can be opened");
  output_.reset(fdopen(ends[0], "rb"));
  const Descriptor to(ends[1]);
  running_ = start_program({program.string()}, {fileno(input_.get()), to.get(), -1});
  if (running_ == 0)
    throw Failure(
        ExitCode::environment,
        program.string() + ": does not run; may programs run from there? Name another cache folder in KINECAST_CACHE");
}

}  // namespace kinecast::host
