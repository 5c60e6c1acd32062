// SPDX-License-Identifier: MIT
// Seeks the most expensive step of each scene with contact by hill climbing over states, commands and, by the steps
// before it, contact sets and memories. It writes the best cases to tests/bench/worst_cases/, from where the benches
// count them exactly on the board (rows step_searched). The host knows no instructions: a step costs its
// factorisations, its Newton steps and its contacts, in the shares that they have on the board.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "worst_cases.hpp"

namespace {

using kinecast::Shape;
using kinecast::Status;
using support::Random;

constexpr std::size_t kKept = 8;      // cases of a scene
constexpr int kPatience = 3000;       // mutations without progress before another start
constexpr double kLeastGain = 1e-12;  // of the cost

double between(Random& random, double least, double most) {
  return 0.5 * (least + most) + random.within(0.5 * (most - least));
}
bool is(Random& random, double probability) { return between(random, 0, 1) < probability; }

// A step's share in a stance's step: 0.12 per factorisation, 0.06 per Newton step, 0.04 per contact.
template <class Report>
double cost_of(const Report& report) {
  return 0.12 * report.passes + 0.06 * report.iterations + 0.04 * report.count;
}

template <const auto& R>
class Search {
 public:
  using Case = bench::WorstCase<R>;
  using Predictor = kinecast::Predictor<R, float, typename bench::GroundScene<R>::Contacts>;
  struct Found {
    Case what;
    double cost;
    int systems;
    int steps;
    int contacts;
  };

  explicit Search(std::uint64_t seed) : random_(seed) {}

  std::vector<Found> run(const char* name, double seconds) {
    std::vector<Found> best;
    for (const Case& known : bench::WorstCases<R>::all) keep(known, best);
    const auto start = std::chrono::steady_clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    double told = 0;
    long tries = 0;
    while (passed() < seconds) {
      Case here = !best.empty() && is(random_, 0.3) ? best[pick(best.size())].what : random_case();
      double cost = cost_of_case(here);
      for (int idle = 0; idle < kPatience && passed() < seconds; ++idle) {
        const Case other = mutated(here);
        const double others = cost_of_case(other);
        ++tries;
        if (others < cost) continue;
        if (others > cost + kLeastGain) idle = 0;
        here = other;
        cost = others;
        if (passed() > told + 1) {
          told = passed();
          std::fprintf(stderr, "\r%s: %3.0f of %.0f s, %ld steps, best %.2f ", name, told, seconds, tries,
                       best.empty() ? 0.0 : best.front().cost);
        }
      }
      keep(here, best);
    }
    std::fprintf(stderr, "\r%70s\r", "");
    return best;
  }

 private:
  std::size_t pick(std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(between(random_, 0, static_cast<double>(count))));
  }

  // The last step's cost, or -1 if the case cannot be run: then its state is no state, or the joints have left their stops.
  double cost_of_case(const Case& c) {
    if (!kinecast::ok(c.lead(predictor_))) return -1;
    const Status status = predictor_.step(c.template command<float>(bench::kWorstLead), 0.001F);
    return kinecast::ok(status) ? cost_of(predictor_.contact_report()) : -1;
  }
  void keep(const Case& c, std::vector<Found>& best) {
    const double cost = cost_of_case(c);
    if (cost < 0) return;
    const auto& report = predictor_.contact_report();
    // Cases of the same work are the same case.
    for (const Found& other : best)
      if (!(std::abs(other.cost - cost) > kLeastGain) && other.contacts == report.count) return;
    best.push_back({c, cost, report.passes, report.iterations, report.count});
    std::sort(best.begin(), best.end(), [](const Found& a, const Found& b) { return a.cost > b.cost; });
    if (best.size() > kKept) best.resize(kKept);
  }

