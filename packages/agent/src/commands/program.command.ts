/** From a program's typed specification to the unit that runs it. Pure: nothing is looked up here. */
import type { LocalLeg, ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { Ipv4, isMulticast } from '@trunkline/contract/text.schema'
import { encoderUnit } from './encoder.command.ts'
import type { HostFacts } from './host-facts.ts'
import { meetingPoint } from './local-leg.command.ts'
import { ristReceiver, ristSender } from './rist.command.ts'
import { srtReceiver, srtSender } from './srt.command.ts'
import type { BuiltUnit } from './unit.ts'

/**
 * Throws `CommandRefused` with an operator's sentence for what cannot be built. A specification
 * that `hostsToResolve` finds names in must pass `withHosts` first.
 */
export function unitOf(spec: ProgramSpec, facts: HostFacts): BuiltUnit {
  switch (spec.kind) {
    case 'encoder':
      return encoderUnit(spec, facts)
    case 'sender':
      return spec.outer.protocol === 'srt'
        ? srtSender(spec.local, spec.outer, facts)
        : ristSender(spec.local, spec.outer, facts)
    case 'receiver':
      return spec.outer.protocol === 'srt'
        ? srtReceiver(spec.local, spec.outer, facts)
        : ristReceiver(spec.local, spec.outer, facts)
    default:
      return spec satisfies never
  }
}

/**
 * The names that must be looked up before every start, each once; none for most programs. SRT looks
 * up by itself and ends when it cannot; RIST with an unknown name never ends and floods its log.
 */
export function hostsToResolve(spec: ProgramSpec): string[] {
  if (spec.kind === 'encoder' || spec.outer.protocol === 'srt' || spec.outer.mode === 'listen') {
    return []
  }
  const hosts = [spec.outer.host, spec.outer.secondPath?.host ?? '']
  return [...new Set(hosts)].filter((host) => host !== '' && !Ipv4.safeParse(host).success)
}

/** The same specification with addresses in place of the names that `ips` knows. */
export function withHosts(spec: ProgramSpec, ips: ReadonlyMap<string, string>): ProgramSpec {
  if (spec.kind === 'encoder' || spec.outer.protocol === 'srt') return spec
  const { outer } = spec
  const host = ips.get(outer.host) ?? outer.host
  if (!outer.secondPath) return { ...spec, outer: { ...outer, host } }
  const second = outer.secondPath
  const secondPath = { ...second, host: ips.get(second.host) ?? second.host }
  return { ...spec, outer: { ...outer, host, secondPath } }
}

/**
 * UDP ports that the program takes for itself when it runs: a start on a taken one must be refused,
 * since the tools would share it silently (dataplane.md 0.1 rule 9).
 */
export function boundPorts(spec: ProgramSpec, facts: HostFacts): number[] {
  if (spec.kind === 'encoder') return []
  const outer = spec.outer.mode === 'listen' ? outerPorts(spec.outer) : []
  return spec.kind === 'sender' ? [...outer, ...readPorts(spec.local, facts)] : outer
}

/** RIST Simple answers on the next port. */
function outerPorts(outer: { protocol: string; port: number; profile?: string }): number[] {
  const simple = outer.protocol === 'rist' && outer.profile === 'simple'
  return simple ? [outer.port, outer.port + 1] : [outer.port]
}

/** A group has as many readers as it likes, an address has one. */
function readPorts(local: LocalLeg, facts: HostFacts): number[] {
  const { ip, port } = meetingPoint(local, facts)
  return isMulticast(ip) ? [] : [port]
}
