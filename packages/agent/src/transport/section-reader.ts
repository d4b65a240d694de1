/**
 * Puts the sections of a table together from the packets that carry them (ISO/IEC 13818-1, 2.4.4).
 * Its buffer is made once: nothing is allocated while it reads.
 */

/** Of a PAT or PMT section, its header included. */
const LONGEST_SECTION = 1024
const HEADER_BYTES = 3
const STUFFING = 0xff

export class SectionReader {
  readonly bytes = new Uint8Array(LONGEST_SECTION)
  readonly #onSection: (section: Uint8Array, length: number) => void
  #length = 0
  /** Between sections, and after one that was broken off, what comes is passed over. */
  #isInside = false

  /** `onSection`: with the buffer of this reader, which holds the section until it returns. */
  constructor(onSection: (section: Uint8Array, length: number) => void) {
    this.#onSection = onSection
  }

  reset(): void {
    this.#length = 0
    this.#isInside = false
  }

  /** The payload of one packet; `isStart`: a section begins in it (payload_unit_start_indicator). */
  push(packet: Uint8Array, from: number, to: number, isStart: boolean): void {
    if (!isStart) {
      this.#read(packet, from, to)
      return
    }
    const begin = from + 1 + (packet[from] ?? 0)
    if (this.#isInside) this.#read(packet, from + 1, Math.min(begin, to))
    let at = begin
    while (at < to && (packet[at] ?? STUFFING) !== STUFFING) {
      this.#length = 0
      this.#isInside = true
      at = this.#read(packet, at, to)
    }
  }

  /** Answers where it stopped: behind the section's end, or at `to`. */
  #read(packet: Uint8Array, from: number, to: number): number {
    let at = from
    while (this.#isInside && at < to) {
      this.bytes[this.#length++] = packet[at++] ?? 0
      if (this.#length < HEADER_BYTES) continue
      const whole = HEADER_BYTES + (((this.bytes[1] ?? 0) & 0x0f) << 8) + (this.bytes[2] ?? 0)
      if (whole > LONGEST_SECTION) this.#isInside = false
      if (this.#length < whole) continue
      this.#isInside = false
      this.#onSection(this.bytes, this.#length)
    }
    return at
  }
}
