/** Bad input to an encoder's configuration: refused by name, nothing changed, nothing of it in a program. */
import { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { palConfig } from '../testing/encoder.fixture.ts'
import { openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder } from '../testing/test-site.ts'
import { encoderSpec } from './encoder.program.ts'

/** The text of a configuration in which the value of one key is another. */
function bodyWith(id: string, key: string, json: string): string {
  const config = JSON.stringify(palConfig(0)).replace(
    new RegExp(`"${key}":("[^"]*"|[^,}]+)`),
    `"${key}":${json}`,
  )
  return `{"_id":${JSON.stringify(id)},"config":${config}}`
}

const LONG = JSON.stringify('x'.repeat(10_000))

test('API-73 CFG-40 bad values are refused by name with what to do, and change nothing', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const before = await databaseContent(site.ctx)
  const callsBefore = site.encoderHost.calls.length
  for (const [key, json, field] of [
    ['title', LONG, 'config.title'],
    ['title', '"a\\nb"', 'config.title'],
    ['title', '"a\\u0000b"', 'config.title'],
    ['lang', '"ENG"', 'config.audio-stream.lang'],
    ['lang', LONG, 'config.audio-stream.lang'],
    ['card-idx', '64', 'config.card-idx'],
    ['card-idx', '-1', 'config.card-idx'],
    ['keyint', '1e400', 'config.video-stream.keyint'],
    ['keyint', '"NaN"', 'config.video-stream.keyint'],
    ['keyint', '"\\u0665"', 'config.video-stream.keyint'],
    ['threads', '1.5', 'config.video-stream.threads'],
    ['level', '"9.9"', 'config.video-stream.level'],
    ['ts-muxrate', '"fast"', 'config.muxer.ts-muxrate'],
    ['target', '"udp://[::1]:5000?ttl=1"', 'config.output.0.target'],
    ['target', '"udp://u:p@127.0.0.1:5000"', 'config.output.0.target'],
    ['target', '" udp://127.0.0.1:5000"', 'config.output.0.target'],
    ['target', '"udp://127.0.0.1:0"', 'config.output.0.target'],
    ['target', LONG, 'config.output.0.target'],
    ['feeder', '{"length":1}', 'config.feeder'],
    ['cbr', '1,"extra":1', 'config.muxer.extra'],
  ] as const) {
    const response = await site.app.inject({
      method: 'PUT',
      url: '/api/encoder/update',
      headers: {
        authorization: `Bearer ${site.people.admin.token}`,
        'content-type': 'application/json',
      },
      payload: bodyWith(id, key, json),
    })
    const { error, field: named } = response.json<{ error: string; field: string }>()
    expect([response.statusCode, named], `${key} ${json.slice(0, 40)}`).toEqual([400, field])
    expect(error).toMatch(/^.{10,400}$/)
  }
  expect(await databaseContent(site.ctx)).toEqual(before)
  expect(site.encoderHost.calls).toHaveLength(callsBefore)
})

test('CFG-23 a pmt-period of any kind and length is taken and kept nowhere, in no record either', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const { muxer, ...config } = palConfig(0)
  const response = await site.app.inject({
    method: 'PUT',
    url: '/api/encoder/update',
    headers: { authorization: `Bearer ${site.people.admin.token}` },
    payload: {
      _id: id,
      config: { ...config, muxer: { ...muxer, 'pmt-period': [{ long: 'pmt'.repeat(1000) }] } },
    },
  })
  expect(response.statusCode).toBe(200)
  expect(JSON.stringify(await databaseContent(site.ctx))).not.toContain('pmtpmt')
  const { answer } = await site.call('admin', listAudit, { query: { searchText: 'Camera 0' } })
  expect(answer.data[0]).toMatchObject({ call: 'encoders.update', result: 'done' })
  expect(JSON.stringify(answer.data)).not.toContain('pmtpmt')
})

test('quotes, per cent signs and shell characters in a title never come to a host', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const title = `a"b'c %(x)s ; # $(reboot) \\`
  const response = await site.app.inject({
    method: 'PUT',
    url: '/api/encoder/update',
    headers: { authorization: `Bearer ${site.people.admin.token}` },
    payload: { _id: id, title, config: { ...palConfig(0), title } },
  })
  expect(response.statusCode).toBe(200)
  expect(response.json<{ data: { title: string } }>().data.title).toBe(title)
  expect(JSON.stringify(site.encoderHost.calls)).not.toContain('reboot')
})

test('F16 every valid configuration gives a typed program without operator text', () => {
  const title = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
  const place = fc.constantFrom('title', 'name', 'card-idx', 'output', 'muxer', 'feeder')
  fc.assert(
    fc.property(title, place, fc.jsonValue({ maxDepth: 2 }), (words, key, value) => {
      const marked = { ...palConfig(0), title: `~${words}~` }
      const config =
        EncoderConfig.safeParse({ ...marked, [key]: value }).data ??
        EncoderConfig.safeParse(marked).data ??
        EncoderConfig.parse(palConfig(0))
      const spec = encoderSpec(config, config.feeder)
      expect(ProgramSpec.safeParse(spec).success).toBe(true)
      expect(JSON.stringify(spec)).toMatch(/^[\w\s"{}[\],:./?=-]*$/)
    }),
    { numRuns: 500 },
  )
})
