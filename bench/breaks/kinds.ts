/** The breaks, each with its repair, and which alarms name its first hop and cause. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { SupervisorClient } from '@trunkline/agent/supervisor/supervisor.client'
import { programIdOf } from '@trunkline/api/programs/wanted-program'
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import { restartStream } from '@trunkline/contract/channels/channel.calls'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { readInput, updateInput } from '@trunkline/contract/contributions/input.calls'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { DEMO_STREAM } from '@trunkline/testbed/demo-site'
import { processTree } from '../kit/figure.ts'
import { supervisorPid } from '../kit/site.ts'
import type { BreakSite } from './site.ts'

export interface Break {
  name: string
  /** 3 s where a tool or a connection reports it at once, else 10 s. */
  namedWithinS: 3 | 10
  /** Whose alarm that is, as a rule. */
  subject: Pick<Alarm, 'kind' | 'objectId'>
  isTrue: (alarm: Pick<Alarm, 'kind' | 'objectId' | 'rule' | 'sentence'>) => boolean
  /** Answers the moment from which it is broken. */
  begin: () => Promise<number>
  /** Answers the moment of the repair. */
  repair: () => Promise<number>
}

const KILL_EVERY_MS = 100
const WRONG_PASSPHRASE = 'another-passphrase-than-that'

export function breaksOf(on: BreakSite): Break[] {
  return [
    encoderKilled(on),
    feederStopped(on),
    wrongPassphrase(on),
    agentKilled(on),
    agentFrozen(on),
    destinationAway(on),
    portBlocked(on),
    channelProgramKilled(on),
    mediaServerAway(on),
    busSilent(on),
  ]
}

function of(kind: Alarm['kind'], objectId: string, rule: Alarm['rule']) {
  const subject = { kind, objectId }
  const isTrue: Break['isTrue'] = (alarm) =>
    alarm.kind === kind && alarm.objectId === objectId && alarm.rule === rule
  return { subject, isTrue }
}

function now(act: () => void): () => Promise<number> {
  return async () => {
    const atMs = performance.now()
    act()
    return Promise.resolve(atMs)
  }
}

function after(act: () => Promise<void>): () => Promise<number> {
  return async () => {
    await act()
    return performance.now()
  }
}

/** Kills whatever runs by such a command line, again and again until it is stopped. */
function killer({ site }: BreakSite, pattern: RegExp) {
  let isOn = false
  let killing = Promise.resolve()
  const kill = async () => {
    while (isOn) {
      const victims = processTree(supervisorPid(site.dataDir)).filter(({ command }) =>
        pattern.test(command),
      )
      for (const { pid } of victims) endProcess(pid)
      await pause(KILL_EVERY_MS)
    }
  }
  return {
    start: now(() => {
      isOn = true
      killing = kill()
    }),
    stop: async () => {
      isOn = false
      await killing
    },
  }
}

/** It may have ended meanwhile. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    return
  }
}

function encoderKilled(on: BreakSite): Break {
  const { client, ids } = on.site
  const killing = killer(on, /^ffmpeg .*-f lavfi/)
  return {
    name: 'encoder killed',
    namedWithinS: 3,
    ...of('encoder', ids.encoderId, 'program-down'),
    begin: killing.start,
    repair: after(async () => {
      await killing.stop()
      await callApi(client, controlEncoder, {
        params: { id: ids.encoderId },
        body: { data: { name: 'encoder0', command: 'start' } },
      })
    }),
  }
}

/** By supervisord, behind the back of the agent and the console. */
function feederStopped({ site }: BreakSite): Break {
  const { ids, client, dataDir } = site
  return {
    name: 'feeder stopped',
    namedWithinS: 3,
    ...of('feeder', ids.feederName, 'program-down'),
    begin: async () => {
      const supervisor = new SupervisorClient(openLayout(join(dataDir, 'agent')).socket)
      const atMs = performance.now()
      await supervisor.stopProcess(programIdOf('feeder', ids.feederName))
      supervisor[Symbol.dispose]()
      return atMs
    },
    repair: after(async () => {
      await callApi(client, contributionAction, {
        body: {
          id: ids.encoderId,
          type: ACTION_TYPE.feeder,
          actionType: 'start',
          feederName: ids.feederName,
        },
      })
    }),
  }
}

