import { expect, test } from 'vitest'
import { TestPackets } from './test-packet.ts'

const PACKET = { kind: 'data', phase: 'back', sequence: 70_000, sentAtMs: 1234.5 } as const
const packets = new TestPackets('0f'.repeat(16))

test('a packet is read as it was written, and the load is as large as a packet of SRT', () => {
  expect(packets.write(PACKET)).toHaveLength(1316)
  expect(packets.read(packets.write(PACKET))).toEqual(PACKET)
})

test('an echo is as large as its probe', () => {
  const [probe, echo] = (['probe', 'echo'] as const).map((kind) =>
    packets.write({ ...PACKET, kind }),
  )
  expect(echo).toHaveLength(probe?.length ?? 0)
})

test('packets of another test, of another protocol, and cut ones are not read', () => {
  const bytes = packets.write({ ...PACKET, kind: 'probe' })
  expect(new TestPackets('1f'.repeat(16)).read(bytes)).toBeNull()
  expect(packets.read(bytes.subarray(0, 30))).toBeNull()
  expect(packets.read(Buffer.alloc(0))).toBeNull()
  expect(packets.read(Buffer.alloc(1316, 0x47))).toBeNull()
  bytes[20] = 9
  expect(packets.read(bytes)).toBeNull()
})
