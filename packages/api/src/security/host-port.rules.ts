/** Which ports of hosts are dialled: agents and media servers, nothing else that listens there. */

export interface PortRange {
  first: number
  last: number
}

/**
 * Ports on which something else is known to listen: those that browsers do not open either (the
 * WHATWG’s list of bad ports, all but the first), file sharing, remote control, databases, caches
 * and clusters. What we send to a port holds texts that its owner did not choose.
 */
const OF_OTHERS: ReadonlySet<number> = new Set(
  `7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110
  111 113 115 117 119 123 135 137 139 143 161 179 389 427 445 465 512 513 514 515 526
  530 531 532 540 548 554 556 563 587 601 636 873 989 990 993 995 1433 1521 1719 1720
  1723 2049 2375 2376 2379 2380 3306 3389 3659 4045 4190 5060 5061 5432 5900 5984 5985
  5986 6000 6379 6443 6566 6665 6666 6667 6668 6669 6679 6697 9042 9092 9200 9300
  10080 10250 11211 27017`
    .split(/\s+/)
    .map(Number),
)

/** `allowed`: of the setting; null allows every port that is not known to be another service's. */
export function isPortAllowed(allowed: readonly PortRange[] | null, port: number): boolean {
  if (allowed === null) return !OF_OTHERS.has(port)
  return allowed.some(({ first, last }) => port >= first && port <= last)
}

/** '443, 8000-8999'; null for anything else. */
export function readPortRanges(text: string): PortRange[] | null {
  const ranges = text.split(',').map((part) => readRange(part.trim()))
  return ranges.every((range) => range !== null) ? ranges : null
}

function readRange(text: string): PortRange | null {
  const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? []
  const [first, last] = [Number(from), Number(to)]
  return first >= 1 && last <= 65_535 && first <= last ? { first, last } : null
}
