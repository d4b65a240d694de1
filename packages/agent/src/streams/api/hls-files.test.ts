/** What somebody may have put where a playlist or a segment is looked for. */
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../agent.fixture.ts'
import { mountHls } from './hls.routes.ts'
import type { StreamService } from '../stream.service.ts'
import { readPackager } from '../timeline/packager-folder.ts'
import { readPackagerList } from '../timeline/playlist-text.ts'
import { readPlaylist, readTimeline } from '../timeline/timeline-files.ts'

const SOURCE = 'aaaaaaaaaa'
const SEGMENT = `${SOURCE}-v0-00001.ts`

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'playlist-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, SOURCE))
  return folder
}

function pipe(path: string): void {
  spawnSync('mkfifo', [path])
}

function hugeList(path: string): void {
  const row = '#EXTINF:2.0,\nv0-00001.ts\n'
  writeFileSync(path, `#EXTM3U\n${row.repeat(1_000_000)}`)
}

const oddities: [string, (path: string) => void][] = [
  ['a pipe that nobody writes to', pipe],
  ['a folder', (path) => mkdirSync(path)],
  ['a list of a million segments', hugeList],
  [
    'gigabytes of nothing',
    (path) => {
      writeFileSync(path, '')
      truncateSync(path, 4 * 1024 ** 3)
    },
  ],
]

test.each(oddities)('CHAN-32 %s in place of a playlist counts as no playlist', (_what, put) => {
  const folder = newFolder()
  writeFileSync(join(folder, SOURCE, 'v0-00001.ts'), 'x')
  put(join(folder, SOURCE, 'v0.m3u8'))
  put(join(folder, 'v0.m3u8'))
  expect(readPackager(join(folder, SOURCE), 1)).toEqual([])
  expect(readTimeline(folder, 1)).toBeNull()
  expect(readPlaylist(join(folder, 'v0.m3u8'))).toBeNull()
})

test('CHAN-32 a target duration of days, or no number, does not delay players', () => {
  const text = (duration: string) => `#EXTINF:${duration},\nv0-00001.ts\n`
  const durationOf = (duration: string) => readPackagerList(text(duration))[0]?.durationS
  expect(durationOf('95443.717689')).toBe(60)
  expect(durationOf('9'.repeat(400))).toBe(60)
  for (const none of ['-2.0', 'nan', '1e9', 'inf']) expect(durationOf(none), none).toBeUndefined()
})

/** Of the real routes, over one stream 'one' whose files lie in `folder`. */
function hlsOver(folder: string, slowestMs?: number) {
  const app = fastify()
  const streams = { find: () => ({ disabled: false, template: null }), folderOf: () => folder }
  mountHls(
    app,
    streams as unknown as StreamService,
    () => ({ isAllowed: true, query: '' }),
    slowestMs,
  )
  onTestFinished(async () => app.close())
  return app
}

test.each([
  ['a link to somewhere else', (path: string) => symlinkSync('/etc/passwd', path)],
  ['a pipe', pipe],
  ['a folder', (path: string) => mkdirSync(path)],
  ['a device', (path: string) => symlinkSync('/dev/zero', path)],
])('CHAN-35 %s in the place of a segment or a playlist is not served', async (_what, put) => {
  const folder = newFolder()
  put(join(folder, SOURCE, 'v0-00001.ts'))
  put(join(folder, 'v0.m3u8'))
  const app = hlsOver(folder)
  for (const file of [SEGMENT, 'index.m3u8', 'v0.m3u8']) {
    const answer = await app.inject(`/one/${file}`)
    expect([answer.statusCode, answer.body.includes('root:')], file).toEqual([404, false])
  }
  await eventually(() => expect(held(folder)).toEqual([]))
})

/** Files that this process holds open in the folder. */
function held(folder: string): string[] {
  const paths = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return paths.filter((path) => path.startsWith(folder))
}

test('CHAN-35 viewers that request and never read do not hold a file open for long', async () => {
  const folder = newFolder()
  const file = join(folder, SOURCE, 'v0-00001.ts')
  writeFileSync(file, '')
  truncateSync(file, 1024 ** 3)
  const app = hlsOver(folder, 1000)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const viewers = Array.from({ length: 5 }, () => connect(port, '127.0.0.1').pause())
  onTestFinished(() => viewers.forEach((viewer) => viewer.destroy()))
  for (const viewer of viewers) viewer.write(`GET /one/${SEGMENT} HTTP/1.1\r\nhost: x\r\n\r\n`)
  await eventually(() => expect(held(folder)).toHaveLength(viewers.length))
  await eventually(() => expect(held(folder)).toEqual([]))
  // Those that read to the end may ask again on the same connection.
  writeFileSync(file, 'picture')
  expect(await (await fetch(`http://127.0.0.1:${port}/one/${SEGMENT}`)).text()).toBe('picture')
})

test('CHAN-35 a segment is served whole', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, SOURCE, 'v0-00001.ts'), 'picture')
  const answer = await hlsOver(folder).inject(`/one/${SEGMENT}`)
  expect([answer.statusCode, answer.body]).toEqual([200, 'picture'])
})
