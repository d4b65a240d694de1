/**
 * What a seat is known by over TLS: its key, its certificate and the authority of its console, in one
 * file, so that they change together or not at all.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivate } from '../supervisor/private-file.ts'

const Identity = z.object({
  /** PEM, PKCS 8. */
  key: z.string(),
  /** PEM. */
  certificate: z.string(),
  /** PEM: whoever signs certificates of the console. */
  authority: z.string(),
  /** Of the next certificate, which is asked for or on its way; PEM. */
  nextKey: z.string().nullable(),
  /** 'host:port' each: the seat connects there, and takes no connections. Left out: the console dials. */
  dialTo: z.array(z.string()).min(1).optional(),
})
export type Identity = z.infer<typeof Identity>

class IdentityDamaged extends Error {}

/** `owner`: of the programs of the seat, such as 'acants-0'. */
export function identityFile(dataDir: string, owner: string): string {
  return join(dataDir, 'identity', `${owner}.json`)
}

/** null when the seat is not enrolled. Throws IdentityDamaged. */
export function readIdentity(file: string): Identity | null {
  if (!existsSync(file)) return null
  try {
    return Identity.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new IdentityDamaged(
      `The file ${file} is damaged, so the console cannot reach this seat. Enrol the seat again.`,
    )
  }
}

export function writeIdentity(file: string, identity: Identity): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writePrivate(file, JSON.stringify(identity))
}
