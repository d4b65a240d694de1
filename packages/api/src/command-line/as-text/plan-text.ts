/** A plan as it is printed. */
import { type FieldChange, keyName } from '@trunkline/contract/as-text/text-object.schema'
import type { Plan, Step } from './apply-plan.ts'
import type { FileFault } from './site-file.ts'

const SIGNS: Readonly<Record<Step['does'], string>> = {
  add: '+ add',
  change: '~ change',
  enable: '~ enable',
  disable: '~ disable',
  remove: '- remove',
}

export function planText({ steps, unchanged }: Plan): string {
  const count = (does: readonly Step['does'][]) =>
    steps.filter((step) => does.includes(step.does)).length
  const [add, change, remove] = [
    count(['add']),
    count(['change', 'enable', 'disable']),
    count(['remove']),
  ]
  const sum = `${add} to add, ${change} to change, ${remove} to remove, ${unchanged} as they are.\n`
  if (steps.length === 0) return `Nothing to do: ${unchanged} as they are.\n`
  return `${steps.map(stepText).join('')}\n${sum}`
}

export function stepName({ does, kind, key }: Step): string {
  return `${SIGNS[does]} ${kind} ${keyName(key)}`
}

function stepText(step: Step): string {
  const place = step.entry === null ? '' : ` (line ${step.entry.line})`
  const lines = [
    `${stepName(step)}${place}`,
    ...(step.does === 'change' ? step.changes.map(changeLine) : []),
    ...effectLines(step),
    ...onAirLines(step),
  ]
  return `${lines.join('\n    ')}\n`
}

function changeLine({ field, from, to, isSecret }: FieldChange): string {
  return isSecret ? `${field}: (changed)` : `${field}: ${valueText(from)} -> ${valueText(to)}`
}

function valueText(value: unknown): string {
  return value === undefined || value === '' || value === null ? '(empty)' : JSON.stringify(value)
}

/** Names, notes and places: the stream has nothing of them. */
const NOT_IN_STREAM = /^(title|description|location|physicalAddress|contactNumber|email|users)$/
/** Kinds that have a program of their own. */
const RUNS = new Set(['encoder', 'feeder', 'input', 'output'])

/** Saving restarts nothing: what runs keeps its settings until somebody restarts it. */
function effectLines({ does, kind, changes, stored }: Step): string[] {
  if (stored === null || !RUNS.has(kind)) return []
  if (does === 'remove' || does === 'disable') return ['stops its stream if it is running']
  if (does !== 'change') return []
  const fields = changes.map(({ field }) => field).filter((field) => !NOT_IN_STREAM.test(field))
  if (fields.length === 0) return []
  if (kind === 'encoder' && fields.some((field) => field === 'ip' || field === 'port')) {
    return ['stops its stream on the present host if it is running']
  }
  const becomesLocal = changes.some(({ field, to }) => field === 'inputType' && to === 'Local')
  if (becomesLocal) return ['stops its stream if it is running']
  return ['restarts nothing: a running stream takes this up when it is restarted']
}

function onAirLines({ onAir }: Step): string[] {
  if (onAir === null) return []
  const titles = onAir.effects.map(
    ({ title, kind, effect }) =>
      `ON AIR: ${kind} '${title}' ${effect === 'dark' ? 'loses its stream' : 'is cut off'}`,
  )
  const more = onAir.more > 0 ? [`ON AIR: ${onAir.more} more`] : []
  const hidden = onAir.hidden > 0 ? [`ON AIR: ${onAir.hidden} that this token may not see`] : []
  return [...titles, ...more, ...hidden]
}

export function faultText(fileName: string, faults: readonly FileFault[]): string {
  const lines = [...faults].toSorted((a, b) => a.line - b.line)
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  return `${lines.map(({ line, sentence }) => `${fileName}:${line}: ${sentence}\n`).join('')}${count}. Nothing was changed.\n`
}
