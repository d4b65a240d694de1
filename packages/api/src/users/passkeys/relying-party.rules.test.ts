import { expect, test } from 'vitest'
import { relyingPartyOf } from './relying-party.rules.ts'

const NONE = { publicUrl: null }

test.each([
  ['https://console.example', 'console.example', 'https://console.example'],
  ['https://console.example:8443', 'console.example', 'https://console.example:8443'],
  ['http://localhost:8080', 'localhost', 'http://localhost:8080'],
  ['http://localhost:80', 'localhost', 'http://localhost'],
])(
  'without a public address passkeys work where the console was opened: %s',
  (from, id, origin) => {
    expect(relyingPartyOf(NONE, from)).toEqual({ id, origin })
  },
)

test.each([
  ['http://192.0.2.10:8080', /IP address/],
  ['https://192.0.2.10', /IP address/],
  ['http://127.0.0.1:8080', /IP address/],
  ['http://[::1]:8080', /IP address/],
  ['http://console.example', /need https/],
])('where passkeys do not work a sentence says why: %s', (from, sentence) => {
  const party = relyingPartyOf(NONE, from)
  expect('refusal' in party && party.refusal).toMatch(sentence)
})

test('the public address of the settings counts, whatever the request names', () => {
  const settings = { publicUrl: 'https://console.example' }
  const party = { id: 'console.example', origin: 'https://console.example' }
  expect(relyingPartyOf(settings, 'http://10.0.0.5:8080')).toEqual(party)
  expect(relyingPartyOf({ publicUrl: 'http://127.0.0.1:9' }, 'https://a.example')).toHaveProperty(
    'refusal',
  )
})
