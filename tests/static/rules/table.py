"""Robots and environments that break one rule each, and one of each kind that keeps them all.

A row of ROBOTS or ENVIRONMENTS: the rule's name in the library's enum, the index that the compiler must name (of the
link, point, loop or coupling; of the surface and its face, -1 where the rule does not speak of faces), a piece of the sentence that
it must say, what is wrong, and the C++ expression. The words that the expressions share stand in ROBOT_WORDS and
ENVIRONMENT_WORDS.
"""
# SPDX-License-Identifier: MIT

ROBOT_WORDS = '''
#include <kinecast/model/model.hpp>

#include <limits>

using namespace kinecast;
constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
[[maybe_unused]] constexpr auto kArm = link("arm", on("world"), revolute(kAxisY), kBody);
[[maybe_unused]] constexpr auto kMotor = dc_motor(torque_constant(0.02), resistance(2), voltage_limit(24));
'''

GOOD_ROBOT = '''robot("trial", kArm, link("hand", on("arm"), prismatic(kAxisX), kBody),
    contact_point("tip", on("hand")))'''

ROBOTS = [
    ('no_moving_link', '-1', 'the robot has no moving joint', 'Everything is welded.',
     '''robot("trial", link("stone", fixed(), kBody))'''),
    ('parent_listed_first', '1', 'list parents first', 'The parent comes later.',
     '''robot("trial", kArm, link("hand", on("fist"), revolute(kAxisX), kBody),
              link("fist", on("arm"), revolute(kAxisX), kBody))'''),
    ('name_unique', '1', 'have the same name', 'Two arms.',
     '''robot("trial", kArm, link("arm", on("arm"), revolute(kAxisX), kBody))'''),
    ('values_sane', '1', 'NaN, infinite or beyond a million', 'A placement that overflowed.',
     '''robot("trial", kArm,
              link("hand", on("arm"), revolute(kAxisX), at(std::numeric_limits<double>::infinity(), 0, 0), kBody))'''),
    ('axis_unit', '1', 'a joint axis does not have length one', 'An axis of length two.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute({0, 2, 0}), kBody))'''),
    ('rotation_orthonormal', '1', 'not a right-handed rotation matrix', 'A left-handed frame.',
     '''robot("trial", kArm,
              link("hand", on("arm"), revolute(kAxisX), turned({{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}), kBody))'''),
    ('mass_positive', '1', 'a mass is not positive', 'A forgotten mass.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX)))'''),
    ('inertia_positive_definite', '1', 'not positive definite',
     'An inertia about the wrong point, with a negative moment.',
     '''robot("trial", kArm,
              link("hand", on("arm"), revolute(kAxisX), body(1.0, com(0, 0, 0), inertia(0.01, 0.01, -0.01))))'''),
    ('inertia_triangle', '1', 'breaks the triangle inequality', 'One moment larger than the sum of the others.',
     '''robot("trial", kArm,
              link("hand", on("arm"), revolute(kAxisX), body(1.0, com(0, 0, 0), inertia(0.01, 0.01, 0.03))))'''),
    ('floating_on_world', '1', 'a floating joint must hang on the world', 'A free body that hangs on an arm.',
     '''robot("trial", kArm, link("hand", on("arm"), floating(), kBody))'''),
    ('rotor_on_single_axis', '1', 'a rotor inertia needs a revolute or prismatic joint', 'A motor on a ball joint.',
     '''robot("trial", kArm, link("hand", on("arm"), spherical(), kBody, at_joint(rotor_inertia(0.1))))'''),
    ('rotor_not_negative', '1', 'a rotor inertia is negative', 'A rotor of negative inertia.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody, at_joint(rotor_inertia(-0.1))))'''),
    ('point_on_known_link', '1', 'a contact point sits on an unknown link',
     'A contact point on a link that does not exist.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody),
              contact_point("palm", on("hand")), contact_point("tip", on("finger")))'''),
    ('point_radius_and_kind', '1', 'radius is negative', 'A sphere with a negative radius.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody),
              contact_point("palm", on("hand")), contact_sphere("tip", on("hand"), radius(-0.01)))'''),
    ('drive_on_single_axis', '1', 'could not be honoured', 'Friction in a ball joint, which nothing would honour.',
     '''robot("trial", kArm, link("hand", on("arm"), spherical(), kBody, at_joint(coulomb(0.1))))'''),
    ('motor_constant_positive', '1', 'torque constant is not positive', 'A motor without torque.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody,
                               dc_motor(torque_constant(0), resistance(2), voltage_limit(24))))'''),
    ('motor_resistance_positive', '1', 'resistance is not positive', 'A motor without resistance.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody,
                               dc_motor(torque_constant(0.02), resistance(0), voltage_limit(24))))'''),
    ('motor_voltage_limit_positive', '1', 'voltage limit is not positive', 'A motor that takes no voltage.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody,
                               dc_motor(torque_constant(0.02), resistance(2), voltage_limit(0))))'''),
    ('torque_limit_not_negative', '1', 'a torque limit is negative', 'A torque limit below zero.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody, torque_driven(torque_limit(-1))))'''),
    ('gear_ratio_not_zero', '1', 'a gear ratio is zero', 'A gear that passes nothing on.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody, gear(ratio(0))))'''),
    ('motor_side_needs_motor', '1', 'neither a motor nor a gear', 'Motor-side friction where there is no motor.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody, at_motor(coulomb(0.1))))'''),
    ('friction_not_negative', '1', 'value is negative', 'Friction that drives.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody, at_joint(coulomb(-0.1))))'''),
    ('stiction_not_below_coulomb', '1', 'a static friction is below the Coulomb friction',
     'Static friction below Coulomb friction.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody,
                               at_joint(stiction(0.1), coulomb(0.2))))'''),
    ('torque_limit_on_torque_drive', '1', 'a torque limit needs a torque-driven joint',
     'A motor with a torque limit, which nothing would keep.',
     '''[] {
    auto result = robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody, kMotor));
    result.links[1].drive.torque_limit_Nm = 5;
    return result;
  }()'''),
    ('value_is_said_to_be_given', '1', 'has_stiction or has_stribeck denies it',
     'A static friction that its flag denies.',
     '''[] {
    auto result = robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody, kMotor));
    result.links[1].drive.at_joint.stiction_Nm = {1, 1};
    return result;
  }()'''),
    ('stribeck_on_one_side', '1', 'a Stribeck value is given on both sides',
     'A Stribeck value where friction does not fall.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody,
                               at_joint(coulomb(0.2), stribeck(10))))'''),
    ('limits_on_single_axis', '1', 'limits need a revolute or prismatic joint',
     'A ball joint with limits: which of its angles they mean, nobody knows.',
     '''robot("trial", kArm, link("hand", on("arm"), spherical(), kBody, limits(-1.0, 1.0)))'''),
    ('limits_in_order', '1', 'a lower limit lies above the upper one',
     'A lower limit above the upper one: no position is allowed.',
     '''robot("trial", link("arm", on("world"), revolute(kAxisY), kBody, limits(-1.0, 1.0)),
              link("hand", on("arm"), revolute(kAxisX), kBody, limits(1.0, -1.0)))'''),
    ('limit_values', '1', 'a rebound is not within 0 and 1', 'A stop that throws back more than it gets.',
     '''robot("trial", link("arm", on("world"), revolute(kAxisY), kBody, limits(-1.0, 1.0, rebound(1.0))),
              link("hand", on("arm"), revolute(kAxisX), kBody, limits(-1.0, 1.0, rebound(1.01))))'''),
    ('loop_between_links', '1', "a loop's point sits on an unknown link",
     'A loop between two points of the same link: they are together or never will be.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody),
              closure("good", point_of("hand", 0, 0, 0.1), point_of("world", 0, 0, 0.3)),
              closure("bad", point_of("hand", 0, 0, 0.1), point_of("hand", 0, 0.1, 0)))'''),
    ('coupling_of_known_joints', '1', 'a coupling names an unknown joint', 'A joint that follows a link which is not there.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody),
              link("thumb", on("hand"), revolute(kAxisX), kBody),
              coupling("good", joint("hand"), follows("arm", ratio(2)), offset(0.1)),
              coupling("bad", joint("thumb"), follows("finger")))'''),
    ('coupling_on_single_axis', '0', 'a fixed one is merged away', 'A welded plate that is to follow its arm.',
     '''robot("trial", kArm, link("plate", on("arm"), fixed(), kBody),
              coupling("bad", joint("plate"), follows("arm")))'''),
    ('coupling_ratio_not_zero', '0', "a coupling's ratio is zero", 'A joint that follows by nothing.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody),
              coupling("bad", joint("hand"), follows("arm", ratio(0))))'''),
    ('coupling_of_different_joints', '0', 'a joint follows itself, directly or through others',
     'Two joints that follow each other.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody),
              coupling("there", joint("hand"), follows("arm")), coupling("back", joint("arm"), follows("hand")))'''),
    ('follower_in_one_coupling', '1', 'a joint follows in two couplings',
     'A joint that follows two others, each by a coupling of its own.',
     '''robot("trial", kArm, link("hand", on("arm"), revolute(kAxisX), kBody),
              link("thumb", on("hand"), revolute(kAxisX), kBody),
              coupling("one", joint("thumb"), follows("arm")), coupling("two", joint("thumb"), follows("hand")))'''),
]

