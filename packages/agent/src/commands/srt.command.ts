/** SRT links as srt-live-transmit commands (dataplane.md 3). */
import type { LocalLeg, SrtLeg } from '@trunkline/contract/agent/program.messages'
import {
  AdvancedParameters,
  type AdvancedParameter,
} from '@trunkline/contract/contributions/link.schema'
import type { HostFacts } from './host-facts.ts'
import { farEnd, nearEnd, outerAdapter } from './outer-leg.command.ts'
import { meetingPoint, srtReadUrl, srtWriteUrl } from './local-leg.command.ts'
import { options } from './option.command.ts'
import { CommandRefused } from './refused.ts'
import type { BuiltUnit } from './unit.ts'

/**
 * One statistics line per so many packets; the tool knows no time for it. At pal's 1.85 Mbit/s
 * that is a line every 1.1 s.
 */
export const STATISTICS_PACKETS = 200

/** The first level that tells who the peer is and what was negotiated: some lines a connection. */
const LOG_LEVEL = 'note'

/** Reads the local leg, sends over SRT. Names are left to the tool: it ends when one is unknown. */
export function srtSender(local: LocalLeg, outer: SrtLeg, facts: HostFacts): BuiltUnit {
  const from = srtReadUrl(meetingPoint(local, facts))
  return srtUnit(outer, [from, srtUrl(outer, facts)], 'send')
}

/** Receives over SRT, feeds the local leg. */
export function srtReceiver(local: LocalLeg, outer: SrtLeg, facts: HostFacts): BuiltUnit {
  const to = srtWriteUrl(meetingPoint(local, facts))
  return srtUnit(outer, [srtUrl(outer, facts), to], 'receive')
}

function srtUnit(
  outer: SrtLeg,
  urls: readonly [string, string],
  direction: 'send' | 'receive',
): BuiltUnit {
  const calls = outer.mode === 'call'
  return {
    unit: {
      argv: [
        'srt-live-transmit',
        // Left to itself a caller with a wrong passphrase tries a hundred times a second.
        ...(calls ? options({ a: 'no' }) : []),
        ...options({ s: STATISTICS_PACKETS, pf: 'json', ll: LOG_LEVEL }),
        ...urls,
      ],
      repeat: calls ? 'after-clean-exit' : 'never',
      output: 'srt',
      direction,
      secrets: outer.key ? [outer.key.passphrase] : [],
    },
    warnings: [],
  }
}

/**
 * The tool decodes no percent signs, lets a later parameter override an earlier one, and guesses a
 * mode when none is named: so every value is of a checked alphabet, each key stands once, and
 * `mode` is always there.
 */
function srtUrl(outer: SrtLeg, facts: HostFacts): string {
  const place = outer.mode === 'call' ? farEnd(outer) : nearEnd(outer, facts)
  const adapter = outerAdapter(outer, facts)
  const parameters = new Map<string, string>([
    ['mode', outer.mode === 'call' ? 'caller' : 'listener'],
    ['latency', `${outer.latencyMs}`],
  ])
  if (outer.maxBandwidthBytes > 0) parameters.set('maxbw', `${outer.maxBandwidthBytes}`)
  for (const { key, value } of checkedAdvanced(outer)) parameters.set(key, value)
  if (outer.key) {
    parameters.set('passphrase', outer.key.passphrase)
    parameters.set('pbkeylen', `${outer.key.bits / 8}`)
  }
  if (outer.mode === 'call' && adapter) parameters.set('adapter', adapter.ip)
  const query = [...parameters].map(([key, value]) => `${key}=${value}`).join('&')
  return `srt://${place}:${outer.port}?${query}`
}

/** Checked again at the last door before a command line, whoever built the leg. */
function checkedAdvanced(outer: SrtLeg): AdvancedParameter[] {
  const parsed = AdvancedParameters.safeParse(outer.advanced)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new CommandRefused(`Advanced parameters: ${issue?.message ?? 'not allowed.'}`)
}