  // Near the pose of the scene or anywhere, lowest point near the ground, joints between their stops and now and then at them.
  Case random_case() {
    Case c{};
    kinecast::State<R, double> state = kinecast::zero_state<R, double>();
    bench::GroundScene<R>::start(state);
    const double size = std::pow(10, between(random_, -3, 0));
    for (int l = 0; l < R.kLinks; ++l) {
      const kinecast::Link& link = R.link(l);
      const int b = Shape<R>::body_of_link(l);
      const int q = Shape<R>::q_of(b);
      if (link.joint == kinecast::JointKind::floating) {
        for (int i = 4; i < 7; ++i) state.q[q + i] += random_.within(size);
        state.q.template segment<4>(q + 3).normalize();
        continue;
      }
      const auto& limits = link.limits;
      state.q[q] += random_.within(size);
      if (limits.has_stops && is(random_, 0.2)) state.q[q] = is(random_, 0.5) ? limits.lower : limits.upper;
      if (limits.has_stops) state.q[q] = std::clamp(state.q[q], limits.lower - 1e-3, limits.upper + 1e-3);
    }
    const double speed = std::pow(10, between(random_, -3, 1));
    for (int i = 0; i < Shape<R>::kDofs; ++i) state.dq[i] = is(random_, 0.8) ? random_.within(speed) : 0;
    if (Shape<R>::kHas.floating > 0) state.q[2] += between(random_, -2e-3, 2e-3) - lowest(state.q);
    for (std::size_t i = 0; i < c.q.size(); ++i) c.q[i] = static_cast<float>(state.q[static_cast<Eigen::Index>(i)]);
    for (std::size_t i = 0; i < c.dq.size(); ++i) c.dq[i] = static_cast<float>(state.dq[static_cast<Eigen::Index>(i)]);
    kinecast::Command<R, double> command;
    bench::GroundScene<R>::control(state, 0, command);
    const double push = std::pow(10, between(random_, -2, 2));
    for (auto& one : c.commands)
      for (std::size_t i = 0; i < one.size(); ++i)
        one[i] = static_cast<float>(command[static_cast<Eigen::Index>(i)] + random_.within(push));
    return c;
  }
  // The height of the lowest point; a robot without points is a cube of 0.1 m.
  static double lowest(const kinecast::Position<R, double>& q) {
    static kinecast::Kinematics<R, double> k;
    const kinecast::Velocity<R, double> still = kinecast::Velocity<R, double>::Zero();
    if (!kinecast::ok(kinecast::update_kinematics(kinecast::model<R, double>, q, still, k)))
      throw std::runtime_error("kinematics");
    double least = 1e9;
    if constexpr (R.kPoints == 0) {
      const kinecast::Vec3<double>& up = k.pose(0).rotation.row_z;
      return k.pose(0).position.z - 0.05 * (std::abs(up.x) + std::abs(up.y) + std::abs(up.z));
    }
    for (int i = 0; i < R.kPoints; ++i) {
      const auto& point = kinecast::model<R, double>.points[static_cast<std::size_t>(i)];
      least = std::min(least, kinecast::point_position<R, double>(k, point)[2] - R.point(i).radius_m);
    }
    return least;
  }

  Case mutated(const Case& from) {
    Case c = from;
    const double size = std::pow(10, between(random_, -7, 0.5));
    const auto change = [&](float& x) { x += static_cast<float>(random_.within(size)); };
    const int count = is(random_, 0.5) ? 1 : 1 + static_cast<int>(between(random_, 0, 6));
    for (int k = 0; k < count; ++k) {
      const double what = between(random_, 0, 1);
      if (what < 0.35) {
        change(c.q[pick(c.q.size())]);
      } else if (what < 0.7) {
        float& x = c.dq[pick(c.dq.size())];
        if (is(random_, 0.1))
          x = is(random_, 0.5) ? 0.0F : -x;
        else
          change(x);
      } else {
        float& x = c.commands[pick(c.commands.size())][pick(c.dq.size())];
        x += static_cast<float>(random_.within(30 * size));
      }
    }
    if constexpr (Shape<R>::kHas.floating > 0) {
      double square = 0;
      for (std::size_t i = 3; i < 7; ++i) square += static_cast<double>(c.q[i]) * static_cast<double>(c.q[i]);
      for (std::size_t i = 3; i < 7; ++i) c.q[i] = static_cast<float>(static_cast<double>(c.q[i]) / std::sqrt(square));
    }
    return c;
  }

  Random random_;
  Predictor predictor_;
};

