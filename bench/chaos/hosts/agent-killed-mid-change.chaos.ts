/**
 * F17: a host agent is killed while a changed setting is on its way to it, at any moment between the save and its
 * files; started again it takes the setting, and nothing else of the host has changed.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openLayout, scriptFile } from '@trunkline/agent/supervisor/layout'
import { programIdOf } from '@trunkline/api/programs/wanted-program'
import { readInput, updateInput } from '@trunkline/contract/contributions/input.calls'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { commandLink } from '../rig/link-command.ts'
import { MediaRig } from '../rig/media-rig.ts'
import type { MediaLink } from '../rig/media-site.ts'
import { roundsOf } from '../rig/rounds.ts'

const ROUNDS = roundsOf(60)
/** From the save to the kill: a save reaches the files of a host within that. */
const STEP_MS = 7
const LONGEST_MS = 120
const FIRST_LATENCY_MS = 301
/** Only ends what hangs. */
const LIMIT_MS = 60_000

await using rig = await MediaRig.open()
const { client } = rig.site
const ending = new AbortController()
const links = rig.site.links.filter(({ protocol }) => protocol === 'SRT')
const takenMs: number[] = []
let refusedSaves = 0
let drifted = 0
let notDone = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const link = links[at % links.length]
  if (link === undefined) throw new Error('There are SRT links.')
  const { host, serverId } = link.receiver
  await rig.round({ links: [link] }, async () => {
    const saving = saveLatency(link, FIRST_LATENCY_MS + at).catch(() => (refusedSaves += 1))
    await pause((at * STEP_MS) % LONGEST_MS)
    process.kill(host.agent.pid, 'SIGKILL')
    await host.agent.ended
    await saving
    await host.restartAgent(ending.signal)
    const startedMs = performance.now()
    await rig.shown.until(() => rig.shown.host(serverId)?.online === true, 'the host is back')
    await untilTaken(link.inputId)
    takenMs.push(performance.now() - startedMs)
    const restarted = await commandLink(client, { kind: 'input', id: link.inputId }, 'restart')
    if (!restarted.isDone) notDone += 1
    if (!(await runsAsSaved(link))) drifted += 1
  })
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'agent-killed-mid-change',
  rounds: ROUNDS,
  ours: {
    ...figures,
    refusedSaves,
    takenAfterStartMs: { ...spread(takenMs), p95: round(percentile(takenMs, 95)) },
  },
  limit: {},
  goals: [
    ...goals,
    atMost('links that do not run as saved', drifted, 0, 'links'),
    atMost('restarts that were not done', notDone, 0, 'commands'),
    atMost('setting taken after the start', Math.max(...takenMs), 10_000, 'ms'),
  ],
})

async function saveLatency({ inputId: id }: MediaLink, latency: number): Promise<void> {
  const { data } = await callApi(client, readInput, { params: { id } })
  const { title, inputType, serverId, groupId, config, advanced, version } = data
  const changed = { ...config, latency }
  await callApi(client, updateInput, {
    params: { id },
    body: { title, inputType, serverId, groupId, config: changed, advanced, version },
  })
}

/** The host has the settings that are saved, whether they run yet or not. */
async function untilTaken(inputId: string): Promise<void> {
  const endMs = performance.now() + LIMIT_MS
  for (;;) {
    const { data } = await callApi(client, readLive, {})
    const shown = data.programs.find(({ kind, id }) => kind === 'input' && id === inputId)
    if (shown?.waitsForHost === false && shown.state !== 'unreachable') return
    if (performance.now() > endMs) throw new Error('The host does not take the saved settings.')
    await pause(50)
  }
}

/** By the script that its supervisord runs. */
async function runsAsSaved({ inputId, receiver }: MediaLink): Promise<boolean> {
  const { data } = await callApi(client, readInput, { params: { id: inputId } })
  const layout = openLayout(receiver.agentDir)
  const script = readFileSync(scriptFile(layout, programIdOf('input', inputId)), 'utf8')
  return (
    script.includes(`latency=${data.config.latency}&`) ||
    script.includes(`latency=${data.config.latency}'`)
  )
}