/** The input gets another one than its feeder, and takes it up by a restart. */
function wrongPassphrase({ site }: BreakSite): Break {
  const { client, ids, plan } = site
  const use = async (passphrase: string) => {
    const { data } = await callApi(client, readInput, { params: { id: ids.inputId } })
    const { title, inputType, serverId, groupId, config, advanced, version, encryption } = data
    const { type } = encryption
    await callApi(client, updateInput, {
      params: { id: ids.inputId },
      body: {
        title,
        inputType,
        serverId,
        groupId,
        config,
        advanced,
        version,
        encryption: { selection: 'yes', passphrase, type },
      },
    })
    const atMs = performance.now()
    await callApi(client, contributionAction, {
      body: { id: ids.inputId, type: ACTION_TYPE.input, actionType: 'restart' },
    })
    return atMs
  }
  return {
    name: 'wrong passphrase',
    namedWithinS: 10,
    subject: { kind: 'feeder', objectId: ids.feederName },
    isTrue: ({ kind, objectId, sentence }) =>
      ((kind === 'feeder' && objectId === ids.feederName) ||
        (kind === 'input' && objectId === ids.inputId)) &&
      /different passphrases/i.test(sentence),
    begin: async () => use(WRONG_PASSPHRASE),
    repair: async () => use(plan.feederPassphrase),
  }
}

/** One agent serves the encoder, the gateway and the channel server of the demo. */
function hostAway({ site }: BreakSite) {
  return of('server', site.ids.acantsId, 'host-unreachable')
}

function agentKilled(on: BreakSite): Break {
  return {
    name: 'agent killed',
    namedWithinS: 3,
    ...hostAway(on),
    begin: now(() => endProcess(on.site.agent.pid)),
    repair: after(async () => on.site.restartAgent()),
  }
}

function agentFrozen(on: BreakSite): Break {
  const signal = (name: NodeJS.Signals) => now(() => process.kill(on.site.agent.pid, name))
  return {
    name: 'agent frozen',
    namedWithinS: 3,
    ...hostAway(on),
    begin: signal('SIGSTOP'),
    repair: signal('SIGCONT'),
  }
}

function destinationAway(on: BreakSite): Break {
  return {
    name: "output's destination away",
    namedWithinS: 10,
    ...of('output', on.studioOutputId, 'no-peer'),
    begin: after(async () => on.farEnd.stop()),
    repair: after(async () => on.farEnd.start()),
  }
}

function portBlocked(on: BreakSite): Break {
  const cut = (isCut: boolean) => now(() => (on.relay.isCut = isCut))
  return {
    name: 'UDP port blocked',
    namedWithinS: 10,
    ...of('output', on.studioOutputId, 'no-peer'),
    begin: cut(true),
    repair: cut(false),
  }
}

function channelProgramKilled(on: BreakSite): Break {
  const { client, ids } = on.site
  const killing = killer(on, /^ffmpeg .*-f hls/)
  return {
    name: 'channel program killed',
    namedWithinS: 10,
    ...of('channel', on.site.ids.channelId, 'source-lost'),
    begin: killing.start,
    repair: after(async () => {
      await killing.stop()
      await callApi(client, restartStream, {
        body: { serverId: ids.channelServerId, streamName: DEMO_STREAM },
      })
    }),
  }
}

function mediaServerAway(on: BreakSite): Break {
  return {
    name: 'media server away',
    namedWithinS: 3,
    ...of('server', on.site.ids.channelServerId, 'media-server-silent'),
    begin: after(async () => on.mediaServerDoor.shut()),
    repair: after(async () => on.mediaServerDoor.reopen()),
  }
}

function busSilent(on: BreakSite): Break {
  return {
    name: 'bus silent',
    namedWithinS: 10,
    ...of('output', on.studioOutputId, 'no-media'),
    begin: after(async () => on.studio.stop()),
    repair: now(() => on.studio.start()),
  }
}