template <class Array>
void write(const Array& values, std::ofstream& file) {
  file << "{{";
  for (std::size_t i = 0; i < values.size(); ++i) {
    char text[40];
    std::snprintf(text, sizeof text, "%s%aF", i == 0 ? "" : ", ", static_cast<double>(values[i]));
    file << text;
  }
  file << "}}";
}

constexpr const char* kHelp = R"(usage: bench_worst_search FOLDER [--seconds N] [SCENE ...]
Seeks the most expensive steps of the bench's scenes with contact, from the cases in FOLDER on which it was compiled,
and writes the best ones to FOLDER/SCENE.inc. Compile and run it again, and it goes on from there.
  --seconds N  time for a scene; default: 30
  SCENE        pendulum6, arm2_ground, quadruped_stance, quadruped_drives, biped_stance, humanoid_stance, box;
               default: all
Example: cmake --build build/bench --target bench_worst, which is: bench_worst_search tests/bench/worst_cases
)";

struct Wish {
  std::filesystem::path folder;
  double seconds{30};
  std::vector<std::string> scenes;
  bool help{false};
};

constexpr std::array<const char*, 7> kScenes{
    "pendulum6", "arm2_ground", "quadruped_stance", "quadruped_drives", "biped_stance", "humanoid_stance", "box"};

template <const auto& R>
void seek(const char* name, const Wish& wish) {
  if (!wish.scenes.empty() && std::find(wish.scenes.begin(), wish.scenes.end(), name) == wish.scenes.end()) return;
  static Search<R> search(7);
  const auto found = search.run(name, wish.seconds);
  if (found.empty()) throw std::runtime_error(std::string(name) + ": no case can be run");
  const std::filesystem::path path = wish.folder / (std::string(name) + ".inc");
  std::ofstream file(path);
  file << "// Made by the target bench_worst: by cost, with factorisations, Newton steps and contacts.\n";
  for (const auto& f : found) {
    file << "// " << f.systems << ", " << f.steps << ", " << f.contacts << "\n{";
    write(f.what.q, file);
    file << ",\n ";
    write(f.what.dq, file);
    file << ",\n {{";
    for (std::size_t i = 0; i < f.what.commands.size(); ++i) {
      if (i > 0) file << ",\n   ";
      write(f.what.commands[i], file);
    }
    file << "}}},\n";
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
  std::printf("%-18s", name);
  for (const auto& f : found) std::printf("  %d/%d/%d", f.systems, f.steps, f.contacts);
  std::printf("\n");
  std::fflush(stdout);
}

Wish read(int count, char** words) {
  Wish wish;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--help")
      wish.help = true;
    else if (word == "--seconds" && i + 1 < count)
      wish.seconds = std::stod(words[++i]);
    else if (wish.folder.empty())
      wish.folder = word;
    else
      wish.scenes.push_back(word);
  }
  if (wish.help) return wish;
  if (wish.folder.empty() || !(wish.seconds > 0)) throw std::runtime_error("see bench_worst_search --help");
  for (const std::string& scene : wish.scenes)
    if (std::find(kScenes.begin(), kScenes.end(), scene) == kScenes.end())
      throw std::runtime_error("no scene " + scene + "; see bench_worst_search --help");
  if (!std::filesystem::is_directory(wish.folder)) throw std::runtime_error("no folder " + wish.folder.string());
  return wish;
}

}  // namespace

int main(int count, char** words) {
  try {
    const Wish wish = read(count, words);
    if (wish.help) {
      std::fputs(kHelp, stdout);
      return 0;
    }
    std::printf("scene               factorisations / Newton steps / contacts of the best cases\n");
    seek<robots::pendulum6>("pendulum6", wish);
    seek<robots::arm2_ground>("arm2_ground", wish);
    seek<robots::quadruped_stance>("quadruped_stance", wish);
    seek<robots::quadruped_drives>("quadruped_drives", wish);
    seek<robots::biped_stance>("biped_stance", wish);
    seek<robots::humanoid_stance>("humanoid_stance", wish);
    seek<robots::box>("box", wish);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_worst_search: %s\n", error.what());
    return 1;
  }
}
