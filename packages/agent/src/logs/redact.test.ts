import { expect, test } from 'vitest'
import { redact } from './redact.ts'

const cases: [line: string, secrets: string[], shown: string][] = [
  [
    "Media path: 'udp://127.0.0.1:20200' --> 'srt://127.0.0.1:20201?mode=caller&passphrase=abcdefghij&latency=300'",
    [],
    "Media path: 'udp://127.0.0.1:20200' --> 'srt://127.0.0.1:20201?mode=caller&passphrase=••••••&latency=300'",
  ],
  ['rist://@:5000?secret=k.e-y_~0123&aes-type=256', [], 'rist://@:5000?secret=••••••&aes-type=256'],
  ['PASSPHRASE=Abcdefghij', [], 'PASSPHRASE=••••••'],
  [
    'the tool says abcdefghij elsewhere, abcdefghij',
    ['abcdefghij'],
    'the tool says •••••• elsewhere, ••••••',
  ],
  ['longer: abcdefghijkl', ['abcdefghij', 'abcdefghijkl'], 'longer: ••••••'],
  ['an empty secret cuts nothing', [''], 'an empty secret cuts nothing'],
]

test.each(cases)('rule 8 secrets are cut out of a line: %s', (line, secrets, shown) => {
  expect(redact(line, secrets)).toBe(shown)
})
