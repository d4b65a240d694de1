/** Each break with its repair, and which alarm names its first hop and cause. */
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { SupervisorClient } from '@trunkline/agent/supervisor/supervisor.client'
import { streamKey } from '@trunkline/agent/streams/programs/stream.units'
import { programIdOf } from '@trunkline/api/programs/wanted-program'
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import { restartStream } from '@trunkline/contract/channels/channel.calls'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { readInput, updateInput } from '@trunkline/contract/contributions/input.calls'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { listEvents } from '@trunkline/contract/events/event.calls'
import { callApi, type Client } from '../api-client.ts'
import { BREAK_NAMES, BREAKS, type Break, type BreakName } from './break.ts'
import type { BreakParts, TargetOf } from './break-parts.ts'
import { programKiller } from './program-killer.ts'

const WRONG_PASSPHRASE = 'another-passphrase-than-that'
const LOSS_PERCENT = 5

type Kind = Omit<Break, 'name' | 'sentence'>
type Means = Pick<BreakParts, 'client' | 'ending'>
type KindOf<N extends BreakName> = (target: TargetOf<N>, means: Means) => Kind

const KINDS: { [N in BreakName]: KindOf<N> } = {
  'encoder-killed': encoderKilled,
  'source-black': sourceBlack,
  'feeder-stopped': feederStopped,
  'wrong-passphrase': wrongPassphrase,
  'port-blocked': portBlocked,
  'host-away': hostAway,
  'packet-loss': packetLoss,
  'bus-silent': busSilent,
  'destination-away': destinationAway,
  'channel-killed': channelKilled,
  'media-server-away': mediaServerAway,
  'agent-frozen': agentFrozen,
}

