/** The paths and shapes of the specification's table of encoder calls, spelled as foreign clients spell them. */
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { palConfig } from '../testing/encoder.fixture.ts'
import { FAKE_KEY } from '../testing/fake-host.ts'
import { testFeeder } from '../testing/feeder.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'

type Answer = Record<string, unknown>

let site: TestSite
let id: string
beforeEach(async () => {
  site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  id = (await addTestEncoder(site, 0)).id
})

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  who: PersonName = 'admin',
): Promise<{ status: number; answer: Answer }> {
  const authorization = `Bearer ${site.people[who].token}`
  const request = { method, url, headers: { authorization } }
  const response = await site.app.inject(payload === undefined ? request : { ...request, payload })
  return { status: response.statusCode, answer: response.json<Answer>() }
}

test('API-22 API-23 API-71 lists and single encoders carry _id and id alike', async () => {
  const list = await ask('POST', '/api/encoder/all', { page: 0, rows: 12, search: '', group: '' })
  expect(list).toMatchObject({ status: 200, answer: { status: true, total: 1 } })
  expect(list.answer['result']).toMatchObject([{ _id: id, id, isEnabled: true }])
  const found = await ask('GET', `/api/encoder/${id}`)
  expect(found.answer['encoder']).toEqual(found.answer['data'])
  expect(found.answer['data']).toMatchObject({ _id: id, id })
})

test('API-24 ENC-27 a manager adds an encoder to their group, and to no other', async () => {
  const { port } = site.encoderHost
  const draft = { title: 'New', ip: '127.0.0.1', port, groupId: site.north }
  const added = await ask('POST', '/api/encoder/add', draft, 'northManager')
  expect(added.status).toBe(201)
  expect(added.answer['data']).toMatchObject({ groupId: site.north, config: null })
  const foreign = { ...draft, groupId: site.south }
  expect((await ask('POST', '/api/encoder/add', foreign, 'northManager')).status).toBe(404)
})

test('API-24 ENC-27 a manager who names no group adds to the first of their own, whatever its order by name', async () => {
  const { port } = site.encoderHost
  const draft = { title: 'New', ip: '127.0.0.1', port }
  for (const groupId of [undefined, '']) {
    const { status, answer } = await ask(
      'POST',
      '/api/encoder/add',
      { ...draft, groupId },
      'northManager',
    )
    expect(status).toBe(201)
    expect(answer['data']).toMatchObject({ groupId: site.north })
  }
  const lone = await ask('POST', '/api/encoder/add', draft, 'loneManager')
  expect([lone.status, lone.answer['error']]).toEqual([
    422,
    'You are in no group that an encoder could join. Ask an admin for one.',
  ])
})

test.each(['title', 'ip', 'apiKey', 'groupId'])(
  'API-24 API-73 ENC-23 without %s an admin adds no encoder, and the answer names it',
  async (field) => {
    const whole = {
      title: 'New',
      ip: '192.0.2.77',
      apiKey: FAKE_KEY,
      groupId: site.north,
    }
    for (const empty of [undefined, '', '  ']) {
      const draft = { ...whole, [field]: empty }
      const { status, answer } = await ask('POST', '/api/encoder/add', draft)
      expect([field, empty, status]).toEqual([field, empty, 400])
      expect(answer).toMatchObject({
        error: 'Please check required fields',
        msg: 'Please check required fields',
        field,
      })
      expect(answer['issues']).toMatchObject([{ field }])
    }
    const all = await ask('POST', '/api/encoder/all', {})
    expect(all.answer['total']).toBe(1)
    expect((await ask('POST', '/api/encoder/add', whole)).status).toBe(201)
  },
)

