// SPDX-License-Identifier: MIT
#include "convex_hull.hpp"

#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace kinecast::host {
namespace {

using Point = Vec3<double>;
using Loop = std::vector<std::size_t>;

// What the library calls flat and distinct (model/environment/convex_rules.hpp) is a millionth of the largest coordinate; to stay within it,
// half of that and twice as much.
constexpr double kFlat = 0.5e-6;
constexpr double kDistinct = 2e-6;

double length(const Point& v) { return std::sqrt(dot(v, v)); }

bool comes_before(const Point& a, const Point& b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); }

double reach_of(const std::vector<Point>& points) {
  double reach = 0;
  for (const Point& p : points) reach = std::max({reach, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  return reach;
}

// Normal times area.
Point area_of(const std::vector<Point>& points, const Loop& loop) {
  Point sum{};
  for (std::size_t c = 1; c + 1 < loop.size(); ++c)
    sum = sum + cross(points[loop[c]] - points[loop[0]], points[loop[c + 1]] - points[loop[0]]);
  return 0.5 * sum;
}

double volume_of(const std::vector<Point>& points, const std::vector<Loop>& faces) {
  double volume = 0;
  for (const Loop& loop : faces) volume += dot(area_of(points, loop), points[loop[0]] - points[faces[0][0]]) / 3;
  return volume;
}

// ---- qhull ------------------------------------------------------------------------------------------------------------------

// A facet's vertices as edges, in no order. qhull keeps them as ridges, but for triangles as vertices alone.
std::vector<Loop> edges_of(qhT* qh, const facetT* facet) {
  const auto id = [&](const setT* set, int i) {
    return static_cast<std::size_t>(qh_pointid(qh, static_cast<const vertexT*>(set->e[i].p)->point));
  };
  if (facet->simplicial != 0) {
    const setT* corners = facet->vertices;
    return {{id(corners, 0), id(corners, 1)}, {id(corners, 1), id(corners, 2)}, {id(corners, 2), id(corners, 0)}};
  }
  std::vector<Loop> edges;
  for (int i = 0; i < qh_setsize(qh, facet->ridges); ++i) {
    const auto* ridge = static_cast<const ridgeT*>(facet->ridges->e[i].p);
    edges.push_back({id(ridge->vertices, 0), id(ridge->vertices, 1)});
  }
  return edges;
}

// Edges in a row; empty if they are not one ring.
Loop ring_of(const std::vector<Loop>& edges) {
  std::map<std::size_t, std::vector<std::size_t>> next;
  for (const Loop& edge : edges) next[edge[0]].push_back(edge[1]), next[edge[1]].push_back(edge[0]);
  for (const auto& [vertex, others] : next)
    if (others.size() != 2) return {};
  Loop ring{next.begin()->first};
  std::size_t at = next.begin()->second[0];
  while (at != ring[0] && ring.size() < edges.size()) {
    const std::vector<std::size_t>& others = next[at];
    const std::size_t onward = others[0] == ring.back() ? others[1] : others[0];
    ring.push_back(at);
    at = onward;
  }
  return ring.size() == edges.size() ? ring : Loop{};
}

// The hull's facets as loops of points. Empty if there is no volume, or qhull gives up.
std::vector<Loop> facets_of(const std::vector<Point>& points) {
  if (points.size() < 4) return {};
  std::vector<coordT> coordinates;
  for (const Point& p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* complaints = open_memstream(&text, &size);  // of flat input; the caller says it in its own words
  qhT memory;
  qhT* qh = &memory;
  qh_zero(qh, complaints);
  char command[] = "qhull";
  const int code =
      qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False, command, nullptr, complaints);
  std::vector<Loop> facets;
  bool is_whole = code == 0;
  if (is_whole) {
    for (const facetT* facet = qh->facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
      Loop loop = ring_of(edges_of(qh, facet));
      is_whole = is_whole && loop.size() >= 3;
      if (!is_whole) break;
      const Point outward{facet->normal[0], facet->normal[1], facet->normal[2]};
      if (dot(area_of(points, loop), outward) < 0) std::reverse(loop.begin(), loop.end());
      facets.push_back(loop);
    }
  }
  qh_freeqhull(qh, !qh_ALL);
  int chunks = 0;
  int bytes = 0;
  qh_memfreeshort(qh, &chunks, &bytes);
  std::fclose(complaints);
  std::free(text);
  return is_whole ? facets : std::vector<Loop>{};
}

// ---- faces ------------------------------------------------------------------------------------------------------------------

using Edge = std::pair<std::size_t, std::size_t>;

std::map<Edge, std::size_t> face_by_edge(const std::vector<Loop>& faces) {
  std::map<Edge, std::size_t> out;
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t c = 0; c < faces[f].size(); ++c) out[{faces[f][c], faces[f][(c + 1) % faces[f].size()]}] = f;
  return out;
}

// Facets that belong to one face.
class Groups {
 public:
  Groups(const std::vector<Point>& points, const std::vector<Loop>& facets) : points_(points), facets_(facets) {
    of_.resize(facets.size());
    std::iota(of_.begin(), of_.end(), std::size_t{0});
    for (std::size_t f = 0; f < facets.size(); ++f) {
      members_.push_back({f});
      areas_.push_back(area_of(points, facets[f]));
    }
    merge_flat();
  }

  // One loop for each group; a group that makes no convex polygon falls apart into its facets again.
  std::vector<Loop> loops() {
    for (;;) {
      std::vector<Loop> found;
      std::vector<std::size_t> group_of_loop;
      for (std::size_t g = 0; g < members_.size(); ++g) {
        if (members_[g].empty()) continue;
        found.push_back(members_[g].size() == 1 ? facets_[members_[g][0]] : outline(members_[g]));
        group_of_loop.push_back(g);
      }
      leave_out_straight_corners(found);
      bool is_done = true;
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (members_[group_of_loop[i]].size() == 1 || is_convex(found[i], areas_[group_of_loop[i]])) continue;
        split(group_of_loop[i]);
        is_done = false;
      }
      if (is_done) return found;
    }
  }

 private:
  // The most parallel neighbours first.
  void merge_flat() {
    std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
    const auto by_edge = face_by_edge(facets_);
    for (const auto& [edge, f] : by_edge) {
      const auto other = by_edge.find({edge.second, edge.first});
      if (edge.first > edge.second || other == by_edge.end()) continue;
      const double sizes = length(areas_[f]) * length(areas_[other->second]);
      const double sine = sizes > 0 ? length(cross(areas_[f], areas_[other->second])) / sizes : 0;
      pairs.emplace_back(sine, f, other->second);
    }
    std::sort(pairs.begin(), pairs.end());
    const double tolerance = kFlat * reach_of(points_);
    for (const auto& [sine, a, b] : pairs) {
      const std::size_t to = of_[a];
      const std::size_t from = of_[b];
      if (to == from || !is_flat(to, from, tolerance)) continue;
      for (const std::size_t f : members_[from]) of_[f] = to, members_[to].push_back(f);
      members_[from].clear();
      areas_[to] = areas_[to] + areas_[from];
    }
  }

  bool is_flat(std::size_t a, std::size_t b, double tolerance) const {
    const Point sum = areas_[a] + areas_[b];
    if (!(length(sum) > 0)) return false;
    const Point normal = (1 / length(sum)) * sum;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (const std::size_t group : {a, b}) {
      for (const std::size_t f : members_[group]) {
        for (const std::size_t vertex : facets_[f]) {
          low = std::min(low, dot(normal, points_[vertex]));
          high = std::max(high, dot(normal, points_[vertex]));
        }
      }
    }
    return high - low <= tolerance;
  }

  // Edges that no other facet of the group has in the other direction.
  Loop outline(const std::vector<std::size_t>& members) const {
    std::set<Edge> all;
    for (const std::size_t f : members)
      for (std::size_t c = 0; c < facets_[f].size(); ++c)
        all.insert({facets_[f][c], facets_[f][(c + 1) % facets_[f].size()]});
    std::map<std::size_t, std::size_t> next;
    std::size_t count = 0;
    for (const Edge& edge : all) {
      if (all.count({edge.second, edge.first}) > 0) continue;
      next[edge.first] = edge.second;
      ++count;
    }
    Loop loop;
    if (next.size() != count || next.empty()) return loop;  // it touches itself
    std::size_t at = next.begin()->first;
    do {
      loop.push_back(at);
      const auto onward = next.find(at);
      at = onward == next.end() ? next.begin()->first : onward->second;
    } while (at != next.begin()->first && loop.size() <= count);
    return loop.size() == count ? loop : Loop{};
  }

  // A vertex of two faces lies on their edge.
  static void leave_out_straight_corners(std::vector<Loop>& loops) {
    std::map<std::size_t, int> uses;
    for (const Loop& loop : loops)
      for (const std::size_t vertex : loop) ++uses[vertex];
    for (Loop& loop : loops)
      loop.erase(std::remove_if(loop.begin(), loop.end(), [&](std::size_t vertex) { return uses[vertex] < 3; }),
                 loop.end());
  }

  bool is_convex(const Loop& loop, const Point& area) const {
    const double tolerance = kFlat * reach_of(points_);
    const Point normal = (1 / length(area)) * area;
    for (std::size_t c = 0; c < loop.size(); ++c) {
      const Point& from = points_[loop[c]];
      const Point edge = points_[loop[(c + 1) % loop.size()]] - from;
      const Point outward = cross((1 / length(edge)) * edge, normal);
      for (const std::size_t other : loop)
        if (dot(outward, points_[other] - from) > tolerance) return false;
    }
    return loop.size() >= 3;
  }

  void split(std::size_t group) {
    const std::vector<std::size_t> members = members_[group];
    members_[group].clear();
    for (const std::size_t f : members) {
      members_.push_back({f});
      areas_.push_back(area_of(points_, facets_[f]));
    }
  }

  const std::vector<Point>& points_;
  const std::vector<Loop>& facets_;
  std::vector<std::size_t> of_;                    // the group of each facet, while they grow
  std::vector<std::vector<std::size_t>> members_;  // an empty one has gone into another
  std::vector<Point> areas_;                       // of the groups
};

