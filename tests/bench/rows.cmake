# SPDX-License-Identifier: MIT
# The firmwares of the bench, one line each: kinecast_bench_row(work robot scalar [ON machine...] [NOT_ON machine...]).
# work: a struct of works.hpp (contact_map_4: ContactMap4); robot: one of robots.hpp, chain20 being robots::chain<20>.
# Machines are the boards' presets, and `host`, where callgrind counts; by default every board. A figure that has a limit
# or a rival gets a line in limits.csv.

kinecast_bench_row(aba arm6 float)
kinecast_bench_row(rnea arm6 float)
kinecast_bench_row(crba arm6 float)
kinecast_bench_row(contact_map_4 arm6 float)
kinecast_bench_row(contact_matrix_4 arm6 float)
kinecast_bench_row(response arm6 float)
kinecast_bench_row(collision_matrix arm6 float)
kinecast_bench_row(impulse arm6 float)
kinecast_bench_row(kinematics arm6 float)
kinecast_bench_row(step_symplectic arm6 float)
kinecast_bench_row(step_gill arm6 float)
kinecast_bench_row(sincos none float)

kinecast_bench_row(aba arm6_geared float)
foreach(joints 1 2 6 20 50)
  kinecast_bench_row(aba chain${joints} float)
endforeach()
kinecast_bench_row(aba chain100 float NOT_ON m0) # 16 KB
kinecast_bench_row(aba humanoid float)
foreach(work aba_rigidified aba_all_rigid rigidify rigid_motions)
  kinecast_bench_row(${work} chain20 float ON m4)
endforeach()

kinecast_bench_row(aba arm6 double ON m4 m7 m55 host) # soft, and in hardware
kinecast_bench_row(aba chain20 double ON host)
kinecast_bench_row(aba humanoid double ON host)
kinecast_bench_row(rnea arm6 double ON host)
kinecast_bench_row(crba arm6 double ON host)

foreach(work step step_limit_idle step_limit step_limit_two)
  kinecast_bench_row(${work} arm6 float ON m4)
endforeach()

kinecast_bench_row(step drive_unit float)
kinecast_bench_row(step arm6_drives float)
foreach(joints 1 2 6 20 50 100)
  kinecast_bench_row(step drive${joints} float ON m4)
endforeach()
foreach(joints 1 6)
  kinecast_bench_row(friction drive${joints} float)
endforeach()
foreach(joints 1 2 6 12 20)
  kinecast_bench_row(friction_implicit drive${joints} float ON m4)
endforeach()

kinecast_bench_row(step pendulum6 float ON m4)
kinecast_bench_row(step_worst pendulum6 float ON m4)
kinecast_bench_row(step_searched pendulum6 float ON m4)
kinecast_bench_row(step_papers pendulum6 float ON m4)
kinecast_bench_row(step_papers_worst pendulum6 float ON m4)
kinecast_bench_row(step arm2_ground float ON m4)
kinecast_bench_row(step_searched arm2_ground float ON m4)
# The most expensive steps that a search found (target bench_worst), and a run in which the robot is pushed.
foreach(robot humanoid_stance quadruped_stance quadruped_drives biped_stance)
  kinecast_bench_row(step ${robot} float ON m4 m7)
  kinecast_bench_row(step_searched ${robot} float ON m4)
  kinecast_bench_row(step_pushed ${robot} float ON m4)
endforeach()
kinecast_bench_row(step pendulum6 double ON host)

kinecast_bench_row(step_volume box float ON m4 m7)
kinecast_bench_row(step_volume_worst box float ON m7)
kinecast_bench_row(step_volume_searched box float ON m7)
kinecast_bench_row(step_volume_papers box float ON m7)
kinecast_bench_row(step_volume stack3 float ON m7)

# The contact solvers alone: the "robot" is their number of unknowns.
foreach(work qp_warm qp_cold qp_velocity_warm qp_velocity_cold)
  kinecast_bench_row(${work} 12 float ON m4)
endforeach()
kinecast_bench_row(lp_static 6x32 float ON m7)
foreach(size 1 2 4 8)
  kinecast_bench_row(lcp_${size} none float ON m4)
endforeach()
