// SPDX-License-Identifier: MIT
#include "kinecast_port/stm32f405/serial.hpp"

#include "kinecast_port/stm32f405/registers.hpp"

namespace kinecast::port::stm32f405 {

void start_serial(const Clocks& clocks, std::uint32_t baud) noexcept {
  rcc::kAhb1enr.set(bit(0));  // GPIOAEN
  rcc::kApb2enr.set(bit(4));  // USART1EN
  connect(kGpioA, 9, 7);      // AF7: USART1_TX
  // 16-fold oversampling: BRR is the divider in sixteenths, which makes it clock / baud, here rounded.
  kUsart1.brr().write((clocks.usart_Hz + baud / 2U) / baud);
  kUsart1.cr1().write(bit(13) | bit(3));  // UE, TE
}

void send(const char* text) noexcept {
  for (; *text != '\0'; ++text) {
    kUsart1.sr().wait_for(bit(7));  // TXE
    kUsart1.dr().write(static_cast<std::uint8_t>(*text));
  }
}

void finish_sending() noexcept { kUsart1.sr().wait_for(bit(6)); }  // TC

}  // namespace kinecast::port::stm32f405
