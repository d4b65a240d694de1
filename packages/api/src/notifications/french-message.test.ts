/** Messages in French: every sentence that an alarm can have, and all around it. */
import type { ConsolePart } from '@trunkline/contract/alarms/console-parts'
import { ALARM_RULES, SEVERITIES } from '@trunkline/contract/alarms/open-alarms.schema'
import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { expect, test } from 'vitest'
import { conditionOfStream } from '../alarms/channel-finding.rules.ts'
import { conditionOfConsole, type ConsoleFacts } from '../alarms/console/console.rules.ts'
import { conditionOfHost, conditionOfProgram, type Condition } from '../alarms/finding.rules.ts'
import { RUNNING_INPUT } from '../alarms/running-input.fixture.ts'
import { movingSince } from '../testing/fake-host.ts'
import { messageOf, subjectOf, testMessage, textOf, type AlarmNote } from './message.rules.ts'

const NOW_MS = Date.parse('2026-11-27T03:00:11.000Z')
const RULE = { title: 'Nuit', language: 'fr' } as const
const NOTE: AlarmNote = {
  alarmId: 'alarm1',
  objectKind: 'encoder',
  objectId: 'encoder1',
  title: 'Caméra 1',
  rule: 'program-down',
  severity: 'critical',
  sentence: 'Not running although it should be. Ended by SIGKILL. Start it, or read its log.',
  raisedAt: '2026-11-27T03:00:00.000Z',
  clearedAt: null,
  behind: 300,
}
const noneOff = () => false
/** Words that French does not have. */
const ENGLISH = /\b(the|of|and|is|are|was|with|from|your|not|this|that|has|no|it|at|open|more)\b/i

test('design 9 an alarm is sent in French, with its cause, its remedy and the moment in UTC', () => {
  const message = messageOf(RULE, NOW_MS, { raised: [NOTE], reminders: [], cleared: [] })
  expect(subjectOf(message)).toBe("[Trunkline] CRITIQUE Caméra 1 : À l'arrêt (conséquences : 300)")
  expect(textOf(message)).toBe(`Déclenchées :

CRITIQUE Caméra 1 : À l'arrêt (conséquences : 300)
Pas en marche alors qu'il le faudrait. Terminé par SIGKILL. Démarrez, ou lisez le journal.
encodeur, alarme déclenchée le 27/11/2026 à 03:00:00 UTC

Envoyé par la règle de notification Nuit de Trunkline le 27/11/2026 à 03:00:11 UTC.
`)
})

test('design 9 several alarms are counted in French', () => {
  const cleared = { ...NOTE, clearedAt: '2026-11-27T03:00:05.000Z' }
  const many = Array.from({ length: 25 }, (_, at) => ({ ...NOTE, alarmId: `alarm${at}` }))
  const hidden = { ...NOTE, objectId: '', title: '' }
  const message = messageOf(RULE, NOW_MS, { raised: many, reminders: [hidden], cleared: [cleared] })
  expect(subjectOf(message)).toBe(
    '[Trunkline] CRITIQUE, alarmes : 25 déclenchées, 1 toujours en cours, 1 terminée',
  )
  const text = textOf(message)
  expect(text).toContain('et 5 de plus. Voyez la page Alarmes.')
  expect(text).toContain("encodeur d'un autre groupe : À l'arrêt")
  expect(text).toContain('Terminées :')
  expect(text).toContain(', terminée le 27/11/2026 à 03:00:05 UTC')
  expect(text).not.toMatch(ENGLISH)
  const reminder = messageOf(RULE, NOW_MS, { raised: [], reminders: [NOTE], cleared: [] })
  expect(subjectOf(reminder)).toContain('TOUJOURS EN COURS CRITIQUE')
  const end = messageOf(RULE, NOW_MS, { raised: [], reminders: [], cleared: [cleared, cleared] })
  expect(subjectOf(end)).toBe('[Trunkline] alarmes : 2 terminées')
})

test('design 9 a test is sent in French', () => {
  const message = testMessage(RULE, NOW_MS)
  expect(subjectOf(message)).toBe('[Trunkline] Test de Nuit')
  expect(textOf(message)).toBe(
    "Ceci est un test de la règle de notification Nuit, envoyé par Trunkline le 27/11/2026 à 03:00:11 UTC. Il n'y a aucun défaut.\n",
  )
})

test('design 9 each severity, rule and kind of object has no English word in a French message', () => {
  const raised = ALARM_RULES.flatMap((rule) =>
    SEVERITIES.flatMap((severity) =>
      ObservedKind.options.map((objectKind) => ({ ...NOTE, rule, severity, objectKind })),
    ),
  )
  const subjects = raised.map((note) =>
    subjectOf(messageOf(RULE, NOW_MS, { raised: [note], reminders: [], cleared: [] })),
  )
  const english =
    /critical|major|warning|encoder|input|output|channel|server|running|lost|silent|peer/i
  expect(subjects.filter((subject) => ENGLISH.test(subject) || english.test(subject))).toEqual([])
})

