/** What applying a file would do, asked of the API before anything is done. */
import {
  enableCall,
  type PreparedCall,
  removeCall,
  saveCall,
} from '@trunkline/contract/as-text/object.client'
import type { MakeCall, Site } from '@trunkline/contract/as-text/site.client'
import {
  draftNow,
  type PlannedEntry,
  SitePlanner,
} from '@trunkline/contract/as-text/site-plan.rules'
import { KIND_TEXTS } from '@trunkline/contract/as-text/text-kinds.rules'
import {
  type FieldChange,
  KEPT,
  keyText,
  type StoredObject,
  TEXT_KINDS,
  type TextKey,
  type TextKind,
  type Tree,
} from '@trunkline/contract/as-text/text-object.schema'
import { isTree, textAt, withValue } from '@trunkline/contract/as-text/tree.rules'
import { askOnAir } from '@trunkline/contract/on-air/on-air.calls'
import type { OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import type { Role } from '@trunkline/contract/roles'
import { foresee } from './plan-refusals.ts'
import { FILE_KINDS, type FileEntry, type FileFault, type SiteFile } from './site-file.ts'

/** A thing done to an object, by itself: all of it or nothing. */
export interface Step {
  does: 'add' | 'change' | 'enable' | 'disable' | 'remove'
  kind: TextKind
  key: TextKey
  /** In the file; null for what is removed. */
  entry: FileEntry | null
  changes: readonly FieldChange[]
  /** Of an addition or a change. */
  planned: PlannedEntry | null
  /** null for a new object. */
  stored: StoredObject | null
  /** What is on air and would be interrupted; null: nothing. */
  onAir: OnAirRefusal | null
}

export interface Plan {
  steps: readonly Step[]
  /** Objects of the file that are as they should be. */
  unchanged: number
  faults: readonly FileFault[]
}

export interface PlanOptions {
  /** Remove what the file does not have, of the kinds that it lists. */
  prunes: boolean
  /** Also give those objects the secrets of the file that have one already. */
  replacesSecrets: boolean
}

export async function planFor(
  call: MakeCall,
  site: Site,
  file: SiteFile,
  { role, ...options }: PlanOptions & { role: Role },
): Promise<Plan> {
  if (file.faults.length > 0) return { steps: [], unchanged: 0, faults: file.faults }
  const entries = options.replacesSecrets ? file.entries : withStoredSecrets(site, file.entries)
  const removed = options.prunes ? removedBy(site, file) : []
  const planner = new SitePlanner(siteWithout(site, removed), entries, role)
  const planned = entries.map((entry) => ({ entry, row: planner.plan(entry) }))
  const faults = planned.flatMap(({ entry, row }) =>
    row.faults.map(({ field, sentence }) => ({
      line: file.lineOf(entry, field),
      sentence,
    })),
  )
  if (faults.length > 0) return { steps: [], unchanged: 0, faults }
  const steps = inOrder([
    ...planned.flatMap(({ entry, row }) => stepsOf(entry, row)),
    ...removed.map((stored): Step => ({ ...NOTHING, does: 'remove', ...stored, stored })),
  ])
  const foreseen = await foresee(call, site, file, { steps, role })
  if (foreseen.faults.length > 0) return { steps: [], unchanged: 0, faults: foreseen.faults }
  await markInterruptions(call, site, foreseen.steps)
  const touched = new Set(steps.map(({ kind, key }) => keyText(kind, key)))
  const unchanged = planned.filter(
    ({ row }) => !touched.has(keyText(row.entry.kind, row.key)),
  ).length
  return { steps: foreseen.steps, unchanged, faults: [] }
}

/** What is removed lends no key to what is added. */
function siteWithout({ names, objects }: Site, removed: readonly StoredObject[]): Site {
  const ids = new Set(removed.map(({ id }) => id))
  const staying = Object.fromEntries(
    TEXT_KINDS.map((kind) => [kind, objects[kind].filter(({ id }) => !ids.has(id))]),
  ) as unknown as Site['objects']
  return { names, objects: staying }
}

/** What has a secret keeps it, so that the same file plans nothing the second time. */
function withStoredSecrets(site: Site, entries: readonly FileEntry[]): FileEntry[] {
  const withSecret = new Set(
    FILE_KINDS.flatMap((kind) =>
      site.objects[kind].filter(hasSecret).map(({ key }) => keyText(kind, key)),
    ),
  )
  return entries.map((entry) => {
    const { secret, keyOf } = KIND_TEXTS[entry.kind]
    const isTyped = secret !== null && textAt(entry.text, secret) !== undefined
    if (!isTyped || !withSecret.has(keyText(entry.kind, keyOf(entry.text)))) return entry
    return { ...entry, text: withValue(entry.text, secret, KEPT) }
  })
}

function hasSecret({ kind, text }: StoredObject): boolean {
  const { secret } = KIND_TEXTS[kind]
  return secret !== null && textAt(text, secret) === KEPT
}

const NOTHING = { entry: null, changes: [], planned: null, stored: null, onAir: null } as const

function stepsOf(entry: FileEntry, row: PlannedEntry): Step[] {
  const { key, will, stored, changes } = row
  const { isEnabled } = entry
  const step = { ...NOTHING, kind: entry.kind, key, entry, stored }
  const steps: Step[] = []
  if (will === 'add' || will === 'change') {
    steps.push({ ...step, does: will, changes, planned: row })
  }
  // What is new is enabled.
  if (isEnabled !== null && isEnabled !== (stored?.isEnabled ?? true)) {
    steps.push({ ...step, does: isEnabled ? 'enable' : 'disable' })
  }
  return steps
}

function removedBy(site: Site, file: SiteFile): StoredObject[] {
  const named = new Set(
    file.entries.map(({ kind, text }) => keyText(kind, KIND_TEXTS[kind].keyOf(text))),
  )
  return file.kinds.flatMap((kind) =>
    site.objects[kind].filter(({ key }) => !named.has(keyText(kind, key))),
  )
}

/**
 * What nothing refers to is removed first, so that its ports and titles are free; what others refer to
 * is removed last. Between them each kind comes after those that it refers to.
 */
function inOrder(steps: readonly Step[]): Step[] {
  const removed = new Set(
    steps.flatMap(({ does, stored }) => (does === 'remove' && stored !== null ? [stored.id] : [])),
  )
  const place = ({ does, kind, stored }: Step) => {
    const rank = FILE_KINDS.findIndex((each) => each === kind)
    if (does !== 'remove') return 100 + rank
    return (stored !== null && isFree(stored, removed) ? 0 : 200) + FILE_KINDS.length - rank
  }
  return steps.toSorted((a, b) => place(a) - place(b))
}

function isFree({ kind, wire }: StoredObject, removed: ReadonlySet<string>): boolean {
  if (kind === 'output' || kind === 'feeder') return true
  if (kind === 'input') return idsIn(wire['outputIds']).every((id) => removed.has(id))
  return kind === 'encoder' && feedersOf(wire).every((name) => removed.has(name))
}

function feedersOf({ config }: Tree): string[] {
  const feeders = isTree(config) ? config['feeder'] : []
  return Array.isArray(feeders) ? feeders.filter(isTree).map(({ name }) => String(name)) : []
}

function idsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}