ENVIRONMENT_WORDS = '''
#include <kinecast/model/environment/scene.hpp>

#include <utility>

using namespace kinecast;
constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), revolute(kAxisX), kBody), contact_point("tip", on("hand")));
[[maybe_unused]] constexpr auto kGround = half_space("ground");

template <int... I>
constexpr auto cylinder(std::integer_sequence<int, I...> /*sides*/) noexcept {
  constexpr int kSides = sizeof...(I);
  constexpr double kStep = 2 * constant::kPi / kSides;
  return convex_solid(vertices(vertex(constant::cos(I * kStep), constant::sin(I * kStep), 0)...,
                               vertex(constant::cos(I * kStep), constant::sin(I * kStep), 1)...),
                      loops(loop(kSides - 1 - I...), loop(kSides + I...),
                            loop(I, (I + 1) % kSides, kSides + (I + 1) % kSides, kSides + I)...));
}
'''

# Every word that an environment has.
GOOD_ENVIRONMENT = '''environment(
    half_space("ground", material(friction(0.8, 0.6), compensation(100), relaxation(1e-3)),
               pair(1, material(restitution(1)))),
    box("table", at(0.6, 0, 0.35), rpy(0.1, 0.2, 0.3), size(0.5, 0.8, 0.7), conveyor(0.3, 0, 0)),
    half_space("lift", at(0, 2, 0), moves()), box("palm", on("hand"), size(0.08, 0.08, 0.02), touched_by(1)),
    polyhedron("wedge", faces(face(0, 0, -1, 0), face(0.6, 0, 0.8, 0.1)),
               material(spring(1e4), damper(10), membrane(1e-3))),
    wedge("ramp", at(2, 0, 0), size(1, 0.8, 0.2), of_kind(7)), prism<6>("nut", on("arm"), radius(0.01), height(0.008)),
    convex("dice", vertices(vertex(0, 0, 1), vertex(1, 0, 0), vertex(0, 1, 0), vertex(0, 0, 0)),
           loops(loop(1, 3, 2), loop(0, 1, 2), loop(0, 2, 3), loop(0, 3, 1)), moves()),
    convex("crate", convex_box({0.4, 0.3, 0.2}), on("hand")))'''

