/** Encoders, feeders, inputs, outputs, channels and servers as the command line lists and finds them. */
import { listChannels } from '@trunkline/contract/channels/channel.calls'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { readInput } from '@trunkline/contract/contributions/input.calls'
import { readOutput } from '@trunkline/contract/contributions/output.calls'
import { type MakeCall, readList } from '@trunkline/contract/as-text/site.client'
import { findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { COMMAND_NAME } from '../command.ts'
import type { SiteKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { hostKey, programKey, streamKey } from '@trunkline/contract/fleet/watch-key.rules'
import { findServer } from '@trunkline/contract/servers/server.calls'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { CallRefused } from '../api.client.ts'

/** `wire`: as the API answers it. */
type OfKind =
  | { kind: 'encoder'; wire: Encoder }
  | { kind: 'feeder'; wire: Feeder; encoder: Encoder }
  | { kind: 'input'; wire: Input }
  | { kind: 'output'; wire: Output }
  | { kind: 'channel'; wire: Channel }
  | { kind: 'server'; wire: Server }

export type Listed = OfKind & {
  /** A feeder goes by its name. */
  id: string
  title: string
  /** Where it runs, or where it comes from: a host, an encoder, an input. */
  where: string
  /** What its state depends on. */
  watchKeys: readonly string[]
}

/** `search`: what the list's own search takes; '' for all. */
export async function listObjects(
  call: MakeCall,
  kind: SiteKind,
  search: string,
): Promise<Listed[]> {
  return LISTS[kind](call, search)
}

const LISTS: Readonly<Record<SiteKind, (call: MakeCall, search: string) => Promise<Listed[]>>> = {
  encoder: async (call, search) => (await readList(call, 'encoder', search)).map(listedEncoder),
  // Feeders are part of their encoders, and no list searches them.
  feeder: async (call, search) =>
    (await readList(call, 'encoder', ''))
      .flatMap(listedFeeders)
      .filter(({ title }) => title.toLowerCase().includes(search.trim().toLowerCase())),
  input: async (call, search) => (await readList(call, 'input', search)).map(listedInput),
  output: async (call, search) => (await readList(call, 'output', search)).map(listedOutput),
  channel: async (call, search) => (await readList(call, 'channel', search)).map(listedChannel),
  server: async (call, search) => (await readList(call, 'server', search)).map(listedServer),
}

/** By title or id. Throws an Error whose message says what to do when it is not exactly one. */
export async function findObject(call: MakeCall, kind: SiteKind, named: string): Promise<Listed> {
  const title = named.trim()
  const found = (await listObjects(call, kind, title)).filter(
    (each) => each.title.trim().toLowerCase() === title.toLowerCase(),
  )
  const [first, ...others] = found
  if (first !== undefined && others.length === 0) return first
  if (first !== undefined) {
    const choices = found.map(({ id, where }) => `${id} (${where})`).join(', ')
    throw new Error(`Several have the title '${title}'. Name one by its id: ${choices}.`)
  }
  const byId = await findById(call, kind, title)
  if (byId !== null) return byId
  throw new Error(
    `There is no ${kind} '${title}', or this token may not see it. '${COMMAND_NAME} ${kind} list' shows those that it may.`,
  )
}

async function findById(call: MakeCall, kind: SiteKind, id: string): Promise<Listed | null> {
  try {
    return await BY_ID[kind](call, id)
  } catch (error) {
    const isUnknown = error instanceof CallRefused && [400, 404].includes(error.httpStatus)
    if (!isUnknown) throw error
    return null
  }
}

const BY_ID: Readonly<Record<SiteKind, (call: MakeCall, id: string) => Promise<Listed | null>>> = {
  encoder: async (call, id) => listedEncoder((await call(findEncoder, { params: { id } })).data),
  feeder: async (call, id) =>
    (await listObjects(call, 'feeder', '')).find((each) => each.id === id) ?? null,
  input: async (call, id) => listedInput((await call(readInput, { params: { id } })).data),
  output: async (call, id) => listedOutput((await call(readOutput, { params: { id } })).data),
  channel: async (call, id) => {
    const { data } = await call(listChannels, { body: { ids: [id] } })
    return data[0] === undefined ? null : listedChannel(data[0])
  },
  server: async (call, id) => listedServer((await call(findServer, { params: { id } })).data),
}

function listedEncoder(wire: Encoder): Listed {
  const { id, title, ip, port } = wire
  const watchKeys = [programKey('encoder', id)]
  return { kind: 'encoder', wire, id, title, where: `${ip}:${port}`, watchKeys }
}

function listedFeeders(encoder: Encoder): Listed[] {
  return (encoder.config?.feeder ?? []).map((wire) => {
    const { name: id } = wire
    const watchKeys = [programKey('feeder', id)]
    return {
      kind: 'feeder',
      wire,
      encoder,
      id,
      title: wire.input.title,
      where: encoder.title,
      watchKeys,
    }
  })
}

function listedInput(wire: Input): Listed {
  const { id, title, serverInfo } = wire
  const watchKeys = [programKey('input', id)]
  return { kind: 'input', wire, id, title, where: serverInfo.title, watchKeys }
}

function listedOutput(wire: Output): Listed {
  const { id, title, contributionInfo } = wire
  const watchKeys = [programKey('output', id)]
  return { kind: 'output', wire, id, title, where: contributionInfo.title, watchKeys }
}

function listedChannel(wire: Channel): Listed {
  const { id, name, title, serverId, serverInfo } = wire
  const watchKeys = [streamKey(serverId, name), hostKey('server', serverId)]
  return { kind: 'channel', wire, id, title, where: serverInfo.title, watchKeys }
}

function listedServer(wire: Server): Listed {
  const { id, title, host, port } = wire
  const watchKeys = [hostKey('server', id)]
  return { kind: 'server', wire, id, title, where: `${host}:${port}`, watchKeys }
}
