import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { knownFields } from './known-fields.ts'
import { palConfig } from './testing/encoder.fixture.ts'

const Deep = z.object({
  id: z.string(),
  list: z.array(z.object({ port: z.number() })),
  inner: z.object({ name: z.string().trim() }).nullable(),
  either: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), a: z.number() }),
    z.object({ kind: z.literal('b'), b: z.number() }),
  ]),
  later: z.preprocess((value) => value, z.array(z.string()).default([])),
  maybe: z.object({ x: z.number() }).optional(),
  pair: z.tuple([z.string(), z.object({ y: z.number() })]),
})
const secret = 'planted'
const value = {
  id: 'a',
  list: [{ port: 1, secret }, { port: 2 }],
  inner: { name: 'n', secret },
  either: { kind: 'b', b: 1, a: secret },
  maybe: { x: 1, secret },
  pair: ['p', { y: 1, secret }],
  secret,
}

test('what a schema does not name is left out, however deep; defaults are filled in', () => {
  expect(knownFields(Deep, value)).toEqual(Deep.parse(value))
  expect(JSON.stringify(knownFields(Deep, value))).not.toContain(secret)
  const bare = { ...value, inner: null, maybe: undefined }
  expect(knownFields(Deep, bare)).toEqual(Deep.parse(bare))
})

test('each parse makes a new default, so that changing one does not change others', () => {
  const first = knownFields(Deep, value)
  first.later.push('mine')
  expect(knownFields(Deep, value).later).toEqual([])
})

test('a field that inputs got later has its default in those that were stored before', () => {
  const { ttl: _, ...before } = InputConfig.parse({ port: 6000 })
  expect(knownFields(InputConfig, before)).toEqual(InputConfig.parse({ port: 6000 }))
})

test('what is stored of an encoder is read without its checks', () => {
  let checks = 0
  const Counted = EncoderConfig.refine(() => ++checks > 0)
  const config = EncoderConfig.parse(palConfig(0))
  expect(knownFields(Counted, { ...config, more: secret })).toEqual(config)
  expect(checks).toBe(0)
})
