"""Robots for the cost model, as URDF text: limbs of hinges on a base, each part as asked, so that every cost of a step can be told
from the others. What they weigh does not matter to their cost.
"""
# SPDX-License-Identifier: MIT
import dataclasses


@dataclasses.dataclass(frozen=True)
class CostRobot:
    limbs: int
    joints: int  # of a limb
    trunk: int = 0  # joints between the base and the limbs
    floating: bool = False
    damping: bool = False
    friction: bool = False  # dry
    effort: bool = False
    stops: bool = False
    slides: bool = False  # the last joint of each limb
    feet: int = 0  # balls at the end of each limb

    @property
    def name(self):
        words = [word for word in ('floating', 'damping', 'friction', 'effort', 'stops', 'slides', 'feet') if getattr(self, word)]
        trunk = f'trunk{self.trunk}_' if self.trunk else ''
        return trunk + '_'.join([f'limbs{self.limbs}x{self.joints}', *words]) + (str(self.feet) if self.feet else '')

    @property
    def base(self):
        return 'floating' if self.floating else 'fixed'

    def urdf(self):
        parts, top = [link('base', 4)], 'base'
        for index in range(self.trunk):
            parts += [link(f'trunk{index}', 2), self.joint(f'trunk{index}', top, (0, 0.02, 0.2), index, False)]
            top = f'trunk{index}'
        for limb in range(self.limbs):
            parent, place = top, (0.2 * (limb + 1), 0.15 * limb - 0.1, 0.05)
            for index in range(self.joints):
                name = f'limb{limb}_{index}'
                is_last = index == self.joints - 1
                parts += [link(name, 0.8, self.feet if is_last else 0),
                          self.joint(name, parent, place, index, self.slides and is_last)]
                parent, place = name, (0.03, 0.01, -0.2)
        return f'<?xml version="1.0"?>\n<robot name="{self.name}">\n{"".join(parts)}</robot>\n'

    def joint(self, name, parent, place, index, slides):
        kind = 'prismatic' if slides else 'revolute' if self.stops else 'continuous'
        words = []
        if self.stops:
            words.append('lower="-2.9" upper="2.9"')
        if self.effort:
            words.append('effort="40"')
        limit = f'    <limit {" ".join(words)}/>\n' if words else ''
        losses = [word for word, given in (('damping="0.2"', self.damping), ('friction="0.1"', self.friction)) if given]
        dynamics = f'    <dynamics {" ".join(losses)}/>\n' if losses else ''
        axis = ('0 0 1', '0 1 0', '1 0 0')[index % 3]
        return (f'  <joint name="{name}_joint" type="{kind}">\n    <parent link="{parent}"/>\n    <child link="{name}"/>\n'
                f'    <origin xyz="{" ".join(map(str, place))}" rpy="0.1 -0.2 0.3"/>\n    <axis xyz="{axis}"/>\n'
                f'{limit}{dynamics}  </joint>\n')


def link(name, mass, feet=0):
    balls = ''.join(f'    <collision>\n      <origin xyz="{0.03 * (i % 2)} {0.04 * (i // 2)} -0.2"/>\n'
                    '      <geometry><sphere radius="0.02"/></geometry>\n    </collision>\n' for i in range(feet))
    return (f'  <link name="{name}">\n    <inertial>\n      <origin xyz="0.01 0.02 -0.1"/>\n      <mass value="{mass}"/>\n'
            f'      <inertia ixx="{mass * 0.004}" ixy="0" ixz="0" iyy="{mass * 0.005}" iyz="0" izz="{mass * 0.003}"/>\n'
            f'    </inertial>\n{balls}  </link>\n')


USUAL = {'damping': True, 'effort': True, 'stops': True}  # what most URDFs say of their joints

FITTED = (
    CostRobot(1, 2), CostRobot(1, 6), CostRobot(1, 14), CostRobot(3, 3), CostRobot(1, 4, slides=True),
    CostRobot(2, 2, trunk=3), CostRobot(2, 1, trunk=7, slides=True, **USUAL), CostRobot(3, 2, trunk=2, **USUAL),
    CostRobot(1, 5, feet=1, **USUAL), CostRobot(2, 3, trunk=1, feet=2, **USUAL),
    CostRobot(1, 6, damping=True, effort=True), CostRobot(1, 12, damping=True, effort=True),
    CostRobot(2, 4, damping=True, effort=True), CostRobot(1, 6, damping=True, friction=True, effort=True),
    CostRobot(1, 6, stops=True), CostRobot(1, 12, stops=True), CostRobot(1, 6, effort=True, stops=True),
    CostRobot(1, 4, **USUAL), CostRobot(1, 7, **USUAL), CostRobot(2, 6, **USUAL), CostRobot(4, 3, **USUAL),
    CostRobot(1, 6, friction=True, **USUAL), CostRobot(1, 5, slides=True, **USUAL), CostRobot(2, 4, slides=True, **USUAL),
    CostRobot(1, 6, floating=True), CostRobot(3, 3, floating=True), CostRobot(2, 3, floating=True, **USUAL),
    CostRobot(4, 3, floating=True, **USUAL), CostRobot(2, 8, floating=True, **USUAL),
    CostRobot(2, 3, floating=True, slides=True, **USUAL),
    CostRobot(2, 2, floating=True, feet=1), CostRobot(4, 3, floating=True, feet=1), CostRobot(2, 5, floating=True, feet=2),
    CostRobot(2, 3, floating=True, feet=1, **USUAL), CostRobot(4, 3, floating=True, feet=1, **USUAL),
    CostRobot(2, 5, floating=True, feet=2, **USUAL), CostRobot(2, 6, floating=True, feet=4, **USUAL),
    CostRobot(3, 3, floating=True, feet=1, effort=True, stops=True),
)
# Fitted too, and measured on every board. Small enough for all of them.
EVERYWHERE = (CostRobot(1, 2), CostRobot(1, 7, **USUAL), CostRobot(2, 3, floating=True, **USUAL),
              CostRobot(2, 2, floating=True, feet=1))
# Not fitted: what the test measures.
KEPT_BACK = (CostRobot(3, 3, **USUAL), CostRobot(3, 4, floating=True, feet=1, **USUAL))
