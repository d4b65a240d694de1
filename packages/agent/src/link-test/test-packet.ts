/**
 * What a datagram of a link test holds: 4 bytes that name the protocol, 16 of the test's id, kind,
 * phase, a sequence number and the sender's clock. Whatever else comes is no packet of the test.
 */
import { randomFillSync } from 'node:crypto'
import { TEST_PACKET_BYTES } from '@trunkline/contract/link-tests/link-test.rules'

/** probe: answered at once by an echo of the same size. data: of the load, never answered. */
const KINDS = ['probe', 'echo', 'data'] as const
/** Of the one who sent it; 'over' once it has sent all that it had to. */
const PHASES = ['out', 'back', 'over'] as const
export type PacketPhase = (typeof PHASES)[number]

export interface TestPacket {
  kind: (typeof KINDS)[number]
  phase: PacketPhase
  sequence: number
  /** By the clock of the one who sent it; that of the probe in an echo. */
  sentAtMs: number
}

const MAGIC = 'TLT1'
const ID_AT = 4
const KIND_AT = 20
const PHASE_AT = 21
const SEQUENCE_AT = 24
const TIME_AT = 28
const HEADER_BYTES = 36

export class TestPackets {
  readonly #header: Buffer
  /** Random, so that no device on the way makes it smaller; never what was in our memory. */
  readonly #filled: Buffer

  constructor(testId: string) {
    this.#header = Buffer.alloc(HEADER_BYTES)
    this.#header.write(MAGIC, 'latin1')
    this.#header.write(testId, ID_AT, 'hex')
    this.#filled = randomFillSync(Buffer.alloc(TEST_PACKET_BYTES))
    this.#header.copy(this.#filled)
  }

  write({ kind, phase, sequence, sentAtMs }: TestPacket): Buffer {
    const bytes = Buffer.from(kind === 'data' ? this.#filled : this.#header)
    bytes[KIND_AT] = KINDS.indexOf(kind)
    bytes[PHASE_AT] = PHASES.indexOf(phase)
    bytes.writeUInt32BE(sequence, SEQUENCE_AT)
    bytes.writeDoubleBE(sentAtMs, TIME_AT)
    return bytes
  }

  /** Null for what is no packet of this test. */
  read(bytes: Buffer): TestPacket | null {
    const isOurs =
      bytes.length >= HEADER_BYTES && bytes.compare(this.#header, 0, KIND_AT, 0, KIND_AT) === 0
    if (!isOurs) return null
    const kind = KINDS[bytes[KIND_AT] ?? -1]
    const phase = PHASES[bytes[PHASE_AT] ?? -1]
    if (kind === undefined || phase === undefined) return null
    const sequence = bytes.readUInt32BE(SEQUENCE_AT)
    return { kind, phase, sequence, sentAtMs: bytes.readDoubleBE(TIME_AT) }
  }
}
