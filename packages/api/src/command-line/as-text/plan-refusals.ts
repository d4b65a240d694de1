/** The steps of a plan in an order in which they can be taken, and what the API would refuse all the same. */
import { keyName, keyText } from '@trunkline/contract/as-text/text-object.schema'
import { readList, type MakeCall, type Site } from '@trunkline/contract/as-text/site.client'
import type { Role } from '@trunkline/contract/roles'
import type { Step } from './apply-plan.ts'
import { ForeseenSite, type Refusal } from './foreseen-site.ts'
import { FILE_KINDS, type FileFault, type SiteFile } from './site-file.ts'
import { Unseen } from './unseen.ts'

export interface Foreseen {
  /** With faults in no order of their own. */
  steps: readonly Step[]
  faults: readonly FileFault[]
}

/** `steps`: each kind after those that it refers to. What the caller may not see is asked about once it is known what the steps take. */
export async function foresee(
  call: MakeCall,
  site: Site,
  file: SiteFile,
  { steps, role }: { steps: readonly Step[]; role: Role },
): Promise<Foreseen> {
  // They keep servers and groups in place, and are in no file.
  const isAsked = steps.some(
    ({ does, kind }) => does === 'remove' && (kind === 'server' || kind === 'group'),
  )
  const channels = isAsked ? await readList(call, 'channel', '') : []
  const unseen = new Unseen()
  const bySight = takeAll(new ForeseenSite(site, channels, role, unseen), file, steps)
  if (!(await unseen.ask(call, role))) return bySight
  return takeAll(new ForeseenSite(site, channels, role, unseen), file, steps)
}

function takeAll(foreseen: ForeseenSite, file: SiteFile, steps: readonly Step[]): Foreseen {
  const taken: Step[] = []
  const faults: FileFault[] = []
  for (const part of partsOf(steps)) {
    const { done, refused } = takePart(foreseen, part)
    taken.push(...done)
    const waiting = new Set(refused.map(([{ kind, key }]) => keyText(kind, key)))
    for (const [step, refusal] of refused) {
      faults.push(
        step.does === 'remove'
          ? removalFault(foreseen, file, step, refusal)
          : saveFault(file, step, refusal, waiting),
      )
    }
  }
  return { steps: taken, faults }
}

/** Whatever of a kind is saved, or removed, one after the other. */
function partsOf(steps: readonly Step[]): Step[][] {
  const parts: Step[][] = []
  for (const step of steps) {
    const last = parts.at(-1)
    const [first] = last ?? []
    const isSame = (first?.does === 'remove') === (step.does === 'remove')
    if (last !== undefined && first?.kind === step.kind && isSame) last.push(step)
    else parts.push([step])
  }
  return parts
}

/** What waits for a port that a later step of the same part gives up comes after that step. */
function takePart(
  foreseen: ForeseenSite,
  part: readonly Step[],
): { done: Step[]; refused: [Step, Refusal][] } {
  const isSwitch = ({ does }: Step) => does === 'enable' || does === 'disable'
  const done: Step[] = []
  let left = part.filter((step) => !isSwitch(step))
  let refused: [Step, Refusal][]
  do {
    refused = []
    for (const step of left) {
      const refusal = foreseen.take(step)
      if (refusal === null) done.push(step)
      else refused.push([step, refusal])
    }
    const isStuck = refused.length === left.length
    left = isStuck ? [] : refused.map(([step]) => step)
  } while (left.length > 0)
  return { done: [...done, ...part.filter(isSwitch)], refused }
}

const SWAP =
  'It is given up in this file too, by a change that waits for this one: apply it in two steps, by way of a free port.'

function saveFault(
  file: SiteFile,
  { entry }: Step,
  { field, sentence, holder }: Refusal,
  waiting: ReadonlySet<string>,
): FileFault {
  return {
    line: entry === null ? 1 : file.lineOf(entry, field),
    sentence: waiting.has(holder) ? `${sentence} ${SWAP}` : sentence,
  }
}

function removalFault(
  foreseen: ForeseenSite,
  file: SiteFile,
  { kind, key }: Step,
  { sentence }: Refusal,
): FileFault {
  const staying = foreseen
    .usersOf(kind, key)
    .filter((used) => !file.kinds.some((each) => each === used))
    .filter((used) => FILE_KINDS.some((each) => each === used))
  const lists = staying.map((used) => `${used}s`)
  const last = lists.pop() ?? ''
  const named = lists.length === 0 ? last : `${lists.join(', ')} and ${last}`
  const why = last === '' ? '' : ` This file does not list ${named}, so they stay.`
  return {
    line: file.lineOfList(kind),
    sentence: `${kind} ${keyName(key)} is not in this file, and cannot be removed: ${sentence}${why}`,
  }
}
