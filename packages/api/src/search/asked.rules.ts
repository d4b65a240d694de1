/** What somebody looks for, read from what they typed. */

export interface Asked {
  /** As typed, without what surrounds it. */
  text: string
  /** '5000' is a port, and a part of a text; null for no port. */
  port: number | null
  /** '192.0.2.1:5000': this address with this port; null for anything else. */
  place: { address: string; port: number } | null
}

const LAST_PORT = 65_535

export function readAsked(typed: string): Asked {
  const text = typed.trim()
  const [, address, digits = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const placed = address === undefined ? null : portOf(digits)
  return {
    text,
    port: portOf(text),
    place: address === undefined || placed === null ? null : { address, port: placed },
  }
}

function portOf(digits: string): number | null {
  if (!/^\d{1,5}$/.test(digits)) return null
  const port = Number(digits)
  return port >= 1 && port <= LAST_PORT ? port : null
}