/** The call that a step makes; null where what it refers to is not there yet, so it interrupts nothing. */
export function callOf(site: Pick<Site, 'names'>, step: Step): PreparedCall | null {
  const { does, stored, planned, kind } = step
  if (stored === null) return null
  if (does === 'remove') return removeCall(stored)
  if (does !== 'change') return enableCall(stored, does === 'enable')
  if (planned === null) return null
  const { draft, changes } = draftNow(planned, site.names)
  return draft === null ? null : saveCall({ kind, draft, changes, stored, version: null })
}

/** Asked together; a part that interrupts something is asked about step by step, to say which. */
async function markInterruptions(
  call: MakeCall,
  site: Site,
  steps: readonly Step[],
): Promise<void> {
  const asked = steps.flatMap((step) => {
    const prepared = callOf(site, step)
    return prepared === null ? [] : [{ step, prepared }]
  })
  for (let at = 0; at < asked.length; at += ASKED_AT_ONCE) {
    const part = asked.slice(at, at + ASKED_AT_ONCE)
    const all = await interruptedBy(
      call,
      part.map(({ prepared }) => prepared),
    )
    if (all === null) continue
    for (const { step, prepared } of part) step.onAir = await interruptedBy(call, [prepared])
  }
}

/** Their bodies together stay below the limit of the call. */
const ASKED_AT_ONCE = 50

async function interruptedBy(
  call: MakeCall,
  prepared: readonly PreparedCall[],
): Promise<OnAirRefusal | null> {
  const [first, ...others] = prepared.map(({ route, params, body }) => ({
    call: route.name,
    params,
    body,
  }))
  const { data } = await call(askOnAir, { body: { ...first, others } })
  return data
}
