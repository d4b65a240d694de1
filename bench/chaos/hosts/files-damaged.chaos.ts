/**
 * F16: a host agent is killed, a file of its data folder is damaged as by a failing disk, and it is started again:
 * it starts, the link whose file that was runs as the database has it, and no other link notices.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  openLayout,
  scriptFile,
  sectionFile,
  type Layout,
} from '@trunkline/agent/supervisor/layout'
import { programIdOf } from '@trunkline/api/programs/wanted-program'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { commandLink } from '../rig/link-command.ts'
import { MediaRig, NOTHING } from '../rig/media-rig.ts'
import { roundsOf } from '../rig/rounds.ts'

const DAMAGES: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  emptied: () => Buffer.alloc(0),
  halved: (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)),
  zeroed: (bytes) => Buffer.alloc(bytes.length),
  flipped: (bytes) => bytes.map((byte, at) => (at % 16 === 7 ? byte ^ 0x20 : byte)) as Buffer,
}
/** Of a program, and then of the whole agent. */
const FILES: readonly ((layout: Layout, program: string) => string)[] = [
  scriptFile,
  sectionFile,
  (layout, program) => join(layout.programsDir, `${program}.json`),
  (layout) => layout.mainConf,
  (layout) => layout.instanceFile,
]
const OF_A_PROGRAM = 3
const CASES = FILES.length * Object.keys(DAMAGES).length
const ROUNDS = roundsOf(2 * CASES)
const HEARD_DATAGRAMS = 24
/** Then somebody restarts the link. */
const BACK_LIMIT_MS = 20_000

await using rig = await MediaRig.open()
const ending = new AbortController()
const backMs: number[] = []
const blocked: string[] = []
const notBack: string[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  const fileAt = at % FILES.length
  const [damage, spoil] = Object.entries(DAMAGES)[Math.floor(at / FILES.length) % 4] ?? ['', null]
  const link = rig.linkOf(at)
  const { host, serverId, agentDir } = link.receiver
  const program = programIdOf('input', link.inputId)
  const file = FILES[fileAt]?.(openLayout(agentDir), program) ?? ''
  await rig.round(fileAt < OF_A_PROGRAM ? { links: [link] } : NOTHING, async () => {
    process.kill(host.agent.pid, 'SIGKILL')
    await host.agent.ended
    const whole = readFileSync(file)
    if (spoil !== null) writeFileSync(file, spoil(whole))
    const startedMs = performance.now()
    await host.restartAgent(ending.signal).catch(async (error: unknown) => {
      blocked.push(`${basename(file)} ${damage}: ${String(error).slice(0, 200)}`)
      writeFileSync(file, whole)
      await host.restartAgent(ending.signal)
    })
    await rig.shown.until(() => rig.shown.host(serverId)?.online === true, 'the host is back')
    const isUp = () => rig.shown.program('input', link.inputId)?.state === 'running'
    await rig.shown.until(isUp, 'the link runs', BACK_LIMIT_MS).catch(async () => {
      notBack.push(`${basename(file)} ${damage}`)
      await commandLink(rig.site.client, { kind: 'input', id: link.inputId }, 'restart')
    })
    backMs.push(performance.now() - startedMs)
    await link.sink.until(link.sink.datagrams + HEARD_DATAGRAMS)
  })
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'files-damaged',
  rounds: ROUNDS,
  ours: {
    ...figures,
    blocked,
    notBack,
    backMs: { ...spread(backMs), p95: round(percentile(backMs, 95)) },
  },
  limit: {},
  goals: [
    ...goals,
    atMost('starts that a damaged file prevented', blocked.length, 0, 'starts'),
    atMost('links that did not come back by themselves', notBack.length, 0, 'links'),
  ],
})
