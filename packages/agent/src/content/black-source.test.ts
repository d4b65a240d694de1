/** A real encoder whose source is black, and a real bus: what the host says of them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProgramReport, ProgramSpec } from '@trunkline/contract/agent/program.messages'
import type { MediaFinding } from '@trunkline/contract/fleet/observed.schema'
import { afterAll, expect, test } from 'vitest'
import {
  eventually,
  freeUdpPort,
  LIFE_LIMIT_MS,
  openTestAgent,
  shared,
  untilReport,
} from '../agent.fixture.ts'
import { configOf } from '../commands/encoder-config.fixture.ts'
import { FELL_BEHIND } from '../programs/late-end.ts'
import * as programService from '../programs/program.service.ts'

const OWNER = 'encoder-0'
const folder = mkdtempSync(join(tmpdir(), 'trunkline-black-'))
const clip = join(folder, 'black.ts')
const cover = join(folder, 'cover.txt')
writeFileSync(cover, '')
const source = ['-f', 'lavfi', '-i', 'color=black:s=720x576:r=25', '-f', 'lavfi', '-i', 'sine']
const coded = ['-t', '4', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'mp2', '-f', 'mpegts']
execFileSync('ffmpeg', ['-v', 'error', ...source, ...coded, clip])
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const agent = shared(async () =>
  openTestAgent(
    ['encoder'],
    [
      { cardIdx: 0, kind: 'file', device: clip },
      { cardIdx: 1, kind: 'test-pattern', device: '' },
      { cardIdx: 2, kind: 'test-pattern', device: '', practiceCover: cover },
    ],
  ),
)

async function encode(programId: string, cardIdx: number): Promise<void> {
  const config = configOf('pal', [`udp://127.0.0.1:${await freeUdpPort()}?ttl=1`])
  const spec: ProgramSpec = {
    kind: 'encoder',
    config: { ...config, 'card-idx': cardIdx },
    feederLegs: [],
  }
  const asked = { programId, revision: 'r1', spec, wanted: 'running' as const }
  await programService.apply(agent.ctx, OWNER, asked)
}

function findingsOf(report: ProgramReport | null): readonly MediaFinding[] {
  return report?.observed?.findings ?? []
}

/** In the findings: the warning is the worst of them, and on a busy machine that is a slow encoder. */
function blackSinceMs(report: ProgramReport | null): number | undefined {
  return findingsOf(report).find(({ kind }) => kind === 'black')?.sinceMs
}

test(
  'an encoder with a black source reports it, also after an agent restart; a test pattern is no fault',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    await encode('encoder-black', 0)
    await encode('encoder-well', 1)
    const isBlack = (report: ProgramReport) => blackSinceMs(report) !== undefined
    const first = await untilReport(agent.ctx, 'encoder-black', isBlack)
    const since = blackSinceMs(first)
    expect(since).toBeGreaterThanOrEqual(first.startedAtMs ?? Infinity)
    await agent.restart()
    const again = await untilReport(agent.ctx, 'encoder-black', isBlack)
    expect(blackSinceMs(again)).toBe(since)
    const well = agent.ctx.board.find('encoder-well')
    await untilReport(
      agent.ctx,
      'encoder-well',
      () => well?.lastLook.content?.picture !== undefined,
    )
    const wellReport = programService.report(agent.ctx, 'encoder-well')
    expect(findingsOf(wellReport).filter(({ kind }) => kind !== 'slow')).toEqual([])
    // Three encoders at once are more than a busy machine has processor time for.
    await programService.remove(agent.ctx, OWNER, 'encoder-black')
    await programService.remove(agent.ctx, OWNER, 'encoder-well')
  },
)

test(
  'a practice test pattern goes black while its cover has text, and comes back, in one run of the encoder',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    await encode('encoder-practice', 2)
    const look = () => programService.report(agent.ctx, 'encoder-practice')
    const seen = () => agent.ctx.board.find('encoder-practice')?.lastLook.content?.picture?.kind
    await eventually(() => expect(seen()).toBe('moving'))
    const restartCauses = new Set<string>()
    const stop = agent.ctx.board.listen((event) => {
      if (event.type === 'restart') restartCauses.add(event.cause)
    })
    writeFileSync(cover, 'black')
    await eventually(() => expect(blackSinceMs(look())).toBeDefined())
    writeFileSync(cover, '')
    await eventually(() => expect([seen(), blackSinceMs(look())]).toEqual(['moving', undefined]))
    stop()
    // What a busy machine makes of an encoder; the cover ends none.
    restartCauses.delete(FELL_BEHIND)
    expect([...restartCauses]).toEqual([])
  },
)
