/**
 * The checksums of a release and their signature, by GnuPG: Debian has gpgv everywhere, as apt needs it. The
 * public key is a file of the project and of both packages, so that an installed version tells whether
 * the next one is ours.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { runQuietly } from '../say.mjs'

/** From the project's root; as `gpg --export` writes it, which is what gpgv reads. */
export const PUBLIC_KEY = 'tools/release/key.gpg'

/**
 * Before anything is changed: whether this key signs, and people who install a release would accept it.
 * @param {string} root the project's folder
 * @param {string} key fingerprint or address of a secret key of gpg
 * @throws an Error with a sentence
 */
export async function assertSigns(root, key) {
  if (key === '') {
    throw new Error(
      'A release is signed. Name the key that signs: TRUNKLINE_RELEASE_KEY, the fingerprint or address of a secret key that gpg has.',
    )
  }
  if (!existsSync(join(root, PUBLIC_KEY))) {
    throw new Error(
      `The public key of releases is not in the project. Put it there and commit it: gpg --export ${key} > ${PUBLIC_KEY}`,
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-signature-'))
  try {
    await signSums(root, folder, [join(root, PUBLIC_KEY)], key)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} root
 * @param {string} out folder where the checksums and their signature go
 * @param {readonly string[]} files paths
 * @param {string} key
 * @returns {Promise<string[]>} paths of the checksums and of their signature
 */
export async function signSums(root, out, files, key) {
  const sums = join(out, 'SHA256SUMS')
  const signature = `${sums}.asc`
  writeFileSync(sums, files.map((file) => `${hashOf(file)}  ${basename(file)}\n`).join(''))
  const how = ['--batch', '--yes', '--armor', '--local-user', key, '--output', signature]
  await runQuietly('gpg', [...how, '--detach-sign', sums], { label: 'gpg' })
  // As whoever installs it does.
  const keyring = join(root, PUBLIC_KEY)
  await runQuietly('gpgv', ['--keyring', keyring, signature, sums], { label: 'gpgv' })
  return [sums, signature]
}

/**
 * @param {string} file
 * @returns {string} SHA-256 in hexadecimal
 */
export function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
