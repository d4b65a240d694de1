/**
 * F11: the clock of a host jumps an hour ahead or back, with its agent, supervisord and links, and back again: the
 * host stays online, no link is shown wrongly, uptimes stay right, also of a link that was restarted meanwhile.
 * Needs Debian's package faketime.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, printFigure, round, spread } from '../../kit/figure.ts'
import { FalseClock, JUMPED_MS } from '../rig/false-clock.ts'
import { commandLink } from '../rig/link-command.ts'
import { MediaRig } from '../rig/media-rig.ts'
import { roundsOf } from '../rig/rounds.ts'
import { readUptimes, UPTIME_MS, uptimeErrors, type Uptimes } from '../rig/uptimes.ts'

const JUMPS_S = [3600, -3600]
const ROUNDS = roundsOf(20)
const HEARD_DATAGRAMS = 24

using first = new FalseClock()
using second = new FalseClock()
using third = new FalseClock()
const clocks = [first, second, third]
await using rig = await MediaRig.open({ agentEnv: (at) => clocks[at]?.env ?? {} })
const { client, hosts } = rig.site
const uptimeErrorMs: number[] = []
const restartedErrorMs: number[] = []
const commandMs: number[] = []
let notRestarted = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const clock = clocks[at % clocks.length] ?? first
  const host = rig.hostOf(at)
  const link = rig.site.links.find(({ receiver }) => receiver === host)
  if (link === undefined) throw new Error(`${host.title} has no input.`)
  await rig.round({ links: [link] }, async () => {
    const before = await othersOf(link.inputId)
    const beganMs = performance.now()
    const check = async () =>
      uptimeErrorMs.push(
        ...uptimeErrors(before, await othersOf(link.inputId), performance.now() - beganMs),
      )
    clock.jump(JUMPS_S[at % JUMPS_S.length] ?? 0)
    await pause(JUMPED_MS)
    await check()
    const commandedMs = performance.now()
    const restart = await commandLink(client, { kind: 'input', id: link.inputId }, 'restart')
    const restartedMs = performance.now()
    commandMs.push(restart.tookMs)
    if (!restart.isDone) notRestarted += 1
    // It began between the command and its answer.
    const checkRestarted = async () => {
      const uptimeMs = (await readUptimes(client)).get(link.inputId) ?? Number.NaN
      const [least, most] = [performance.now() - restartedMs, performance.now() - commandedMs]
      restartedErrorMs.push(round(Math.max(0, least - uptimeMs, uptimeMs - most)))
    }
    await link.sink.until(link.sink.datagrams + HEARD_DATAGRAMS)
    await checkRestarted()
    clock.jump(0)
    await pause(JUMPED_MS)
    await check()
    await checkRestarted()
  })
}
const awayHosts = rig.browsers.flatMap((browser) => browser.hosts.filter(({ online }) => !online))
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'host-clock-jump',
  rounds: ROUNDS,
  ours: {
    ...figures,
    hosts: hosts.length,
    uptimeErrorMs: spread(uptimeErrorMs),
    restartedUptimeErrorMs: spread(restartedErrorMs),
    commandMs: spread(commandMs),
  },
  limit: {},
  goals: [
    ...goals,
    atMost('uptimes off by', Math.max(...uptimeErrorMs), UPTIME_MS, 'ms'),
    atMost('uptimes of restarted links off by', Math.max(...restartedErrorMs), UPTIME_MS, 'ms'),
    atMost('restarts that were not done', notRestarted, 0, 'commands'),
    atMost('times that a host was shown as away', awayHosts.length, 0, 'times'),
  ],
})

/** Of all links but the ends of this input. */
async function othersOf(inputId: string): Promise<Uptimes> {
  const all = new Map(await readUptimes(client))
  all.delete(inputId)
  return all
}