test('API-24 every field that is missing is named, and what is wrong beside them', async () => {
  const { status, answer } = await ask('POST', '/api/encoder/add', { email: 'nobody' })
  expect([status, answer['error']]).toEqual([400, 'Please check required fields'])
  expect(answer['issues']).toEqual([
    { field: 'title', message: 'title is missing. Add it.' },
    { field: 'ip', message: 'ip is missing. Add it.' },
    { field: 'email', message: 'Please enter a valid email' },
  ])
  const wrong = await ask('POST', '/api/encoder/add', { title: 'New', ip: '192.0.2.300' })
  expect(wrong.answer['error']).toMatch(/^ip must be a host name/)
  const emptied = await ask('PUT', '/api/encoder/update', { _id: id, title: '' })
  expect(emptied.answer).toMatchObject({ error: 'Please check required fields', field: 'title' })
})

test('API-24 Q37 the key of a new address: an admin names it, for a manager one is made', async () => {
  const draft = { title: 'New', ip: '192.0.2.78', groupId: site.north }
  expect((await ask('POST', '/api/encoder/add', draft, 'northManager')).status).toBe(201)
  const second = await ask('POST', '/api/encoder/add', { ...draft, title: 'Second' })
  expect(second, 'the host has a key by now').toMatchObject({ status: 201 })
})

test('API-25 CFG-07 CFG-08 CFG-09 CFG-10 a configuration is stored with these keys and no others', async () => {
  const { feeder: _, ...stored } = palConfig(0)
  const muxer = { ...stored.muxer, 'pmt-period': 100 }
  const body = { _id: id, config: { ...stored, name: 'encoder0', muxer } }
  const saved = await ask('PUT', '/api/encoder/update', body)
  const { data } = saved.answer as { data: { config: Answer } }
  expect(data.config).toEqual({ ...stored, name: 'encoder0', feeder: [] })
  const aac = {
    format: 'aac',
    bitrate: 128,
    lang: 'eng',
    pid: 4112,
    'aac-profile': 'aac-lc',
    'aac-encap': 'latm',
  }
  const changed = { _id: id, config: { ...stored, 'audio-stream': aac } }
  const again = (await ask('PUT', '/api/encoder/update', changed)).answer as typeof saved.answer & {
    data: { config: Answer }
  }
  expect(again.data.config['audio-stream']).toEqual(aac)
})

test('ENC-30 the picked editors are stored and read back', async () => {
  const users = [site.people.northEditor.id, site.people.southEditor.id].toSorted()
  await ask('PUT', '/api/encoder/update', { _id: id, users })
  expect((await ask('GET', `/api/encoder/${id}`)).answer['data']).toMatchObject({ users })
})

test('API-26 API-33 API-34 a feeder is saved, read and removed by its given paths', async () => {
  const body = { _id: id, feederPost: testFeeder(site, 5100) }
  const { answer } = await ask('PUT', '/api/encoder/update-acan-feeder', body)
  const { name } = answer['feeder'] as { name: string }
  expect(answer['encoder']).toEqual(answer['data'])
  const status = await ask('GET', `/api/encoder/acanfeeder/status/${id}/${name}`)
  expect(status).toMatchObject({ status: 200, answer: { status: true } })
  expect(status.answer['results']).toContain('STOPPED')
  const removed = await ask('DELETE', `/api/encoder/acanfeeder/delete/${id}/${name}`)
  expect(removed.answer).toMatchObject({ status: true, _id: id, data: { config: { feeder: [] } } })
})

test('API-30 API-31 API-32 status by both paths, and a command by its payload', async () => {
  const url = `/api/encoder/controlApi/${id}`
  const started = await ask('POST', url, { data: { name: 'encoder0', command: 'start' } })
  expect(started.answer['results']).toMatch(/^encoder0 RUNNING pid \d+, uptime /)
  for (const path of ['getServiceStatus', 'status']) {
    const { answer } = await ask('GET', `/api/encoder/${path}/${id}`)
    expect(answer['results'], path).toMatch(/^encoder0 RUNNING/)
  }
  const wrong = await ask('POST', url, { data: { name: 'encoder0', command: 'reboot' } })
  expect([wrong.status, wrong.answer['field']]).toEqual([400, 'data.command'])
})

test('API-28 ENC-19 a deleted configuration leaves the encoder', async () => {
  const { answer } = await ask('DELETE', `/api/encoder/configDeleteApi/${id}`)
  expect(answer).toMatchObject({ status: true, data: { _id: id, config: null } })
})
