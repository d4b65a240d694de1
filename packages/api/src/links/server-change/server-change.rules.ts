/** What a move to another server makes of an input, and what speaks against it. Pure. */
import type { InputConfig, InputType } from '@trunkline/contract/contributions/input.schema'
import { outerPorts } from '@trunkline/contract/contributions/link.rules'
import type { OutputConfig, OutputType } from '@trunkline/contract/contributions/output.schema'
import type { Adapter } from '@trunkline/contract/servers/server.schema'
import { invalid } from '../../errors.ts'

interface MovedInput {
  title: string
  inputType: InputType
  config: InputConfig
}

interface MovedOutput {
  id: string
  title: string
  outputType: OutputType
  config: OutputConfig
  version: number
}

interface NewServer {
  title: string
  adapters: readonly Adapter[]
}

/**
 * The address of the pair that was chosen, by its id, its place in the list, or its address; '' for
 * Any. Throws Invalid when the server has no such pair.
 */
export function chosenAdapterIp(
  server: NewServer,
  asked: { adapterId: string | number; localIp: string },
): string {
  const adapterId = withoutAny(String(asked.adapterId))
  const localIp = withoutAny(asked.localIp)
  const known = server.adapters.map(({ adapterIp }) => adapterIp).join(', ')
  if (adapterId !== '') {
    const pair =
      server.adapters.find(({ _id }) => _id === adapterId) ??
      (/^\d{1,3}$/.test(adapterId) ? server.adapters[Number(adapterId)] : undefined)
    if (pair === undefined) {
      throw invalid(
        'adapterId',
        `is not an adapter of ${server.title}. Choose one of ${known}, or Any.`,
      )
    }
    if (localIp === '' || localIp === pair.adapterIp) return pair.adapterIp
    throw invalid('localIp', `must be ${pair.adapterIp}, the address of that adapter.`)
  }
  if (localIp === '' || has(server, localIp)) return localIp
  throw invalid('localIp', `is not an adapter of ${server.title}. Choose ${known}, or Any.`)
}

function withoutAny(text: string): string {
  const trimmed = text.trim()
  return trimmed.toLowerCase() === 'any' ? '' : trimmed
}

function has({ adapters }: NewServer, ip: string): boolean {
  return adapters.some(({ adapterIp }) => adapterIp === ip)
}

/** An own address of the old server is none of the new one's: then it listens on the chosen adapter. */
export function movedConfig(
  config: InputConfig,
  server: NewServer,
  adapterIp: string,
): InputConfig {
  const isForeign = config.mode === 'Listen' && config.host !== '' && !has(server, config.host)
  return { ...config, adapterIp, host: isForeign ? adapterIp : config.host }
}

/** Outputs keep their settings: what names the old server's own addresses cannot go along. */
export function outputFault(server: NewServer, outputs: readonly MovedOutput[]): string | null {
  for (const { title, config } of outputs) {
    const own = [config.adapterIp, config.secondPath?.adapterIp ?? '']
    if (config.mode === 'Listen') own.push(config.host)
    const missing = own.find((ip) => ip !== '' && !has(server, ip))
    if (missing === undefined) continue
    return `Its output ${title} uses the address ${missing}, which ${server.title} does not have. Set that to Any in the output first.`
  }
  return null
}

/** A port and the address that it is on; '' for all of them. */
interface Listener {
  title: string
  port: number
  adapterIp: string
}

interface Listening {
  title: string
  config: InputConfig | OutputConfig
}

/** What listens for callers while it runs. */
export function listeners(input: MovedInput, outputs: readonly MovedOutput[]): Listener[] {
  const of = ({ title, config }: Listening, type: InputType) =>
    outerPorts(type, config).map(({ port }) => ({ title, port, adapterIp: config.adapterIp }))
  return [
    ...of(input, input.inputType),
    ...outputs.flatMap((output) => of(output, output.outputType)),
  ]
}

/** Two servers on one machine share its ports: a port is open twice on two addresses of it only. */
export function clashOnSameHost(
  old: readonly Listener[],
  moved: readonly Listener[],
): Listener | null {
  return (
    moved.find(({ port, adapterIp }) =>
      old.some(
        (item) =>
          item.port === port &&
          (item.adapterIp === '' || adapterIp === '' || item.adapterIp === adapterIp),
      ),
    ) ?? null
  )
}

interface Seen {
  input: { version: number; server: { _id: string }; wantedRunning: boolean }
  outputs: readonly (Pick<MovedOutput, 'id' | 'version'> & { wantedRunning: boolean })[]
}

/**
 * Nobody has changed the input or its outputs since they were looked at, nor started one, which was
 * not tried on the new server then. A stopped output is moved too, stopped.
 */
export function isUnchanged(then: Seen, now: Seen): boolean {
  const marks = (outputs: Seen['outputs']) =>
    outputs
      .map(({ id, version }) => `${id} ${version}`)
      .toSorted()
      .join()
  return (
    then.input.version === now.input.version &&
    then.input.server._id === now.input.server._id &&
    marks(then.outputs) === marks(now.outputs) &&
    !isAnyStarted(then, now)
  )
}

function isAnyStarted(then: Seen, now: Seen): boolean {
  const before = new Map(then.outputs.map(({ id, wantedRunning }) => [id, wantedRunning]))
  return (
    (now.input.wantedRunning && !then.input.wantedRunning) ||
    now.outputs.some(({ id, wantedRunning }) => wantedRunning && before.get(id) === false)
  )
}

export interface MoveFacts {
  input: Pick<MovedInput, 'inputType' | 'config'>
  oldTitle: string
  newTitle: string
  newHost: string
  wasRunning: boolean
  /** That still send to the old server. */
  feeders: number
  /** 'away': it does not answer; 'running': it has not ended its program. */
  old: 'done' | 'away' | 'running'
}

/** What an operator should know of an input that was moved. */
export function moveNotes(facts: MoveFacts): string[] {
  const { input, oldTitle, newTitle, newHost, feeders, old } = facts
  const { port, mode } = input.config
  const notes: string[] = []
  if (input.inputType === 'Local') {
    notes.push(
      `Its stream must be on the network of ${newTitle}: Trunkline does not carry it there.`,
    )
  } else if (mode === 'Listen' && facts.wasRunning) {
    notes.push(`Its callers must redial: it listens on ${newHost}, port ${port}.`)
  }
  if (feeders > 0) {
    const [who, them] =
      feeders === 1 ? ['1 feeder still sends', 'it'] : [`${feeders} feeders still send`, 'them']
    notes.push(`${who} to ${oldTitle}, port ${port}. Point ${them} at ${newTitle}.`)
  }
  if (old === 'away') {
    notes.push(`${oldTitle} does not answer: the program there is stopped when it is back.`)
  }
  if (old === 'running') {
    notes.push(
      `${oldTitle} has not stopped the old input yet, and is asked again. Check that server.`,
    )
  }
  return notes
}
