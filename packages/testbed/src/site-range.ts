/**
 * What a site of tests has of this machine for itself: a hundred ports, a network of multicast
 * groups for its inputs and one for its channel server. Held as long as the site lives.
 */
import { boundSockets, joinedGroups } from '@trunkline/agent/host/free-port'
import { holdName } from '@trunkline/agent/host/hold'
import type { PreferredPorts } from './site-plan.ts'

/** Above the ports that the kernel gives to whoever connects. */
const FIRST_PORT = 61_000
const PORTS = 100
const RANGES = 30
/** Neither drawn by an API nor by an agent. */
const FIRST_BUS = 210
const FIRST_CHANNEL_BUS = 16

export interface SiteRange extends AsyncDisposable {
  readonly number: number
  readonly firstPort: number
  readonly ports: PreferredPorts
  /** '239.210': for TRUNKLINE_BUS_NETWORK of the API. */
  readonly busNetwork: string
  /** For `busNetwork` of the agent. */
  readonly channelNetwork: string
}

/**
 * The first range that no living site holds and no program uses, as those do that a killed site left
 * behind. `known` takes that one and no other.
 */
export async function claimRange(known: number | null): Promise<SiteRange> {
  const numbers = known === null ? Array.from({ length: RANGES }, (_, at) => at) : [known]
  for (const number of numbers) {
    const hold = await holdName(`site-range-${number}`)
    if (hold === null) continue
    const range = { ...hold, ...rangeOf(number) }
    if (!isUsed(range)) return range
    await hold[Symbol.asyncDispose]()
  }
  const which = known === null ? 'All ranges of ports are' : `The range of ports ${known} is`
  throw new Error(`${which} in use by other sites on this machine. End one of them.`)
}

function rangeOf(number: number) {
  const firstPort = FIRST_PORT + PORTS * number
  return {
    number,
    firstPort,
    ports: {
      encoder: firstPort,
      acants: firstPort + 1,
      channel: firstPort + 2,
      encoderOutput: firstPort + 10,
      feederToInput: firstPort + 12,
      srtToChannel: firstPort + 14,
      ristToChannel: firstPort + 16,
    },
    busNetwork: `239.${FIRST_BUS + number}`,
    channelNetwork: `239.${FIRST_CHANNEL_BUS + number}`,
  }
}

function isUsed({ firstPort, busNetwork, channelNetwork }: ReturnType<typeof rangeOf>): boolean {
  const sockets = boundSockets()
  const groups = [...joinedGroups(), ...sockets.map(({ ip }) => ip)]
  return (
    sockets.some(({ port }) => port >= firstPort && port < firstPort + PORTS) ||
    groups.some((ip) => [busNetwork, channelNetwork].some((own) => ip.startsWith(`${own}.`)))
  )
}
