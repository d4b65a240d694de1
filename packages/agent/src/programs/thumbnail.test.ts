import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { expect, test } from 'vitest'
import { freeUdpPort, openLink, openTestAgent, untilReport, shared } from '../agent.fixture.ts'
import { configOf } from '../commands/encoder-config.fixture.ts'
import { pictureFile } from '../supervisor/layout.ts'
import * as programService from './program.service.ts'

const OWNER = 'encoder-0'
const agent = shared(async () =>
  openTestAgent(['encoder', 'encoder'], [{ cardIdx: 0, kind: 'test-pattern', device: '' }]),
)

async function encode(programId: string): Promise<void> {
  const config = configOf('pal', [`udp://127.0.0.1:${await freeUdpPort()}?ttl=1`])
  const spec: ProgramSpec = { kind: 'encoder', config, feederLegs: [] }
  const asked = { programId, revision: 'r1', spec, wanted: 'running' as const }
  await programService.apply(agent.ctx, OWNER, asked)
  await agent.untilRunning(programId)
}

/** Looks until there is one. */
async function nextPicture(programId: string, newerThanMs = 0) {
  for (;;) {
    const { picture } = programService.thumbnail(agent.ctx, OWNER, { programId, newerThanMs })
    if (picture) return picture
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Width and height of a JPEG, from its start-of-frame segment. */
function sizeOf(jpegBase64: string): [number, number] {
  const bytes = Buffer.from(jpegBase64, 'base64')
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  return [bytes.readUInt16BE(frame + 7), bytes.readUInt16BE(frame + 5)]
}

test('a running encoder has a small picture, newer ones follow, and it goes with the program', async () => {
  await encode('encoder-seen')
  const first = await nextPicture('encoder-seen')
  expect(sizeOf(first.jpegBase64)).toEqual([320, 180])
  const next = await nextPicture('encoder-seen', first.takenAtMs)
  expect(next.takenAtMs).toBeGreaterThan(first.takenAtMs)

  const [own, other] = agent.config.seats
  if (!own || !other) throw new Error('no seats')
  const asked = { programId: 'encoder-seen', newerThanMs: 0 }
  await using link = await openLink(own)
  expect(await link.ask('readThumbnail', asked)).toEqual({
    picture: { jpegBase64: expect.any(String) as string, takenAtMs: expect.any(Number) as number },
  })
  await using stranger = await openLink(other)
  await expect(stranger.ask('readThumbnail', asked)).rejects.toMatchObject({ code: 'not_found' })

  const file = pictureFile(agent.ctx.supervisor.layout, 'encoder-seen')
  await programService.remove(agent.ctx, OWNER, 'encoder-seen')
  expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
  await expect(link.ask('readThumbnail', asked)).rejects.toMatchObject({ code: 'not_found' })
})

test('an incomplete picture, a pipe in its place, a picture of an earlier run or of a stopped program is not served', async () => {
  await encode('encoder-strict')
  await nextPicture('encoder-strict')
  const asked = { programId: 'encoder-strict', newerThanMs: 0 }
  await programService.control(agent.ctx, OWNER, { programId: 'encoder-strict', command: 'stop' })
  await untilReport(agent.ctx, 'encoder-strict', ({ state }) => state === 'stopped')
  expect(programService.thumbnail(agent.ctx, OWNER, asked)).toEqual({ picture: null })

  // A program that is up and takes no pictures: whatever lies there is the test's own.
  const { layout } = agent.ctx.supervisor
  const program = agent.ctx.board.find('encoder-strict')
  if (!program) throw new Error('no program')
  const file = pictureFile(layout, 'encoder-strict')
  const startedAtMs = statSync(file).mtimeMs + 60_000
  Object.assign(program, { state: 'running', startedAtMs })
  const read = () => programService.thumbnail(agent.ctx, OWNER, asked).picture
  expect(read()).toBeNull()
  const takenAt = new Date(Math.ceil(startedAtMs) + 1000)
  utimesSync(file, takenAt, takenAt)
  expect(read()).toMatchObject({ takenAtMs: takenAt.getTime() })
  expect(
    programService.thumbnail(agent.ctx, OWNER, { ...asked, newerThanMs: takenAt.getTime() }),
  ).toEqual({ picture: null })
  writeFileSync(file, Buffer.from([0xff, 0xd8, 0xff, 0xe0]))
  utimesSync(file, takenAt, takenAt)
  expect(read()).toBeNull()
  const whole = [Buffer.from([0xff, 0xd8]), Buffer.alloc(200_000), Buffer.from([0xff, 0xd9])]
  writeFileSync(file, Buffer.concat(whole))
  utimesSync(file, takenAt, takenAt)
  expect(read()).toBeNull()
  // Nobody writes to it: whoever opened it as a file would wait for ever.
  rmSync(file)
  spawnSync('mkfifo', [file])
  utimesSync(file, takenAt, takenAt)
  expect(read()).toBeNull()
  rmSync(file)
  mkdirSync(file)
  expect(read()).toBeNull()
  rmSync(file, { recursive: true })
  Object.assign(program, { state: 'stopped', startedAtMs: null })
})

test('a folder in place of the picture file ends no encoder, and pictures return', async () => {
  const { layout } = agent.ctx.supervisor
  await encode('encoder-steady')
  const before = await nextPicture('encoder-steady')
  const { pid } = await agent.untilRunning('encoder-steady')
  const aside = `${layout.picturesDir}-aside`
  renameSync(layout.picturesDir, aside)
  writeFileSync(layout.picturesDir, 'no folder')
  const log = () => programService.tail(agent.ctx, OWNER, 'encoder-steady', 20).join('\n')
  while (!log().includes('Could not open file')) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  rmSync(layout.picturesDir)
  renameSync(aside, layout.picturesDir)
  chmodSync(layout.picturesDir, 0o700)
  const after = await nextPicture('encoder-steady', before.takenAtMs)
  expect(after.takenAtMs).toBeGreaterThan(before.takenAtMs)
  expect(programService.report(agent.ctx, 'encoder-steady')).toMatchObject({
    state: 'running',
    pid,
    restarts: 0,
  })
  await programService.remove(agent.ctx, OWNER, 'encoder-steady')
})
