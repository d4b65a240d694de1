/** How a request says that its caller knows what is on air: two headers, so that every call has them alike. */
import type { Action } from '../role-table.ts'
import type { OnAirKind, OnAirRefusal } from './on-air.schema.ts'

/**
 * The titles of the objects that a refusal has listed, each in percent-encoding, with a comma between
 * them.
 */
export const ON_AIR_TITLES_HEADER = 'x-trunkline-on-air'
/** 'yes' from an admin goes on without a title. From anybody else it is passed over. */
export const ON_AIR_OVERRIDE_HEADER = 'x-trunkline-on-air-override'

export function titlesHeader(titles: readonly string[]): string {
  return titles.map(encodeURIComponent).join(',')
}

/** Null for what is not percent-encoded text. */
export function titlesInHeader(header: string): string[] | null {
  try {
    return header
      .split(',')
      .map((text) => decodeURIComponent(text.trim()))
      .filter((title) => title !== '')
  } catch {
    return null
  }
}

/** What has to be typed; null where only an admin may go on. */
export function titleToType({ effects, hidden }: OnAirRefusal): string | null {
  return hidden > 0 ? null : (effects[0]?.title ?? null)
}

/** Who may command a kind may put it on air. */
export const ON_AIR_RIGHTS: Readonly<Record<OnAirKind, Action>> = {
  encoder: 'controlEncoder',
  feeder: 'controlFeeder',
  input: 'controlInputs',
  output: 'editOutputs',
  channel: 'switchChannel',
}

/** How people compare titles: without spaces around them. */
export function isTitle(typed: string, title: string): boolean {
  return typed.trim() === title.trim()
}
