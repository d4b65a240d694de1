/**
 * Ports that nothing on this machine uses: the preferred one when it is free, else another. Each is
 * held by name, so that no other process is given it before a program has opened it.
 */
import { holdName } from '@trunkline/agent/host/hold'
import { claimPort, type ClaimedPort } from '@trunkline/agent/host/port-claim'

/** Above those that the kernel gives to whoever connects, and above the ranges of sites. */
const FIRST_SINGLE = 64_000
const SINGLES = 1500
/** How many ports are tried from the preferred one on. */
const NEAR = 10

/** TCP, on loopback. 0 prefers none. Held as long as this process lives. */
export async function freeTcpPort(preferred: number): Promise<number> {
  return (await claimTcpPort(preferred)).port
}

/**
 * UDP, on all addresses: the links of a host listen on all of them. `taken` are ports given out
 * already. Held as long as this process lives.
 */
export async function freeUdpPort(preferred: number, taken: ReadonlySet<number>): Promise<number> {
  return (await claimUdpPort(preferred, taken)).port
}

/** The same, held until it is let go. A taken one is followed by the next few, then by any. */
export async function claimTcpPort(preferred: number): Promise<ClaimedPort> {
  const singles = Array.from({ length: SINGLES }, (_, at) => FIRST_SINGLE + at)
  const near = Array.from({ length: NEAR }, (_, at) => preferred + at)
  for (const port of preferred === 0 ? singles : [...near, ...singles]) {
    const claimed = await claimPort('tcp', port)
    if (claimed) return claimed
  }
  return never('TCP')
}

export async function claimUdpPort(
  preferred: number,
  taken: ReadonlySet<number>,
): Promise<ClaimedPort> {
  for (let port = preferred; port < preferred + 400; port += 2) {
    const claimed = taken.has(port) ? null : await claimPort('udp', port)
    if (claimed) return claimed
  }
  return never('UDP')
}

/** Whether a program uses the UDP port or not. Null when another site was given it and lives. */
export async function holdUdpPort(port: number): Promise<AsyncDisposable | null> {
  return holdName(`udp-port-${port}`)
}

function never(kind: string): never {
  throw new Error(`This machine has no free ${kind} port on loopback.`)
}
