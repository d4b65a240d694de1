/** Stored seals stay good: what is hashed of a stretch never changes. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { StretchHash, type SealedLine } from './record-seal.rules.ts'

const EMPTY: SealedLine = {
  id: '',
  at: '2026-11-20T08:00:00.000Z',
  actor_id: 'u1',
  actor_name: 'Alex Person',
  token: '',
  role: 'manager',
  ip: '192.0.2.77',
  call: 'encoders.update',
  object_kind: 'encoder',
  object_id: 'e1',
  object_title: 'Camera',
  result: 'done',
  reason: '',
  before: null,
  after: null,
}

function sha256(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('base64url')
}

test('T20 a stretch is the hash of the hashes of its lines in the order of their characters', async () => {
  const lines = Array.from({ length: 5000 }, (_, at) => ({ ...EMPTY, id: `line-${at}` }))
  const stretch = new StretchHash()
  for (const line of lines) stretch.add(line)
  const hashes = lines.map((line) => sha256([JSON.stringify(Object.values(line))]))
  const inOrder = hashes.toSorted((a, b) => (a < b ? -1 : 1))
  expect(await stretch.content()).toEqual({ lines: 5000, hash: sha256(inOrder) })
})
