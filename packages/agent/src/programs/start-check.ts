/** What must hold before a program is started: ports are free, names known, its source is there. */
import { lookup } from 'node:dns/promises'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { hostsToResolve, withHosts } from '../commands/program.command.ts'
import { CommandRefused } from '../commands/refused.ts'
import { holderOf } from '../host/free-port.ts'
import type { SourceLook } from '../host/source-look.ts'
import { programNameOf } from '../supervisor/process-identity.ts'
import type { Wanted } from './program.ts'

/**
 * An operator's sentence about the first port that something else than the program itself has; ''
 * when it may start.
 */
export function portTaken(programId: string, ports: readonly number[]): string {
  for (const port of ports) {
    const holder = holderOf({ ip: '', port })
    if (holder === null) continue
    const program = holder === 'unknown' ? '' : programNameOf(holder.pid)
    if (program !== programId) {
      return `UDP port ${port} of this host is already used by ${nameOf(holder, program)}. Choose another port, or end that process first.`
    }
  }
  return ''
}

function nameOf(holder: { pid: number; command: string } | 'unknown', program: string): string {
  if (holder === 'unknown') return 'a process of another user'
  return `${holder.command}${program === '' ? '' : ` of program ${program}`} (process ${holder.pid})`
}

/** Throws CommandRefused when nothing can be encoded from the source of an encoder. */
export async function refuseUnusableSource(
  spec: ProgramSpec | null,
  sources: SourceLook,
): Promise<void> {
  if (spec?.kind !== 'encoder') return
  const sentence = await sources.faultOf(spec.config['card-idx'])
  if (sentence !== '') throw new CommandRefused(sentence)
}

/**
 * The specification with addresses for the names that its tool cannot look up itself. A name that
 * is unknown today stands in the way of a start, not of keeping a stopped program.
 */
export async function resolveNames(spec: ProgramSpec, wanted: Wanted): Promise<ProgramSpec> {
  const names = hostsToResolve(spec)
  if (names.length === 0) return spec
  const found = await Promise.all(names.map(async (name) => addressOf(name, wanted)))
  const known = found.flatMap((ip, index) => (ip === '' ? [] : [[names[index] ?? '', ip] as const]))
  return withHosts(spec, new Map(known))
}

async function addressOf(name: string, wanted: Wanted): Promise<string> {
  try {
    return (await lookup(name, { family: 4 })).address
  } catch {
    if (wanted === 'stopped') return ''
    throw new CommandRefused(
      `This host cannot find the address of '${name}'. Check the name, or the host's name service.`,
    )
  }
}
