"""An independent drive unit: DC motor, gear, Coulomb, viscous and Stribeck friction, integrated in plain Python with steps of
10 microseconds, which share nothing with the library. Makes the logs that the tool's tests compare and fit.
"""
# SPDX-License-Identifier: MIT
import math

FINE_STEP_S = 1e-5

# The drive unit of method 5.1, with a small horn.
TRUE = {
    'inertia_kgm2': 0.02,
    'torque_constant_Nm_per_A': 0.0258,
    'resistance_ohm': 2.36,
    'rotor_inertia_kgm2': 7.03e-6,
    'ratio': 120,
    'stiction_Nm': 4.92,      # at the joint, as all friction here
    'coulomb_Nm': 4.32,
    'viscous_Nms_per_rad': 1.53,
    'stribeck_s_per_rad': 10,
    'offset_Nm': 0.0,
}


def simulate(command, duration_s, sample_s=1e-3, unit=None, external=None):
    """Samples (time, volts, angle, velocity); the command, a function of time, holds from sample to sample."""
    p = dict(TRUE, **(unit or {}))
    per_ampere = p['ratio'] * p['torque_constant_Nm_per_A']
    per_volt = per_ampere / p['resistance_ohm']
    damping = per_ampere ** 2 / p['resistance_ohm'] + p['viscous_Nms_per_rad']
    inertia = p['inertia_kgm2'] + p['ratio'] ** 2 * p['rotor_inertia_kgm2']
    static, coulomb, stribeck = p['stiction_Nm'], p['coulomb_Nm'], p['stribeck_s_per_rad']
    above = static - coulomb
    h = FINE_STEP_S
    per_sample = round(sample_s / h)
    angle = velocity = 0.0
    rows = []
    for k in range(round(duration_s / sample_s) + 1):
        time = k * sample_s
        volts = command(time)
        rows.append((time, volts, angle, velocity))
        torque = per_volt * volts - p['offset_Nm'] + (external(time) if external else 0.0)
        for _ in range(per_sample):
            if velocity == 0.0:
                if abs(torque) <= static:
                    continue
                friction = math.copysign(static, torque)
                velocity = h * (torque - friction) / inertia
            else:
                friction = math.copysign(coulomb + above * math.exp(-stribeck * abs(velocity)), velocity)
                faster = velocity + h * (torque - damping * velocity - friction) / inertia
                velocity = 0.0 if faster * velocity < 0 else faster
            angle += h * velocity
    return rows


def rich(time):
    """Starts, stops, reversals, slow ramps and fast steps: everything that identifies a drive."""
    phase = time % 2.0
    sign = 1 if time % 4.0 < 2.0 else -1
    if phase < 0.7:
        return sign * 9.0 * phase            # a slow ramp through the static limit
    if phase < 0.8:
        return 0.0
    if phase < 1.2:
        return sign * 14.0
    if phase < 1.4:
        return -sign * 8.0
    return sign * 5.5 * math.sin(2 * math.pi * 2.5 * (phase - 1.4)) + sign * 1.5


def fast(time):
    """Never stops."""
    return 15.0 + 4.0 * math.sin(2 * math.pi * 1.5 * time) + (3.0 if time % 0.5 < 0.25 else -3.0)


def still(time):
    """Never moves: below the static limit of 3.75 V."""
    return 2.0 * math.sin(2 * math.pi * time)


def csv(rows, angle=lambda q: q, volts=lambda u: u, time=lambda t: t, velocity=None):
    columns = 't,u,q' + (',w' if velocity else '')
    lines = ['# made by tests/host_tool/drive_model.py', columns]
    for t, u, q, w in rows:
        fields = [repr(time(t)), repr(volts(u)), repr(angle(q))]
        if velocity:
            fields.append(repr(velocity(w)))
        lines.append(','.join(fields))
    return '\n'.join(lines) + '\n'


def counts(q):
    """An encoder of 16384 counts per turn."""
    return round(q * 16384 / (2 * math.pi))


def drive(**unknown):
    """The drive file that describes the same unit; the named parameters are marked as unknown, with these guesses."""
    at_joint = {key: TRUE[key] for key in ('viscous_Nms_per_rad', 'stribeck_s_per_rad', 'stiction_Nm', 'coulomb_Nm')}
    out = {
        'name': 'test drive', 'joint': 'revolute', 'drive': 'voltage', 'inertia_kgm2': TRUE['inertia_kgm2'],
        'motor': {'torque_constant_Nm_per_A': TRUE['torque_constant_Nm_per_A'],
                  'resistance_ohm': TRUE['resistance_ohm'], 'voltage_limit_V': 24,
                  'rotor_inertia_kgm2': TRUE['rotor_inertia_kgm2']},
        'gear': {'ratio': TRUE['ratio']},
        'friction': {'at_joint': at_joint},
        'log': {'time': {'column': 't', 'unit': 's'}, 'voltage': {'column': 'u', 'unit': 'V'},
                'angle': {'column': 'q', 'unit': 'counts', 'counts_per_turn': 16384}},
        'windows_s': [0.05, 0.2, 0.5],
    }
    for key, guess in unknown.items():
        for table in (out, out['motor'], at_joint):
            if key in table:
                table[key] = {'unknown': True, 'guess': guess}
    return out
