"""Where the arm of ports/release/example/forecast.hpp is after 100 ms, by the textbook's equations of a two-link arm in small steps."""
# SPDX-License-Identifier: MIT
import math

GRAVITY = 9.80665
# Of each link: mass, centre of mass beyond its joint, inertia about it; length of the upper one. Gear and motor of the first joint.
M1, C1, I1, M2, C2, I2, LENGTH = 1.2, 0.15, 0.01, 0.8, 0.12, 0.006, 0.3
RATIO, TORQUE_CONSTANT, RESISTANCE, ROTOR = 120, 0.0258, 2.36, 7e-6
STEP_S = 1e-5


def accelerations(q, dq, volts, torque):
    (q1, q2), (v1, v2) = q, dq
    h12 = I2 + M2 * C2 * (C2 + LENGTH * math.cos(q2))
    h22 = I2 + M2 * C2**2
    h11 = I1 + M1 * C1**2 + M2 * LENGTH**2 + M2 * C2 * LENGTH * math.cos(q2) + h12 + RATIO**2 * ROTOR
    product = M2 * LENGTH * C2 * math.sin(q2)
    weight2 = GRAVITY * M2 * C2 * math.sin(q1 + q2)
    bias1 = -product * (2 * v1 * v2 + v2**2) - GRAVITY * (M1 * C1 + M2 * LENGTH) * math.sin(q1) - weight2
    bias2 = product * v1**2 - weight2
    drive = RATIO * TORQUE_CONSTANT / RESISTANCE * (volts - RATIO * TORQUE_CONSTANT * v1)
    friction1 = RATIO * (0.036 + 0.005 * math.exp(-100 * abs(v1)))
    free1 = drive - 1.5 * v1 - math.copysign(friction1, v1 or drive) - bias1
    holding = torque - bias2 - h12 * free1 / h11
    if v2 == 0 and abs(holding) <= 0.9:
        return free1 / h11, 0.0
    free2 = torque - bias2 - math.copysign(0.9, v2 or holding)
    determinant = h11 * h22 - h12**2
    return (h22 * free1 - h12 * free2) / determinant, (h11 * free2 - h12 * free1) / determinant


def forecast_rad(q=(0.3, 0.6), volts=12.0, torque=0.2, duration_s=0.1):
    """What the examples ask for."""
    q, dq = list(q), [0.0, 0.0]
    for _ in range(round(duration_s / STEP_S)):
        before = dq[1]
        for i, acceleration in enumerate(accelerations(q, dq, volts, torque)):
            dq[i] += STEP_S * acceleration
        if before * dq[1] < 0:
            dq[1] = 0.0  # dry friction stops a joint before it turns it around
        for i in range(2):
            q[i] += STEP_S * dq[i]
    return q
