/** Where a new password comes from: a terminal that does not show it, stdin, or chance. */
import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Password } from '@trunkline/contract/users/user.schema'

export type PasswordFrom = 'terminal' | 'stdin' | 'random'

/** 96 bits; 16 characters to read out. */
const RANDOM_BYTES = 12

/** Throws a sentence when there is none, or two that differ. */
export async function readPassword(from: PasswordFrom): Promise<string> {
  switch (from) {
    case 'random':
      return randomBytes(RANDOM_BYTES).toString('base64url')
    case 'stdin':
      // An echo or a here-document ends its line; the rest is the password as it is.
      return accepted(decoded(await buffer(process.stdin)).replace(/\r?\n$/, ''))
    case 'terminal':
      return accepted(await askTwice())
  }
}

/** Every byte that is no UTF-8 would become one and the same character. */
function decoded(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  throw new Error('The password must be written in UTF-8. Check the locale of the script.')
}

function accepted(password: string): string {
  if (password.includes('\0')) {
    throw new Error('The password must not hold the character NUL: nobody could sign in with it.')
  }
  const { data, error } = Password.safeParse(password)
  if (data !== undefined) return data
  throw new Error(`The password ${error?.issues[0]?.message ?? ''}`)
}

async function askTwice(): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new Error(
      'There is no terminal to ask for the password. Pass it with --password-stdin, or take --generate.',
    )
  }
  // What readline would show of the typing goes nowhere; the questions are written past it.
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true })
  try {
    const first = await answer(lines, 'New password: ')
    const second = await answer(lines, 'The same again: ')
    if (first === second) return first
    throw new Error('The two passwords differ. Nothing was changed.')
  } finally {
    lines.close()
  }
}

/** Ctrl-C and Ctrl-D end it. */
async function answer(lines: ReturnType<typeof createInterface>, question: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const given = () => reject(new Error('Cancelled. Nothing was changed.'))
  lines.once('close', given)
  lines.once('line', resolve)
  process.stderr.write(question)
  try {
    return await promise
  } finally {
    lines.off('close', given)
    process.stderr.write('\n')
  }
}
