/** Which of the API processes links which host. */

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * The same for everybody who knows the same processes. When a process comes or goes, only the hosts
 * that it gets or had change hands (rendezvous hashing). Undefined when there is none.
 */
export function ownerOf(at: string, processIds: readonly string[]): string | undefined {
  let owner: string | undefined
  let most = -1
  for (const id of processIds) {
    const score = scoreOf(`${id} ${at}`)
    if (score < most || (score === most && owner !== undefined && id > owner)) continue
    owner = id
    most = score
  }
  return owner
}

/** FNV-1a, with the last mixing of MurmurHash: alike addresses must not get alike scores. */
function scoreOf(text: string): number {
  let hash = FNV_OFFSET
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
