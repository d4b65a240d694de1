/**
 * Ids and names of a site in values that are made before there is a site: what makes the values is
 * made from every schema of the contract, which takes longer than opening a site.
 */
import fc from 'fast-check'

/** More than a site has texts; each stands for some of them. */
const STAND_INS = 1000
/** No character of it is written otherwise in JSON. */
const STAND_IN = /\{known (\d+)\}/g

export function knownTexts(): fc.Arbitrary<string> {
  return fc.nat({ max: STAND_INS - 1 }).map((at) => `{known ${at}}`)
}

/** The value with texts of the site in it; what JSON does not know is left out, as from a body. */
export function withKnownTexts(value: object, known: readonly string[]): Record<string, unknown> {
  const text = JSON.stringify(value).replaceAll(STAND_IN, (_, at: string) =>
    JSON.stringify(known[Number(at) % known.length] ?? '').slice(1, -1),
  )
  return JSON.parse(text) as Record<string, unknown>
}