/** Those for which the site has the parts, in the order of a signal path. */
export function breaksOf({ targets, ...means }: BreakParts): Break[] {
  const breakOf = <N extends BreakName>(name: N): Break[] => {
    const target: TargetOf<N> | undefined = targets[name]
    if (target === undefined) return []
    const sentence = BREAKS[name].sentence(target.title)
    return [{ name, sentence, ...KINDS[name](target, means) }]
  }
  return BREAK_NAMES.flatMap((name) => breakOf(name))
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

function after(act: () => Promise<unknown>): () => Promise<number> {
  return async () => {
    await act()
    return performance.now()
  }
}

/** A host that was away until now is not linked yet; only ends what hangs. */
const RETRY_LIMIT_MS = 30_000
const RETRY_PAUSE_MS = 500

async function insist<T extends { status: boolean }>(call: () => Promise<T>): Promise<void> {
  const limitMs = performance.now() + RETRY_LIMIT_MS
  for (;;) {
    try {
      const answer = await call()
      if (answer.status) return
      throw new Error(`The host refused: ${JSON.stringify(answer)}`)
    } catch (error) {
      if (performance.now() > limitMs) throw error
    }
    await pause(RETRY_PAUSE_MS)
  }
}

/** Somebody has started, restarted or stopped it. */
async function isCommanded(
  client: Client,
  kind: 'encoder' | 'channel',
  id: string,
  since: Date,
): Promise<boolean> {
  const query = { kind, id, show: 'command', from: since.toISOString() }
  return (await callApi(client, listEvents, { query })).data.length > 0
}

function encoderKilled(target: TargetOf<'encoder-killed'>, { client, ending }: Means): Kind {
  const { encoderId, encoderName: name, agentDir } = target
  const killer = programKiller({
    agentDir,
    isTarget: (id) => id === programIdOf('encoder', encoderId),
    isRepaired: async (since) => isCommanded(await client(), 'encoder', encoderId, since),
    ending,
  })
  return {
    namedWithinS: 3,
    ...of('encoder', encoderId, 'program-down'),
    begin: now(killer.start),
    repair: after(async () => {
      await killer.stop()
      const body = { data: { name, command: 'start' as const } }
      await insist(async () =>
        callApi(await client(), controlEncoder, { params: { id: encoderId }, body }),
      )
    }),
  }
}

function sourceBlack({ encoderId, coverFile }: TargetOf<'source-black'>): Kind {
  return {
    namedWithinS: 10,
    ...of('encoder', encoderId, 'bad-picture'),
    begin: now(() => writeFileSync(coverFile, 'black')),
    // Emptied, not removed: the encoder reads it with each picture.
    repair: now(() => existsSync(coverFile) && writeFileSync(coverFile, '')),
  }
}

/** By supervisord, behind the back of the agent and the console. */
function feederStopped(target: TargetOf<'feeder-stopped'>, { client }: Means): Kind {
  const { encoderId, feederName, agentDir } = target
  return {
    namedWithinS: 3,
    ...of('feeder', feederName, 'program-down'),
    begin: async () => {
      using supervisor = new SupervisorClient(openLayout(agentDir).socket)
      const atMs = performance.now()
      await supervisor.stopProcess(programIdOf('feeder', feederName))
      return atMs
    },
    repair: after(async () =>
      insist(async () =>
        callApi(await client(), contributionAction, {
          body: { id: encoderId, type: ACTION_TYPE.feeder, actionType: 'start', feederName },
        }),
      ),
    ),
  }
}

/** The input gets another one than its feeder, and takes it up by a restart. */
function wrongPassphrase(target: TargetOf<'wrong-passphrase'>, { client }: Means): Kind {
  const { inputId, feederName } = target
  return {
    namedWithinS: 10,
    subject: { kind: 'feeder', objectId: feederName },
    isTrue: ({ kind, objectId, sentence }) =>
      ((kind === 'feeder' && objectId === feederName) ||
        (kind === 'input' && objectId === inputId)) &&
      /different passphrases/i.test(sentence),
    begin: async () => usePassphrase(await client(), inputId, WRONG_PASSPHRASE),
    repair: async () => usePassphrase(await client(), inputId, target.passphrase),
  }
}

async function usePassphrase(client: Client, id: string, passphrase: string): Promise<number> {
  const { data } = await callApi(client, readInput, { params: { id } })
  const { title, inputType, serverId, groupId, config, advanced, version, encryption } = data
  const { type } = encryption
  await callApi(client, updateInput, {
    params: { id },
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
  await insist(async () =>
    callApi(client, contributionAction, {
      body: { id, type: ACTION_TYPE.input, actionType: 'restart' },
    }),
  )
  return atMs
}

function portBlocked({ outputId, relay }: TargetOf<'port-blocked'>): Kind {
  const cut = (isCut: boolean) => now(() => (relay.isCut = isCut))
  return {
    namedWithinS: 10,
    ...of('output', outputId, 'no-peer'),
    begin: cut(true),
    repair: cut(false),
  }
}

function hostAway({ serverId, host }: TargetOf<'host-away'>): Kind {
  return {
    namedWithinS: 3,
    ...of('server', serverId, 'host-unreachable'),
    begin: async () => {
      const atMs = performance.now()
      await host.stop()
      return atMs
    },
    repair: after(async () => host.start()),
  }
}

/** Which of its ends says so first depends on what each of them counts. */
function packetLoss({ outputId, inputId, relay }: TargetOf<'packet-loss'>): Kind {
  const lose = (percent: number) => now(() => (relay.lossPercent = percent))
  return {
    namedWithinS: 10,
    subject: { kind: 'output', objectId: outputId },
    isTrue: ({ objectId, rule }) =>
      [outputId, inputId].includes(objectId) && rule === 'losing-packets',
    begin: lose(LOSS_PERCENT),
    repair: lose(0),
  }
}

function busSilent({ outputIds, source }: TargetOf<'bus-silent'>): Kind {
  return {
    namedWithinS: 10,
    subject: { kind: 'output', objectId: outputIds[0] ?? '' },
    isTrue: ({ kind, objectId, rule }) =>
      kind === 'output' && outputIds.includes(objectId) && rule === 'no-media',
    begin: after(async () => source.stop()),
    repair: after(async () => source.start()),
  }
}

function destinationAway({ outputId, farEnd }: TargetOf<'destination-away'>): Kind {
  return {
    namedWithinS: 10,
    ...of('output', outputId, 'no-peer'),
    begin: after(async () => farEnd.stop()),
    repair: after(async () => farEnd.start()),
  }
}

function channelKilled(target: TargetOf<'channel-killed'>, { client, ending }: Means): Kind {
  const { channelId, serverId, streamName, agentDir } = target
  const packagers = `ch-${streamKey(streamName)}-hls-`
  const killer = programKiller({
    agentDir,
    isTarget: (id) => id.startsWith(packagers),
    isRepaired: async (since) => isCommanded(await client(), 'channel', channelId, since),
    ending,
  })
  return {
    namedWithinS: 10,
    ...of('channel', channelId, 'source-lost'),
    begin: now(killer.start),
    repair: after(async () => {
      await killer.stop()
      await insist(async () =>
        callApi(await client(), restartStream, { body: { serverId, streamName } }),
      )
    }),
  }
}

function mediaServerAway({ serverId, door }: TargetOf<'media-server-away'>): Kind {
  return {
    namedWithinS: 3,
    ...of('server', serverId, 'media-server-silent'),
    begin: after(async () => door.shut()),
    repair: after(async () => door.reopen()),
  }
}

function agentFrozen({ serverId, agentPid }: TargetOf<'agent-frozen'>): Kind {
  const signal = (name: NodeJS.Signals) => now(() => process.kill(agentPid(), name))
  return {
    namedWithinS: 3,
    ...of('server', serverId, 'host-unreachable'),
    begin: signal('SIGSTOP'),
    repair: signal('SIGCONT'),
  }
}
