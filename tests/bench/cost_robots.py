"""Robots for the cost model, as URDF text: limbs of hinges on a base, each part as asked, so that every cost of a step can be told
from the others. What they weigh does not matter to their cost.
"""
# SPDX-License-Identifier: MIT
import dataclasses


@dataclasses.dataclass(frozen=True)
class CostRobot:
    limbs: int
    joints: int  # of a limb
    floating: bool = False
    damping: bool = False
    effort: bool = False
    stops: bool = False
    feet: bool = False  # a ball at the end of each limb

    @property
    def name(self):
        words = [word for word in ('floating', 'damping', 'effort', 'stops', 'feet') if getattr(self, word)]
        return '_'.join([f'limbs{self.limbs}x{self.joints}', *words])

    @property
    def base(self):
        return 'floating' if self.floating else 'fixed'

    def urdf(self):
        parts = [link('base', 4)]
        for limb in range(self.limbs):
            parent, place = 'base', (0.2 * (limb + 1), 0.15 * limb - 0.1, 0.05)
            for index in range(self.joints):
                name = f'limb{limb}_{index}'
                foot = self.feet and index == self.joints - 1
                parts += [link(name, 0.8, foot), self.joint(name, parent, place, index)]
                parent, place = name, (0.03, 0.01, -0.2)
        return f'<?xml version="1.0"?>\n<robot name="{self.name}">\n{"".join(parts)}</robot>\n'

    def joint(self, name, parent, place, index):
        kind = 'revolute' if self.stops else 'continuous'
        words = []
        if self.stops:
            words.append('lower="-2.9" upper="2.9"')
        if self.effort:
            words.append('effort="40"')
        limit = f'    <limit {" ".join(words)}/>\n' if words else ''
        damping = '    <dynamics damping="0.2" friction="0.1"/>\n' if self.damping else ''
        axis = ('0 0 1', '0 1 0', '1 0 0')[index % 3]
        return (f'  <joint name="{name}_joint" type="{kind}">\n    <parent link="{parent}"/>\n    <child link="{name}"/>\n'
                f'    <origin xyz="{" ".join(map(str, place))}" rpy="0.1 -0.2 0.3"/>\n    <axis xyz="{axis}"/>\n'
                f'{limit}{damping}  </joint>\n')


def link(name, mass, foot=False):
    ball = ('    <collision>\n      <origin xyz="0 0 -0.2"/>\n      <geometry><sphere radius="0.02"/></geometry>\n'
            '    </collision>\n' if foot else '')
    return (f'  <link name="{name}">\n    <inertial>\n      <origin xyz="0.01 0.02 -0.1"/>\n      <mass value="{mass}"/>\n'
            f'      <inertia ixx="{mass * 0.004}" ixy="0" ixz="0" iyy="{mass * 0.005}" iyz="0" izz="{mass * 0.003}"/>\n'
            f'    </inertial>\n{ball}  </link>\n')


USUAL = {'damping': True, 'effort': True, 'stops': True}  # what most URDFs say of their joints

FITTED = (
    CostRobot(1, 2), CostRobot(1, 6), CostRobot(1, 14), CostRobot(3, 3),
    CostRobot(1, 6, damping=True, effort=True), CostRobot(1, 12, damping=True, effort=True),
    CostRobot(1, 6, effort=True, stops=True), CostRobot(1, 6, stops=True), CostRobot(1, 12, stops=True),
    CostRobot(1, 4, **USUAL), CostRobot(1, 7, **USUAL), CostRobot(2, 6, **USUAL),
    CostRobot(1, 6, floating=True), CostRobot(2, 3, floating=True, **USUAL), CostRobot(4, 3, floating=True, **USUAL),
    CostRobot(1, 5, feet=True, **USUAL), CostRobot(2, 5, floating=True, feet=True, **USUAL),
    CostRobot(4, 3, floating=True, feet=True, **USUAL),
)
EVERYWHERE = (CostRobot(1, 7, **USUAL), CostRobot(1, 2))  # fitted too; measured on every board for the cores' ratios
KEPT_BACK = (CostRobot(3, 3, **USUAL), CostRobot(3, 2, floating=True, feet=True, **USUAL))  # for the test
