/** The input that receives a feeder: it listens at the port that the feeder calls. */
import type { Feeder } from '../encoders/encoder-config.schema.ts'
import { addressesOf, hostKeyOf, type Server } from '../servers/server.schema.ts'
import type { Input, InputType } from './input.schema.ts'

/** A feeder calls in SRT, and any SRT input takes its call. */
const TOOL_OF = { SRT: 'SRT', aCANFeeder: 'SRT', RIST: 'RIST', Local: 'none' } as const

type Target = Pick<Feeder, 'input' | 'output'>

/**
 * All of it but its place and its local bus. The passphrase is not here: the API copies it, and no
 * browser is shown it (decisions.md 17).
 */
export function inputOfFeeder({ input, output: [target] }: Target) {
  if (target === undefined) throw new Error(`Feeder ${input.title} has no target.`)
  return {
    title: input.title,
    inputType: 'aCANFeeder' as const,
    config: { mode: 'Listen' as const, port: target.port, latency: target.latency },
    encryption: {
      selection: target.passphraseSet === true ? ('yes' as const) : ('no' as const),
      type: target.pbkeylen,
      passphrase: '',
    },
  }
}

/** The host that the feeder calls, as `addressesOf` has it; '' when it has no target. */
export function addressOfFeeder({ output }: Pick<Feeder, 'output'>): string {
  return hostKeyOf(output[0]?.addr.split(':')[0] ?? '')
}

/**
 * The server whose address the feeder calls: its own server before others. null when that is an
 * address of none of them.
 */
export function serverOfFeeder<T extends Pick<Server, '_id' | 'host' | 'adapterIps'>>(
  { serverId, output }: Pick<Feeder, 'serverId' | 'output'>,
  servers: readonly T[],
): T | null {
  const address = addressOfFeeder({ output })
  const reached = servers.filter((server) => addressesOf(server).includes(address))
  return reached.find(({ _id }) => _id === serverId) ?? reached[0] ?? null
}

/**
 * Of the inputs of a server, the input that listens on the port that the feeder calls; null for
 * none.
 */
export function findInputOfFeeder<T extends Pick<Input, 'inputType' | 'config'>>(
  { output }: Pick<Feeder, 'output'>,
  inputs: readonly T[],
): T | null {
  return findListener(inputs, 'SRT', output[0]?.port)
}

/**
 * Of the inputs of a server, the input that takes calls of this kind on the port; null for none.
 */
export function findListener<T extends Pick<Input, 'inputType' | 'config'>>(
  inputs: readonly T[],
  type: InputType,
  port: number | undefined,
): T | null {
  const found = inputs.find(
    ({ inputType, config }) =>
      TOOL_OF[inputType] === TOOL_OF[type] &&
      config.mode === 'Listen' &&
      Number(config.port) === port,
  )
  return found ?? null
}