std::vector<Point> used_points(const std::vector<Point>& points, const std::vector<Loop>& faces) {
  std::set<std::size_t> used;
  for (const Loop& loop : faces) used.insert(loop.begin(), loop.end());
  std::vector<Point> out;
  out.reserve(used.size());
  for (const std::size_t i : used) out.push_back(points[i]);
  return out;
}

// Of points that are nearer than that to each other, the first.
std::vector<Point> distinct(const std::vector<Point>& sorted, double apart) {
  std::vector<Point> out;
  for (const Point& p : sorted) {
    bool is_new = true;
    for (std::size_t i = out.size(); is_new && i > 0 && p.x - out[i - 1].x <= apart; --i)
      is_new = length(p - out[i - 1]) > apart;
    if (is_new) out.push_back(p);
  }
  return out;
}

Hull in_order(const std::vector<Point>& points, std::vector<Loop> faces) {
  std::map<std::size_t, std::size_t> place;
  for (const Loop& loop : faces)
    for (const std::size_t vertex : loop) place[vertex] = 0;
  Hull hull;
  for (auto& [vertex, index] : place) {
    index = hull.vertices.size();
    hull.vertices.push_back(points[vertex]);
  }
  for (Loop& loop : faces) {
    for (std::size_t& vertex : loop) vertex = place[vertex];
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  }
  std::sort(faces.begin(), faces.end());
  hull.volume = volume_of(hull.vertices, faces);
  hull.faces = std::move(faces);
  return hull;
}

