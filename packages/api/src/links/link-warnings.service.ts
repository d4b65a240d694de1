/** What an operator should know of a link that was just saved: what its host, or its stream, makes of it. */
import type { AdvancedParameter } from '@trunkline/contract/contributions/link.schema'
import type { Context } from '../context.ts'
import { programIdOf } from '../programs/wanted-program.ts'

interface SavedLink {
  kind: 'input' | 'output'
  id: string
  config: { maxBandWidth: number }
  advanced: readonly AdvancedParameter[]
}

/** Sentences; none when all is well, or nothing is known of it. */
export function warningsOf(ctx: Context, link: SavedLink): string[] {
  const programId = programIdOf(link.kind, link.id)
  const wanted = ctx.programs.wanted(programId)
  const refusal = wanted === undefined ? '' : ctx.programs.refusalOf(wanted)
  const refusals = refusal === '' ? [] : [`The host does not take these settings: ${refusal}`]
  return [...refusals, ...capWarnings(link, ctx.board.program(programId)?.reading ?? null)]
}

type Reading = NonNullable<ReturnType<Context['board']['program']>>['reading']

/** M6: what is above the cap of an SRT link is dropped, not slowed down. */
function capWarnings({ config, advanced }: SavedLink, reading: Reading): string[] {
  if (reading?.kind !== 'link' || reading.protocol !== 'srt') return []
  const named = advanced.find(({ key }) => key === 'maxbw')
  // By the tool's own rule the parameter by name wins; -1 is no cap, 0 follows the input.
  const capBytes = named === undefined ? config.maxBandWidth : Number(named.value)
  const capKbps = (capBytes * 8) / 1000
  if (capBytes <= 0 || reading.bitrateKbps <= capKbps) return []
  const field = named === undefined ? 'maxBandWidth' : 'maxbw'
  return [
    `${field} ${capBytes} bytes/s caps this link at ${megabits(capKbps)} Mbit/s; it carries ${megabits(reading.bitrateKbps)} now. Set it above that, or to ${named === undefined ? '0' : '-1'} for no cap.`,
  ]
}

function megabits(kbps: number): string {
  return (kbps / 1000).toFixed(1)
}
