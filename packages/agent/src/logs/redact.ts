/** Cuts secrets out of a line before it leaves the host. Pure. */

const MASK = '••••••'
/**
 * srt-live-transmit prints its whole URI at every start (dataplane.md 3.2). A passphrase holds
 * none of the characters that end it here (contract: Passphrase).
 */
const IN_URI = /\b(passphrase|secret)=[^&'"\s,]*/gi

/** `secrets`: values known to be secret, wherever they stand. */
export function redact(line: string, secrets: readonly string[]): string {
  const longestFirst = secrets.filter((value) => value !== '').toSorted(byLength)
  const cut = longestFirst.reduce((text, value) => text.replaceAll(value, MASK), line)
  return cut.replace(IN_URI, `$1=${MASK}`)
}

/** A secret may begin another one: the longer goes first, or its rest would show. */
function byLength(a: string, b: string): number {
  return b.length - a.length
}