// ---- fewer vertices -----------------------------------------------------------------------------------------------------------

double hull_volume(const std::vector<Point>& points) {
  const std::vector<Loop> facets = facets_of(points);
  return facets.empty() ? 0 : volume_of(points, facets);
}

std::vector<std::set<std::size_t>> neighbours_in(const Hull& hull) {
  std::vector<std::set<std::size_t>> out(hull.vertices.size());
  for (const Loop& loop : hull.faces)
    for (std::size_t c = 0; c < loop.size(); ++c) out[loop[c]].insert(loop[(c + 1) % loop.size()]);
  return out;
}

// What the hull loses with a vertex is what the hull of the vertex and its neighbours loses: all other faces stay.
double cost_of(const Point& vertex, std::vector<Point> neighbours) {
  const double without = hull_volume(neighbours);
  neighbours.push_back(vertex);
  return std::max(hull_volume(neighbours) - without, 0.0);
}
double cost_of(const Hull& hull, std::size_t vertex, const std::set<std::size_t>& neighbours) {
  std::vector<Point> places;
  places.reserve(neighbours.size());
  for (const std::size_t i : neighbours) places.push_back(hull.vertices[i]);
  return cost_of(hull.vertices[vertex], places);
}

}  // namespace

std::size_t Hull::corners() const {
  std::size_t sum = 0;
  for (const auto& loop : faces) sum += loop.size();
  return sum;
}

