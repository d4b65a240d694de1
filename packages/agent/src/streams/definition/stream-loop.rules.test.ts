import { expect, test } from 'vitest'
import { refuseLoops } from './stream-loop.rules.ts'

function check(input: string, push: string): void {
  const bus = { ip: '239.78.0.1', port: 28_000 }
  const stream = {
    inputs: [
      { url: 'srt://:7000', priority: null, bus },
      { url: input, priority: null, bus },
    ],
    pushes: [{ url: push, disabled: false }],
  }
  refuseLoops(stream, ['239.91'])
}

test.each([
  ['udp://127.0.0.1:6010', 'udp://127.0.0.1:6010'],
  ['udp://0.0.0.0:6010', 'udp://localhost:06010'],
  ['udp://239.1.2.3:6010', 'udp://239.1.2.3:6010?ttl=4'],
  ['srt://:6010', 'srt://127.0.0.1:6010'],
  ['rist://@:6010', 'rist://127.0.0.1:6010'],
])('CHAN-38 an input %s and a push %s form a loop: refused', (input, push) => {
  expect(() => check(input, push)).toThrow(/pushes\.0\.url sends the stream back .* input 2\./)
})

test.each([
  ['udp://127.0.0.1:6010', 'udp://127.0.0.1:6012'],
  ['udp://239.1.2.3:6010', 'udp://239.1.2.4:6010'],
  ['srt://:6010', 'srt://far.example:6010'],
  ['srt://:6010', 'rtmp://127.0.0.1/app/key'],
  // The input calls there to be sent to, and the push calls there to send.
  ['srt://far.example:6010', 'srt://far.example:6010'],
  ['srt://:6010', 'srt://:6012'],
])('CHAN-38 an input %s and a push %s form no loop', (input, push) => {
  expect(() => check(input, push)).not.toThrow()
})

test.each(['239.91', '239.78'])(
  'CHAN-38 the groups between our own programs, of %s, are neither read nor written by an address',
  (network) => {
    const read = () => check(`udp://${network}.0.9:28008`, 'udp://far.example:5000')
    expect(read).toThrow('inputs.1.url')
    const written = () => check('srt://:6010', `udp://${network}.0.1:28000`)
    expect(written).toThrow(`pushes.0.url has a group of ${network}.0.0`)
  },
)
