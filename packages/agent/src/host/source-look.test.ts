import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LINK_PATH } from '@trunkline/contract/agent/host-link.messages'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { openTestAgent, temporaryFolder } from '../agent.fixture.ts'
import { toolEnvironment } from '../config.ts'
import { SourceLook } from './source-look.ts'

const folder = temporaryFolder()
const clip = join(folder, 'clip.ts')
const begun = join(folder, 'begun')
const hold = join(folder, 'hold')
const source = { cardIdx: 0, kind: 'file', device: clip } as const
const needs = { hasFfmpeg: true, inputDevices: [], fontFile: '' }

/** A disk that hangs: whatever looks at a file there waits until it is let go. */
beforeAll(() => {
  const tool = join(folder, 'ffprobe')
  writeFileSync(
    tool,
    `#!/bin/sh\necho one >> '${begun}'\nwhile [ -e '${hold}' ]; do sleep 0.05; done\necho 64\n`,
  )
  chmodSync(tool, 0o700)
  vi.stubEnv('PATH', `${folder}:${toolEnvironment().PATH ?? ''}`)
})
beforeEach(() => {
  rmSync(begun, { force: true })
  writeFileSync(hold, '')
  writeFileSync(clip, 'some')
})
afterAll(() => rmSync(folder, { recursive: true }))

async function untilBegun(): Promise<void> {
  while (!existsSync(begun)) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('calls during a source check share its result', async () => {
  const sources = new SourceLook([source], needs)
  const all = Promise.all([sources.look(), sources.faultOf(0), sources.look()])
  await untilBegun()
  rmSync(hold)
  await all
  expect(await sources.faultOf(0)).toBe('')
  expect(readFileSync(begun, 'utf8')).toBe('one\n')
  expect(sources.list()).toMatchObject([{ cardIdx: 0, unusable: '' }])
})

test('a link that is requested while the agent ends is not opened', async () => {
  rmSync(hold)
  const agent = await openTestAgent(['encoder'], [source])
  const [seat] = agent.config.seats
  if (!seat) throw new Error('no seat')
  writeFileSync(hold, '')
  rmSync(begun)
  // Another state of the file: it is looked at anew.
  utimesSync(clip, 1, 1)
  const headers = { authorization: `Bearer ${seat.key}` }
  const link = new WebSocket(`ws://127.0.0.1:${seat.port}${LINK_PATH}`, { headers })
  const failed = once(link, 'error')
  const opened = vi.fn<() => void>()
  link.on('open', opened)
  link.on('error', () => link.terminate())
  await untilBegun()
  await agent[Symbol.asyncDispose]()
  rmSync(hold)
  await failed
  expect(opened).not.toHaveBeenCalled()
})