std::optional<Hull> find_hull(const std::vector<Point>& points) {
  std::vector<Point> left = points;
  for (;;) {
    std::sort(left.begin(), left.end(), comes_before);
    left = distinct(left, 0);
    const std::vector<Loop> facets = facets_of(left);
    if (facets.empty()) return std::nullopt;
    const std::vector<Point> corners = distinct(used_points(left, facets), kDistinct * reach_of(left));
    if (corners.size() < left.size()) {
      left = corners;  // of these alone: facets may have had others
      continue;
    }
    const Hull hull = in_order(left, Groups(left, facets).loops());
    if (hull.vertices.size() == left.size()) return hull;
    left = hull.vertices;
  }
}

Hull simplified(Hull hull, std::size_t most_vertices, Progress& progress) {
  const double surplus = static_cast<double>(hull.vertices.size()) - static_cast<double>(most_vertices);
  using Neighbourhood = std::pair<Point, std::vector<Point>>;
  const auto order = [](const Neighbourhood& a, const Neighbourhood& b) {
    if (comes_before(a.first, b.first) || comes_before(b.first, a.first)) return comes_before(a.first, b.first);
    return std::lexicographical_compare(a.second.begin(), a.second.end(), b.second.begin(), b.second.end(),
                                        comes_before);
  };
  std::map<Neighbourhood, double, decltype(order)> known(order);
  while (hull.vertices.size() > most_vertices) {
    progress.show_share(1 - static_cast<double>(hull.vertices.size() - most_vertices) / surplus);
    const auto neighbours = neighbours_in(hull);
    std::vector<std::pair<double, std::size_t>> costs;
    for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
      Neighbourhood key{hull.vertices[i], {}};
      for (const std::size_t n : neighbours[i]) key.second.push_back(hull.vertices[n]);
      auto found = known.find(key);
      if (found == known.end()) found = known.emplace(key, cost_of(key.first, key.second)).first;
      costs.emplace_back(found->second, i);
    }
    std::sort(costs.begin(), costs.end());
    const std::size_t at_once = 1 + (hull.vertices.size() - most_vertices) / 16;
    std::set<std::size_t> dropped;
    for (const auto& [cost, vertex] : costs) {
      if (dropped.size() == at_once) break;
      const auto is_dropped = [&](std::size_t n) { return dropped.count(n) > 0; };
      if (std::none_of(neighbours[vertex].begin(), neighbours[vertex].end(), is_dropped)) dropped.insert(vertex);
    }
    std::vector<Point> left;
    for (std::size_t i = 0; i < hull.vertices.size(); ++i)
      if (dropped.count(i) == 0) left.push_back(hull.vertices[i]);
    const std::optional<Hull> next = find_hull(left);
    if (!next) break;
    hull = *next;
  }
  return hull;
}

std::optional<Hull> without_cheapest_vertex(const Hull& hull, std::size_t face) {
  const auto neighbours = neighbours_in(hull);
  std::pair<double, std::size_t> cheapest{HUGE_VAL, 0};
  for (const std::size_t vertex : hull.faces[face])
    cheapest = std::min(cheapest, {cost_of(hull, vertex, neighbours[vertex]), vertex});
  std::vector<Point> left = hull.vertices;
  left.erase(left.begin() + static_cast<std::ptrdiff_t>(cheapest.second));
  return find_hull(left);
}

HullTables tables_of(const Hull& hull) {
  HullTables t{{}, {0}};
  for (const auto& loop : hull.faces) {
    for (const std::size_t vertex : loop) t.loops.push_back(static_cast<std::uint8_t>(vertex));
    t.starts.push_back(static_cast<std::uint8_t>(t.loops.size()));
  }
  return t;
}

}  // namespace kinecast::host
