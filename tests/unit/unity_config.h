/* SPDX-License-Identifier: MIT
 * Unity's configuration: doubles too (else its double assertions always fail), output through the port. */
#ifndef KINECAST_UNITY_CONFIG_H
#define KINECAST_UNITY_CONFIG_H

#ifdef __cplusplus
extern "C" {
#endif
void kinecast_unity_put(int character);
#ifdef __cplusplus
}
#endif

#define UNITY_INCLUDE_DOUBLE
#define UNITY_OUTPUT_CHAR(character) kinecast_unity_put(character)

#endif
