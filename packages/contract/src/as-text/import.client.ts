/** Carries a plan out, object by object. */
import { saveObject } from './object.client.ts'
import type { MakeCall, Site } from './site.client.ts'
import { draftNow, type PlannedEntry } from './site-plan.rules.ts'
import { keyName } from './text-object.schema.ts'

export interface Carried {
  planned: PlannedEntry
  /** null where it was done; else what the call threw, or why it could not be made. */
  error: unknown
}

/**
 * Saves what a plan adds or changes. Each object is saved as a whole or not at all; what is refused does
 * not hold up the rest. What is added is known by its title to what comes after it.
 */
export async function carryOut(
  call: MakeCall,
  site: Pick<Site, 'names'>,
  planned: PlannedEntry,
  versions: Map<string, number>,
): Promise<Carried> {
  const { kind } = planned.entry
  const { draft, changes, faults } = draftNow(planned, site.names)
  if (draft === null) {
    const [fault] = faults
    const sentence = fault?.sentence ?? `${keyName(planned.key)} is as it should be already.`
    return { planned, error: new Error(sentence) }
  }
  // A feeder is part of its encoder's record: saving it makes another version of that.
  const owner = kind === 'feeder' ? String(draft['encoderId']) : (planned.stored?.id ?? '')
  const { stored } = planned
  try {
    const version = versions.get(owner) ?? null
    const saved = await saveObject(call, { kind, draft, changes, stored, version })
    versions.set(kind === 'feeder' ? owner : saved.id, saved.version)
    if (stored === null) site.names.add(kind, planned.key, saved.id)
    return { planned, error: null }
  } catch (error) {
    return { planned, error }
  }
}
