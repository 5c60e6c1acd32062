"""Robots whose motion can be written down: a pendulum and a crate, as URDF."""
# SPDX-License-Identifier: MIT
MASS, LEVER, INERTIA = 1.5, 0.4, 0.02  # of the pendulum; about its centre of mass
EDGE, BOX_MASS = 0.2, 2.0


def pendulum(mass=MASS, joint='swing', robot='pendulum'):
    """Hangs down at q = 0; a positive angle lifts it towards -x."""
    return f'''<robot name="{robot}">
  <link name="stand"/>
  <link name="rod">
    <inertial><origin xyz="0 0 {-LEVER}"/><mass value="{mass}"/>
      <inertia ixx="{INERTIA}" iyy="{INERTIA}" izz="{INERTIA}" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="{joint}" type="continuous"><parent link="stand"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
'''


BOX = f'''<robot name="crate">
  <link name="crate">
    <inertial><mass value="{BOX_MASS}"/>
      <inertia ixx="0.0134" iyy="0.0134" izz="0.0134" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="{EDGE} {EDGE} {EDGE}"/></geometry></collision>
  </link>
</robot>
'''
