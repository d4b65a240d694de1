/**
 * F9: a link is started, and its host can answer no more, from a moment on between the command and its answer;
 * what the API then says of the command is true, and started once more it does not start twice.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { programIdOf } from '@trunkline/api/programs/wanted-program'
import { atMost, printFigure, spread } from '../kit/figure.ts'
import { commandLink } from './rig/link-command.ts'
import { MediaRig } from './rig/media-rig.ts'
import { roundsOf } from './rig/rounds.ts'
import { statesOn } from './rig/truth.ts'

const ROUNDS = roundsOf(40)
/** From the command to the cut: spread over the time that a start takes. */
const STEP_MS = 23
const LONGEST_MS = 250
/** After the repair, for what is done late. */
const LATE_MS = 1500
const HEARD_DATAGRAMS = 24
const NOT_DONE = 'was not carried out, and will not be'

await using rig = await MediaRig.open()
const { client } = rig.site
const answeredMs: number[] = []
const answers = { done: 0, notDone: 0, unsure: 0 }
const untrue: string[] = []
let notStarted = 0
let doubleStarts = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const link = rig.linkOf(at)
  const { receiver, inputId } = link
  const end = { kind: 'input' as const, id: inputId }
  const pidNow = async () =>
    (await statesOn(receiver))?.get(programIdOf('input', inputId))?.pid ?? null
  await rig.round({ links: [link] }, async () => {
    await commandLink(client, end, 'stop')
    const starting = commandLink(client, end, 'start')
    await pause((at * STEP_MS) % LONGEST_MS)
    receiver.door.cut('to-caller')
    const first = await starting
    answeredMs.push(first.tookMs)
    receiver.door.cut('none')
    const isBack = () => rig.shown.host(receiver.serverId)?.online === true
    await pause(LATE_MS)
    await rig.shown.until(isBack, 'the host is back')
    const pid = await pidNow()
    if (first.isDone) answers.done += 1
    else if (first.sentence.includes(NOT_DONE)) answers.notDone += 1
    else answers.unsure += 1
    const isUntrue = first.isDone ? pid === null : first.sentence.includes(NOT_DONE) && pid !== null
    if (isUntrue) untrue.push(first.sentence || 'done, and not running')
    const second = await commandLink(client, end, 'start')
    if (!second.isDone) notStarted += 1
    if (pid !== null && pid !== (await pidNow())) doubleStarts += 1
    // Its far end has called again by then: no later round is to see that.
    await link.sink.until(link.sink.datagrams + HEARD_DATAGRAMS)
  })
}
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'answers-lost',
  rounds: ROUNDS,
  ours: { ...figures, firstAnsweredMs: spread(answeredMs), answers, untrueAnswers: untrue },
  limit: {},
  goals: [
    ...goals,
    atMost('answers that are not true', untrue.length, 0, 'answers'),
    atMost('started twice', doubleStarts, 0, 'links'),
    atMost('second starts that were not done', notStarted, 0, 'commands'),
  ],
})
