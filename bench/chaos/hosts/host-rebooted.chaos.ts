/**
 * F14: a host loses everything at once, as by a reboot, and its agent is started as at boot, every second
 * time while no API runs: what is wanted running runs again within 30 s, what was stopped stays stopped,
 * and links of other hosts do not notice. 20 reboots take about six minutes.
 */
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { programIdOf } from '@trunkline/api/programs/wanted-program'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { commandLink } from '../rig/link-command.ts'
import { MediaRig } from '../rig/media-rig.ts'
import type { MediaHost, MediaLink } from '../rig/media-site.ts'
import { roundsOf } from '../rig/rounds.ts'
import { processesOn, statesOn } from '../rig/truth.ts'

const ROUNDS = roundsOf(20)
/** Between the power cut and the start of the agent. */
const BOOT_MS = 1000
/** After all links are back: what starts late, or because the API asks, has started by then. */
const LATE_MS = 3000
/** Datagrams of a second: a link that is back has brought so many. */
const HEARD_DATAGRAMS = 24
const BACK_LIMIT_MS = 30_000

await using rig = await MediaRig.open()
const { client } = rig.site
const ending = new AbortController()
const backMs = { withApi: [] as number[], withoutApi: [] as number[] }
const notAsWanted: string[] = []
const notDone: string[] = []
let ranThoughStopped = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const target = rig.hostOf(at)
  const links = rig.linksOn(target)
  // In turn an input and an output of that host.
  const stopped = links.find(({ receiver }) => (receiver === target) === at % 4 < 2)
  if (stopped === undefined) throw new Error('A host has both ends of links.')
  const hasApi = at % 2 === 0
  await rig.round({ links }, async () => {
    const end = endOn(stopped, target)
    await command(end, 'stop')
    if (!hasApi) await rig.site.api.kill()
    await target.host.stop()
    forgetMemory(target)
    await pause(BOOT_MS)
    const startedMs = performance.now()
    await target.host.start()
    await target.host.restartAgent(ending.signal)
    const rest = links.filter((link) => link !== stopped)
    await Promise.all(rest.map(async ({ sink }) => sink.until(sink.datagrams + HEARD_DATAGRAMS)))
    backMs[hasApi ? 'withApi' : 'withoutApi'].push(performance.now() - startedMs)
    if (!hasApi) await rig.site.api.start()
    const isShown = () => rig.shown.program(end.kind, end.id)?.state === 'stopped'
    await rig.shown.until(isShown, `${end.kind} is shown as stopped`).catch(async (fault) => {
      throw new Error(await allThatIsKnown(end, target), { cause: fault })
    })
    await pause(LATE_MS)
    const program = programIdOf(end.kind, end.id)
    if ((processesOn(target).get(program)?.size ?? 0) > 0) ranThoughStopped += 1
    notAsWanted.push(...(await otherwiseThanWanted()))
    await command(end, 'start')
    await stopped.sink.until(stopped.sink.datagrams + HEARD_DATAGRAMS)
  })
}
const { figures, goals } = await rig.finish()
const all = [...backMs.withApi, ...backMs.withoutApi]
printFigure({
  bench: 'host-rebooted',
  rounds: ROUNDS,
  ours: {
    ...figures,
    backWithApiMs: spread(backMs.withApi),
    backWithoutApiMs: spread(backMs.withoutApi),
    backMs: { ...spread(all), p95: round(percentile(all, 95)) },
    notAsWanted: notAsWanted.slice(0, 10),
    notDone: notDone.slice(0, 10),
  },
  limit: {},
  goals: [
    ...goals,
    atMost('programs that are not as wanted after the reboot', notAsWanted.length, 0, 'programs'),
    atMost('stopped links that ran after the reboot', ranThoughStopped, 0, 'links'),
    atMost('stops and starts that were not done', notDone.length, 0, 'commands'),
    atMost('all links back after its start', Math.max(...all), BACK_LIMIT_MS, 'ms'),
  ],
})

interface LinkEnd {
  kind: 'input' | 'output'
  id: string
}

function endOn({ receiver, inputId, outputId }: MediaLink, host: MediaHost): LinkEnd {
  return receiver === host ? { kind: 'input', id: inputId } : { kind: 'output', id: outputId }
}

async function command(end: LinkEnd, actionType: 'start' | 'stop'): Promise<void> {
  const answer = await commandLink(client, end, actionType)
  if (!answer.isDone) notDone.push(`${actionType} ${end.kind}: ${answer.sentence}`)
}

/** Of all hosts, by what the API has stored and what it shows. */
async function otherwiseThanWanted(): Promise<string[]> {
  const { data } = await callApi(client, readLive, {})
  return data.programs
    .filter(({ wanted, state }) => wanted !== state)
    .map(({ kind, id, wanted, state, cause }) => `${kind} ${id}: ${wanted}, ${state} ${cause}`)
}

async function allThatIsKnown(end: LinkEnd, host: MediaHost): Promise<string> {
  const shown = rig.shown.program(end.kind, end.id)
  const real = (await statesOn(host))?.get(programIdOf(end.kind, end.id))
  return JSON.stringify({ end, shown, real, host: rig.shown.host(host.serverId), notDone })
}

/** What lies in memory is gone: small pictures, and the socket where the data folder's path is long. */
function forgetMemory({ agentDir }: MediaHost): void {
  const { runtimeFolder, socket } = openLayout(agentDir)
  rmSync(runtimeFolder ?? socket, { recursive: true, force: true })
}
