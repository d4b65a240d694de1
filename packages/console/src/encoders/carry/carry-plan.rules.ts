/** The plan in words, from the same parts that the API creates out of the draft. */
import { CarryDraft } from '@trunkline/contract/contributions/carry.schema'
import type { OutputConfig } from '@trunkline/contract/contributions/output.schema'
import { parseTarget, type Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import { keyChoiceOf, keyChoiceText } from '../../shared/link-settings/encryption.rules.ts'
import { targetOf } from '../feeders/feeder.rules.ts'
import {
  bodyOf,
  type CarryKnown,
  type CarryValues,
  knownFeeder,
  partsOf,
  feederUseOf,
} from './carry-form.rules.ts'
import * as text from './carry.messages.ts'

export interface PlannedPart {
  /** 'Feeder', 'Input' or 'Output' */
  part: string
  verb: string
  /** From where to where. */
  route: string
  /** Protocol, encryption, latency. */
  detail: string
}

export interface CarryPlan {
  parts: readonly PlannedPart[]
  notes: readonly string[]
}

interface PlanContext {
  serverTitle: string
  /** The encoder's program is up. */
  isRunning: boolean
}

const CREATED = 'will be created'
const FEEDER_VERBS = { new: CREATED, replace: 'will be replaced', keep: 'used as it is' } as const

/** Null while a field is missing or wrong. */
export function planOf(
  values: CarryValues,
  known: CarryKnown,
  context: PlanContext,
): CarryPlan | null {
  const { data: draft } = CarryDraft.safeParse(bodyOf(values, known))
  if (draft === undefined) return null
  const { feeder, input, output } = partsOf(draft, values, known)
  const before = knownFeeder(values, known)
  const sender = feeder ?? before
  if (sender === null) return null
  const { serverTitle } = context
  const inputKey = keyText(input.encryption)
  const host = `${known.encoder.title} (${known.encoder.ip})`
  return {
    parts: [
      {
        part: 'Feeder',
        verb: FEEDER_VERBS[feederUseOf(values)],
        route: `${host} → ${serverTitle}, ${targetOf(sender)}`,
        detail: `SRT, ${inputKey}, ${sender.output[0]?.latency} ms, reads udp ${sender.input.addr}`,
      },
      {
        part: 'Input',
        verb: CREATED,
        route: `${serverTitle} listens on port ${input.config.port}`,
        detail: `SRT (aCANFeeder), ${inputKey}, ${input.config.latency} ms`,
      },
      {
        part: 'Output',
        verb: CREATED,
        route: outputRoute(output.config, values, known, serverTitle),
        detail: `${output.inputType}, ${keyText(output.encryption)}, ${output.config.latency} ms`,
      },
    ],
    notes: notesOf(values, known, sender, context),
  }
}

function keyText({ selection, type }: { selection: string; type: number }): string {
  const choice = keyChoiceOf(selection, String(type))
  return choice === 'no' ? 'no encryption' : keyChoiceText(choice)
}

function outputRoute(
  { mode, host, port }: OutputConfig,
  { source }: CarryValues,
  { destination }: CarryKnown,
  serverTitle: string,
): string {
  if (mode === 'Listen') return `the input → ${serverTitle} listens on port ${port}`
  const isSelected = source === 'select' && destination !== null
  const far = isSelected ? `${destination.title}, ${destination.ip}` : host
  return `the input → ${far}:${port}`
}

function notesOf(
  values: CarryValues,
  known: CarryKnown,
  sender: Pick<Feeder, 'input'>,
  { isRunning }: PlanContext,
): string[] {
  const before = knownFeeder(values, known)
  const use = feederUseOf(values)
  const others = use === 'new' ? known.config.feeder : []
  const { port } = sender.input
  const isFed =
    use === 'keep' ||
    known.config.feeder.some(({ input }) => input.port === port) ||
    known.config.output.some(({ target }) => parseTarget(target)?.port === port)
  return [
    ...others.map((other) => text.otherFeeder(other.input.title, targetOf(other))),
    ...(use === 'replace' && before !== null
      ? [text.isReplaced(before.input.title, targetOf(before))]
      : []),
    ...(isRunning && !isFed ? [text.notFedYet(port)] : []),
    text.NOTHING_STARTS,
  ]
}