ENVIRONMENTS = [
    ('values_sane', '1, -1', 'NaN, infinite or beyond a million', 'A table that is nowhere.',
     '''environment(kGround, box("table", at(1e7, 0, 0), size(0.5, 0.8, 0.7)))'''),
    ('name_unique', '1, -1', 'two surfaces have the same name', 'Two surfaces of one name.',
     '''environment(kGround, half_space("ground", at(0, 0, -1)))'''),
    ('rotation_orthonormal', '1, -1', 'not a right-handed rotation matrix', 'A rotation that mirrors.',
     '''environment(kGround, half_space("wall", turned({{1, 0, 0}, {0, 1, 0}, {0, 0, -1}})))'''),
    ('friction_not_negative', '1, -1', 'a coefficient of friction is negative', 'Friction that drives.',
     '''environment(kGround, half_space("ice", at(0, 0, -1), material(friction(0.1, -0.1))))'''),
    ('static_not_below_kinetic', '1, -1', 'below the kinetic one', 'Easier to start than to slide.',
     '''environment(kGround, half_space("ice", at(0, 0, -1), material(friction(0.1, 0.2))))'''),
    ('relaxation_positive', '1, -1', 'a relaxation is not positive', 'No relaxation.',
     '''environment(kGround, half_space("steel", at(0, 0, -1), material(relaxation(0))))'''),
    ('compensation_not_negative', '1, -1', 'a compensation is negative', 'A depth that grows.',
     '''environment(kGround, half_space("mud", at(0, 0, -1), material(compensation(-1))))'''),
    ('restitution_up_to_one', '1, -1', 'a restitution is not between 0 and 1', 'A rebound higher than the fall.',
     '''environment(kGround, half_space("net", at(0, 0, -1), pair(3, material(restitution(1.1)))))'''),
    ('elastic_not_negative', '1, -1', 'a spring, damper or membrane is negative', 'A spring that pulls.',
     '''environment(kGround, half_space("mat", at(0, 0, -1), material(spring(-1e4))))'''),
    ('size_positive', '1, -1', 'a box has no size', 'A box without size().',
     '''environment(kGround, box("table", at(0.6, 0, 0.35)))'''),
    ('normals_unit', '1, 1', "a face's normal does not have length one", 'A face with a normal of length two.',
     '''environment(kGround, polyhedron("wedge", faces(face(0, 0, -1, 0), face(0, 0, 2, 0.1))))'''),
    ('moves_in_world', '1, -1', 'moves() is for surfaces in the world',
     'A surface on a link that would move by itself.',
     '''environment(kGround, box("palm", on("hand"), size(0.08, 0.08, 0.02), moves()))'''),
    ('touched_by_a_kind', '1, -1', 'a kind is not one of 0 to 7', 'A kind of contact point that does not exist.',
     '''environment(kGround, half_space("glass", at(0, 0, -1), touched_by(1, 8)))'''),
    ('surface_on_known_link', '1, -1', 'a surface sits on an unknown link', 'A surface on a link that is not there.',
     '''environment(kGround, box("sole", on("foot"), size(0.08, 0.08, 0.02)))'''),
    ('polyhedron_within_capacity', '1, 44', 'more than 254 corners together',
     'A cylinder of 43 sides: 43 + 43 + 4 * 43 corners; the last side, face 44, ends where no byte points.',
     '''environment(kGround, convex("drum", cylinder(std::make_integer_sequence<int, 43>{}), at(0, 0, 2)))'''),
    ('loops_of_vertices', '1, 2', 'or one that does not exist',
     'A tetrahedron whose third face names a vertex that does not exist.',
     '''environment(kGround,
              convex("dice", vertices(vertex(0, 0, 1), vertex(1, 0, 0), vertex(0, 1, 0), vertex(0, 0, 0)),
                     loops(loop(1, 3, 2), loop(0, 1, 2), loop(0, 2, 4), loop(0, 3, 1))))'''),
    ('vertices_distinct', '1, 1', 'a wedge or prism has no size',
     'A wedge without a height: its upper edge is its lower one.',
     '''environment(kGround, wedge("ramp", size(1, 0.5, 0)))'''),
    ('polyhedron_closed', '1, 0', 'a polyhedron is open', 'A tetrahedron without its fourth face.',
     '''environment(kGround,
              convex("dice", vertices(vertex(0, 0, 1), vertex(1, 0, 0), vertex(0, 1, 0), vertex(0, 0, 0)),
                     loops(loop(1, 3, 2), loop(0, 1, 2), loop(0, 2, 3))))'''),
    ('faces_flat', '1, 1', 'do not lie in one plane', 'A box with one corner pulled out: three of its faces are bent.',
     '''[] {
    auto dented = convex_box({1, 1, 1});
    dented.vertices[7] = {0.6, 0.6, 0.6};
    return environment(kGround, convex("crate", dented, on("hand")));
  }()'''),
    ('polyhedron_not_thin', '1, 4', 'hardly a volume', 'A sheet of a hundredth of a millimetre.',
     '''environment(kGround, convex("sheet", convex_box({1, 1, 1e-5}), moves()))'''),
    ('polyhedron_not_inside_out', '1, 0', 'a polyhedron is inside out',
     'A wedge of negative length: mirrored, its loops run clockwise.',
     '''environment(kGround, wedge("ramp", size(-1, 0.5, 0.3)))'''),
    ('polyhedron_convex', '1, 7', 'a polyhedron is not convex',
     'A roof that is pushed in: its ridge lies below its eaves. Farthest in front of its ends lie the other ends of '
     'the eaves, at √2.',
     '''environment(
    kGround,
    convex("trough",
           vertices(vertex(0, 0, 0), vertex(2, 0, 0), vertex(0, 1, 0), vertex(2, 1, 0), vertex(0, 0, 1),
                    vertex(2, 0, 1), vertex(0, 1, 1), vertex(2, 1, 1), vertex(0.5, 0.5, 0.5), vertex(1.5, 0.5, 0.5)),
           loops(loop(0, 2, 3, 1), loop(0, 1, 5, 4), loop(2, 6, 7, 3), loop(0, 4, 6, 2), loop(1, 3, 7, 5),
                 loop(4, 5, 9, 8), loop(7, 6, 8, 9), loop(6, 4, 8), loop(5, 7, 9))))'''),
]
