/** A change of a stream on a disk that takes nothing more: where the list is drafted stands a folder. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { freeUdpPort, shared } from '../agent.fixture.ts'
import * as programService from '../programs/program.service.ts'
import { callStreamApi, openStreamSite, readStream } from './stream-site.fixture.ts'
import { apiFailure } from './api/api-failure.ts'

const site = shared(async () => openStreamSite())

const listFile = () => join(dirname(site.streams.folderOf('x')), 'streams.json')
const programs = () => programService.list(site.ctx, programService.STREAMS_OWNER).length

test('CHAN-32 a change that cannot be kept leaves the stream, its list and its programs as they were', async () => {
  const inputs = [{ url: `udp://127.0.0.1:${await freeUdpPort()}` }]
  await callStreamApi(site, 'PUT', '/streams/kept', { title: 'Kept', inputs })
  const before = { text: readFileSync(listFile(), 'utf8'), programs: programs() }
  mkdirSync(`${listFile()}.new`)
  const refused = [
    await callStreamApi(site, 'PUT', '/streams/kept', { title: 'Changed', inputs: [] }),
    await callStreamApi(site, 'PUT', '/streams/another', { title: 'Another' }),
    await callStreamApi(site, 'POST', '/streams/kept/inputs/0/select'),
    await callStreamApi(site, 'DELETE', '/streams/kept'),
  ]
  rmSync(`${listFile()}.new`, { recursive: true })
  expect(refused.map(({ status }) => status)).toEqual([500, 500, 500, 500])
  const kept = await readStream(site, 'kept')
  expect(kept).toMatchObject({ title: 'Kept', inputs: [{ stats: { selected: false } }] })
  expect((await callStreamApi(site, 'GET', '/streams/another')).status).toBe(404)
  expect({ text: readFileSync(listFile(), 'utf8'), programs: programs() }).toEqual(before)
  expect((await callStreamApi(site, 'DELETE', '/streams/kept')).status).toBe(204)
})

test('a disk that is full is named', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  expect(apiFailure(full)).toMatchObject({ status: 500, code: 'disk_full' })
  expect(apiFailure(full).title).toContain('Free some space')
})

test('CHAN-32 the folder of a stream whose removal was interrupted is removed at the next start', async () => {
  await callStreamApi(site, 'PUT', '/streams/here', { title: 'Here' })
  const [here, gone] = [site.streams.folderOf('here'), site.streams.folderOf('gone')]
  mkdirSync(join(gone, 'aaaaaaaaaa'), { recursive: true })
  await site.restart()
  expect([existsSync(here), existsSync(gone)]).toEqual([true, false])
})
