/** 24 bytes are 32 characters and more than any cipher here keeps. */
const RANDOM_BYTES = 24

/** A passphrase out of the characters that both tools take unchanged (decisions.md 13). */
export function newPassphrase(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}
