/** Saving what others may save at the same moment: nothing that they have saved is lost unseen (decisions.md 16). */
import { conflict, type AppError } from './errors.ts'

/** How often a save without a version is tried anew when others save at the same moment. */
const MOST_TRIES = 5

export interface VersionedSave<Read> {
  /** That the caller has read. Without it the save is taken as it comes: foreign clients know of none. */
  version: number | undefined
  /** As it is now. Throws when the caller may not see or change it. */
  read: () => Promise<Read>
  versionOf: (read: Read) => number
  /** Answers false when somebody has saved or removed it since it was read. */
  write: (read: Read) => Promise<boolean>
  /** The refusal, with what is there now and what differs from what is sent. */
  outdated: (current: Read) => AppError | Promise<AppError>
}

/**
 * Answers what was there before. Refused when somebody else has saved it since `version`; a save
 * without a version that others overtake is tried anew, from reading on.
 */
export async function saveVersioned<Read>(save: VersionedSave<Read>): Promise<Read> {
  const { version, read, versionOf, write, outdated } = save
  for (let tries = 1; ; tries++) {
    const before = await read()
    if (isOutdated(version, versionOf(before))) throw await outdated(before)
    if (await write(before)) return before
    if (tries === MOST_TRIES) throw await outdated(await read())
  }
}

export interface LookedSave<Saved> {
  /**
   * One transaction that reads, checks the version, decides and writes. `looked`: as `look` answered.
   * Null when `look` is needed first, or when somebody else has saved since it was read.
   */
  save: (looked: number | null) => Promise<Saved | null>
  /** What needs the network or other records; answers the version that it has looked at. */
  look: () => Promise<number>
  outdated: () => Promise<AppError>
}

/**
 * For saves that seldom need a look outside of their transaction: what is read is read once, in the
 * transaction. A save that others overtake is tried anew.
 */
export async function saveLooked<Saved>({ save, look, outdated }: LookedSave<Saved>) {
  let looked: number | null = null
  for (let tries = 1; ; tries++) {
    const saved = await save(looked)
    if (saved !== null) return saved
    if (tries > MOST_TRIES) throw await outdated()
    looked = await look()
  }
}

/** `version`: that the caller has read, undefined for none. */
export function isOutdated(version: number | undefined, current: number): boolean {
  return version !== undefined && version !== current
}

/** 409. `current`: the object as it is now; `changed`: its fields that differ from what is sent. */
export function outdated(noun: string, current: unknown, changed: readonly string[]): AppError {
  return conflict(unnamedSentence(noun), { current, changed, savedNoun: noun })
}

function unnamedSentence(noun: string): string {
  return `Somebody else has saved this ${noun} since you opened it. Check their changes, then save again.`
}

/** Where it is known who that was. `message`: with that sentence, alone or behind what it is about. */
export function withName(message: string, noun: string, who: string): string {
  const named = `${who} has saved this ${noun} since you opened it. Check their changes, then save again.`
  return message.replace(unnamedSentence(noun), () => named)
}
