"""Small robots as URDF text, for tests that compile what the tool makes of them."""
# SPDX-License-Identifier: MIT

HOPPER = '''<robot name="hopper">
  <link name="trunk">
    <inertial><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="leg">
    <inertial>
      <origin xyz="0 0 -0.1"/><mass value="0.5"/>
      <inertia ixx="0.002" iyy="0.002" izz="0.0005" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <collision><origin xyz="0 0 -0.2"/><geometry><box size="0.1 0.06 0.02"/></geometry></collision>
  </link>
  <joint name="hip pitch" type="revolute">
    <parent link="trunk"/><child link="leg"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="20" velocity="15"/><dynamics damping="0.01" friction="0.05"/>
  </joint>
</robot>
'''

# A rod of 1 kg, 0.5 m from its horizontal joint to its centre of mass: inertia about the joint 0.25 + 0.25 kg m².
PENDULUM = '''<robot name="pendulum">
  <link name="stand"/>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 0.5"/><mass value="1"/>
      <inertia ixx="0.25" iyy="0.25" izz="0.01" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="pivot" type="continuous"><parent link="stand"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
'''
