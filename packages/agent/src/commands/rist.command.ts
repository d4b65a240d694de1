/**
 * RIST links as ristsender and ristreceiver commands (dataplane.md 4). Names must be resolved
 * before (`withHosts` of program.command.ts): with an unknown one these tools never end and log two
 * hundred lines a second.
 */
import type { LocalLeg, RistLeg } from '@trunkline/contract/agent/program.messages'
import { isMulticast } from '@trunkline/contract/text.schema'
import type { HostFacts } from './host-facts.ts'
import { meetingPoint, ristUrl } from './local-leg.command.ts'
import { options } from './option.command.ts'
import { farEnd, nearEnd, outerAdapter } from './outer-leg.command.ts'
import { CommandRefused } from './refused.ts'
import type { BuiltUnit } from './unit.ts'

/** The tool counts 0 simple, 1 main. */
const PROFILE = { simple: 0, main: 1 } as const
/** Below 6 it prints neither statistics nor connection lines. */
const LOG_LEVEL = 6
/** librist's own upper bound for the round trip, which must not stand below the lower one. */
const RTT_MAX_MS = 500
/** The whole stream on this path, not a share of it. */
const COPY = 'weight=0'

/**
 * Reads the local leg, sends over RIST: on two paths when the leg has a second one. The far end
 * takes what comes first and drops the copy (tried: one listening port, or one for each path).
 */
export function ristSender(local: LocalLeg, outer: RistLeg, facts: HostFacts): BuiltUnit {
  const from = ristUrl(meetingPoint(local, facts))
  const { secondPath } = outer
  if (!secondPath) return ristUnit('ristsender', outer, [from, outerUrl(outer, facts)], facts)
  if (outer.mode === 'listen') {
    throw new CommandRefused(
      'A listening link cannot choose a second path: the far end chooses the paths that it calls on. Leave it out.',
    )
  }
  const second = { ...outer, ...secondPath }
  refuseSimple(second)
  const to = [outer, second].map((leg) => `${outerUrl(leg, facts)}&${COPY}`).join(',')
  const built = ristUnit('ristsender', outer, [from, to], facts)
  return { ...built, warnings: [...built.warnings, ...adapterWarnings(second, facts)] }
}

/** Receives over RIST, feeds the local leg. The tool sends multicast with a TTL of 32 of its own. */
export function ristReceiver(local: LocalLeg, outer: RistLeg, facts: HostFacts): BuiltUnit {
  if (outer.secondPath) {
    // Tried: a listening sender answers the second call of one receiver on the first path only.
    throw new CommandRefused(
      'Only a sending RIST link can choose a second path: a receiver takes every path that its sender uses. Leave it out.',
    )
  }
  const to = ristUrl(meetingPoint(local, facts))
  return ristUnit('ristreceiver', outer, [outerUrl(outer, facts), to], facts)
}

function ristUnit(
  tool: 'ristsender' | 'ristreceiver',
  outer: RistLeg,
  [from, to]: readonly [string, string],
  facts: HostFacts,
): BuiltUnit {
  refuseSimple(outer)
  return {
    unit: {
      argv: [
        tool,
        ...options({ p: PROFILE[outer.profile], v: LOG_LEVEL, S: outer.statIntervalMs }),
        ...options({ i: from, o: to }),
      ],
      repeat: 'never',
      output: 'rist',
      direction: tool === 'ristsender' ? 'send' : 'receive',
      secrets: outer.key ? [outer.key.passphrase] : [],
    },
    warnings: adapterWarnings(outer, facts),
  }
}

function refuseSimple(outer: RistLeg): void {
  if (outer.profile !== 'simple') return
  if (outer.port % 2 === 1) {
    throw new CommandRefused(
      `RIST Simple takes even ports only, because it also uses the next port. Change port ${outer.port}.`,
    )
  }
  if (outer.key) {
    throw new CommandRefused(
      'RIST Simple has no encryption. Choose the Main profile, or no encryption.',
    )
  }
}

/** '@' listens, on either tool. An unknown parameter ends the tool with exit code 1. */
function outerUrl(outer: RistLeg, facts: HostFacts): string {
  const adapter = outerAdapter(outer, facts)
  const place = outer.mode === 'call' ? farEnd(outer) : `@${nearEnd(outer, facts)}`
  const parameters = [`buffer=${outer.bufferMs}`]
  if (outer.bandwidthKbps > 0) parameters.push(`bandwidth=${outer.bandwidthKbps}`)
  if (outer.reorderBufferMs !== null) parameters.push(`reorder-buffer=${outer.reorderBufferMs}`)
  if (outer.rttMinMs !== null) {
    const rttMaxMs = Math.max(RTT_MAX_MS, outer.rttMinMs)
    parameters.push(`rtt-min=${outer.rttMinMs}`, `rtt-max=${rttMaxMs}`)
  }
  if (outer.key) {
    parameters.push(`secret=${outer.key.passphrase}`, `aes-type=${outer.key.bits}`)
  }
  if (adapter && isMulticast(outer.host)) parameters.push(`miface=${adapter.name}`)
  return `rist://${place}:${outer.port}?${parameters.join('&')}`
}

function adapterWarnings(outer: RistLeg, facts: HostFacts): string[] {
  const adapter = outerAdapter(outer, facts)
  if (outer.mode === 'listen' || !adapter || isMulticast(outer.host)) return []
  return [
    `A calling RIST link cannot be bound to an adapter; the route to ${outer.host} decides, not ${adapter.ip} (${adapter.name}).`,
  ]
}