test.each(sentencesOfAlarms())('design 9 the alarm sentence "%s" has its French', (sentence) => {
  const note = { ...NOTE, sentence }
  const text = textOf(messageOf(RULE, NOW_MS, { raised: [note], reminders: [], cleared: [] }))
  expect(text).not.toMatch(ENGLISH)
})

/** As the rules of alarms make them, each once. */
function sentencesOfAlarms(): string[] {
  const all = [...ofPrograms(), ...ofHosts(), ...ofStreams(), ...ofConsole()]
  return [...new Set(all.flatMap((seen) => (seen.is === 'bad' ? [seen.finding.sentence] : [])))]
}

function ofPrograms(): Condition[] {
  const observed = movingSince(0)
  const reading = {
    kind: 'encode',
    atMs: 0,
    bitrateKbps: 4500,
    framesPerSecond: 20,
    speed: 0.8,
    droppedFrames: 3,
    duplicatedFrames: 0,
  } as const
  const slow = { ...observed, warning: 'slow' } as const
  const losing = { ...observed, warning: 'losing' } as const
  const statuses: Partial<ProgramStatus>[] = [
    { state: 'stopped' },
    { state: 'fatal', cause: 'Ended with code 5' },
    { state: 'unreachable' },
    { peer: 'disconnected' },
    { peer: '', observed: { ...observed, media: 'waiting' } },
    { observed: { ...observed, media: 'silent' } },
    { observed: losing },
    { observed: { ...losing, warningThresholdPercent: 2 } },
    { observed: { ...observed, warning: 'path-silent' } },
    { observed: { ...observed, warning: 'black' } },
    { observed: { ...observed, warning: 'frozen' } },
    { observed: { ...observed, warning: 'silent' } },
    { kind: 'encoder', peer: '', observed: slow },
    { kind: 'encoder', peer: '', observed: { ...slow, warningThresholdPercent: 95 }, reading },
  ]
  return statuses.map((status) =>
    conditionOfProgram({ ...RUNNING_INPUT, ...status }, NOW_MS, noneOff),
  )
}

function ofHosts(): Condition[] {
  const status = { online: false, sinceMs: 5, fault: 'refused', heardAtMs: 1 } as const
  const host = { status, problems: [], wasAsked: true, nowMs: NOW_MS }
  return (['agent', 'media server'] as const).map((answerer) =>
    conditionOfHost({ ...host, answerer }, noneOff),
  )
}

function ofStreams(): Condition[] {
  const lost = { error: 'No data came in time.', since: 1 }
  const streamOf = (inputs: object[], stats: object) =>
    StreamDetail.parse({ name: 'n', inputs, stats })
  const backup = [
    { url: 'udp://a', stats: lost },
    { url: 'udp://b', stats: { active: true } },
  ]
  const paused = [{ url: 'udp://a', stats: { ...lost, receiver_down: true } }, ...backup.slice(1)]
  const findings = (['black', 'frozen', 'silent'] as const).map((kind) =>
    streamOf([], { alive: true, findings: [{ kind, since: 1 }] }),
  )
  const streams = [
    null,
    streamOf([], { alive: false }),
    streamOf(backup.slice(0, 1), { alive: false }),
    streamOf(backup, { alive: true }),
    streamOf([{ url: 'srt://:1', stats: { active: true } }, ...backup.slice(0, 1)], {
      alive: true,
    }),
    streamOf(paused, { alive: true }),
    ...findings,
  ]
  const there = { online: true, sinceMs: 7, heardAtMs: 7 }
  return [there, { ...there, online: false }].flatMap((server) =>
    streams.map((stream) => {
      const status = { serverId: 's', streamName: 'n', stream, readAtMs: NOW_MS, cause: '' }
      return conditionOfStream(status, server, NOW_MS, noneOff)
    }),
  )
}

function ofConsole(): Condition[] {
  const notRun = {
    schedules: 1,
    title: 'Caméra 9',
    sentence: 'Its host has not answered yet.',
    atMs: 7,
  }
  const facts: ConsoleFacts = {
    backup: { fault: 'The backup /srv/a could not be made: the database is empty.', endedAtMs: 7 },
    notRun,
    wrongSecrets: { tries: 100, address: '192.0.2.7' },
    disk: { path: '/srv/data', freeBytes: 1, totalBytes: 100_000_000_000 },
  }
  const several = { ...facts, notRun: { ...notRun, schedules: 3 } }
  const parts: ConsolePart[] = ['backups', 'schedules', 'sign-in', 'disk']
  return [
    ...parts.map((part) => conditionOfConsole(part, facts, NOW_MS, 5)),
    conditionOfConsole('schedules', several, NOW_MS, 5),
  ]
}
