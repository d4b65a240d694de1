/**
 * F18 and Rule 0: two API processes share three hosts on a PostgreSQL that is killed, and its hot standby takes its
 * place: no link notices, both processes show the truth again, and a restart that was commanded meanwhile is
 * carried out once at most.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { programIdOf } from '@trunkline/api/programs/wanted-program'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { atMost, printFigure, spread } from '../kit/figure.ts'
import { commandLink } from './rig/link-command.ts'
import { MediaRig } from './rig/media-rig.ts'
import type { MediaLink } from './rig/media-site.ts'
import { openPostgresPair } from './rig/postgres-pair.ts'
import { roundsOf } from './rig/rounds.ts'
import { ShownRecord } from './rig/shown.ts'

const ROUNDS = roundsOf(20)
const NOTICED_MS = 2000
/** The command comes before the kill, while no server answers, and after the promotion. */
const STEP_MS = 1500
const LONGEST_MS = 7500
const BEFORE_KILL_MS = 1000
/** After the repair, for what is done late. */
const LATE_MS = 3000
const HEARD_DATAGRAMS = 24
const LOOK_MS = 50

const pair = await openPostgresPair()
await using rig = await MediaRig.open({ databases: pair })
const second = await rig.site.openAnotherApi()
const clients = [rig.site.client, second.client] as const
await using secondShown = await ShownRecord.open(second.client)
const againMs: number[] = []
const commandMs: number[] = []
const answers = { done: 0, refused: 0, notDone: [] as string[] }
let twice = 0
let notCarriedOut = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const link = rig.linkOf(at)
  await rig.round({ links: [link] }, async () => {
    const startsBefore = startsOf(link)
    const commanded = commandLater(link, at)
    await pause(BEFORE_KILL_MS)
    await pair.killPrimary()
    await pause(NOTICED_MS)
    await pair.promote()
    const movedMs = performance.now()
    await Promise.all(clients.map(untilAnswered))
    againMs.push(performance.now() - movedMs)
    const { isDone, sentence, tookMs } = await commanded
    commandMs.push(tookMs)
    await pause(LATE_MS)
    const starts = startsOf(link) - startsBefore
    if (isDone) answers.done += 1
    else if (starts === 0) answers.refused += 1
    else answers.notDone.push(sentence)
    if (isDone && starts === 0) notCarriedOut += 1
    if (starts > 1) twice += 1
    await pair.addStandby()
    await link.sink.until(link.sink.datagrams + HEARD_DATAGRAMS)
    await secondShown.until(
      () => isTrueAtSecond(link),
      'the other process shows the restarted link',
    )
  })
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'postgres-failover-with-links',
  rounds: ROUNDS,
  ours: {
    ...figures,
    answersAgainMs: spread(againMs),
    commandMs: spread(commandMs),
    commands: { ...answers, notDone: answers.notDone.slice(0, 5) },
  },
  limit: {},
  goals: [
    ...goals,
    atMost('both processes answer after the promotion', Math.max(...againMs), 10_000, 'ms'),
    atMost('links that a command restarted twice', twice, 0, 'links'),
    atMost('commands answered as done that were not', notCarriedOut, 0, 'commands'),
    atMost('command answered', Math.max(...commandMs), 10_000, 'ms'),
  ],
})

/** Each process in turn is asked. */
async function commandLater({ outputId }: MediaLink, at: number) {
  await pause((at * STEP_MS) % LONGEST_MS)
  const client = clients[at % clients.length] ?? rig.site.client
  return commandLink(client, { kind: 'output', id: outputId }, 'restart')
}

async function untilAnswered(client: Client): Promise<void> {
  for (;;) {
    const isAnswered = await callApi(client, listGroups, {}).then(
      () => true,
      () => false,
    )
    if (isAnswered) return
    await pause(LOOK_MS)
  }
}

/** How often supervisord has started the output of this link since it runs itself. */
function startsOf({ sender, outputId }: MediaLink): number {
  const log = readFileSync(openLayout(sender.agentDir).supervisorLog, 'utf8')
  return log.split(`spawned: '${programIdOf('output', outputId)}'`).length - 1
}

function isTrueAtSecond({ outputId }: MediaLink): boolean {
  const [here, there] = [rig.shown, secondShown].map((shown) => shown.program('output', outputId))
  return here?.state === 'running' && there?.state === 'running' && here.pid === there.pid
}
