/** The installation's secret on disk: made at first start, readable by its owner alone. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SECRET_BYTES } from './keys.ts'

const GROUP_AND_OTHERS = 0o077
const PRIVATE = 0o600

/** Throws a sentence when the file cannot be read or made, or holds no secret. */
export async function readOrMakeSecret(file: string): Promise<Buffer> {
  if (!existsSync(file)) await makeUnlessThere(file)
  const secret = Buffer.from((await readOrSay(file)).trim(), 'base64')
  if (secret.length !== SECRET_BYTES) {
    throw new Error(
      `The secret file ${file} is not a secret file of Trunkline. Restore it from a backup: without it the stored keys and passphrases cannot be read.`,
    )
  }
  const { mode } = await stat(file)
  if ((mode & GROUP_AND_OTHERS) !== 0) await chmod(file, PRIVATE)
  return secret
}

/**
 * Written aside and then linked to its name, which fails when the name is taken: of two processes
 * that start at once one makes it, both read the same, and nobody reads a half-written one.
 */
async function makeUnlessThere(file: string): Promise<void> {
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(aside, `${randomBytes(SECRET_BYTES).toString('base64')}\n`, { mode: PRIVATE })
    await link(aside, file).catch(unlessTaken)
  } catch (error) {
    throw new Error(
      `The secret file ${file} cannot be created: ${reasonOf(error)}. Set TRUNKLINE_SECRET_FILE to a place that may be written.`,
      { cause: error },
    )
  } finally {
    await rm(aside, { force: true }).catch(() => undefined)
  }
}

function unlessTaken(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}

async function readOrSay(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Error(`The secret file ${file} cannot be read: ${reasonOf(error)}.`, { cause: error })
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
