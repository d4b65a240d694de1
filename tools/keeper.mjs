/**
 * A temporary folder that outlives its maker by moments only: a process of its own removes it when
 * the maker ends, in whatever way.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The maker's end of the pipe closes when it ends, also by SIGKILL. Then whatever works in the
 * folder (a database server does) is ended, before the folder goes. A process that still writes
 * into it makes `rm` fail, so it is tried until nothing is left.
 */
const KEEP = `
trap '' INT TERM HUP
while read -r _; do :; done
end() {
  for one in /proc/[0-9]*; do
    case "$(readlink "$one/cwd")" in "$folder" | "$folder"/*) kill -s "$1" "\${one#/proc/}" ;; esac
  done
}
isUsed() { readlink /proc/[0-9]*/cwd | grep -qF "$folder"; }
round=0
while isUsed; do
  if [ $round -eq 0 ]; then end INT; elif [ $round -gt 100 ]; then end KILL; fi
  round=$((round + 1))
  sleep 0.05
done
until rm -rf "$folder" && [ ! -e "$folder" ]; do sleep 0.05; done
`

/**
 * @typedef {AsyncDisposable & { path: string }} KeptFolder
 */

/**
 * @param {string} prefix of its name
 * @param {string} [parent]
 * @returns {KeptFolder}
 */
export function openKeptFolder(prefix, parent = tmpdir()) {
  const path = join(realpathSync(parent), `${prefix}${randomBytes(6).toString('hex')}`)
  // In a session of its own: what ends the maker's process group does not end the keeper.
  const keeper = spawn('sh', ['-c', KEEP], {
    cwd: '/',
    env: { PATH: process.env['PATH'], folder: path },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise((resolve) => keeper.once('close', resolve).once('error', resolve))
  const pipe = /** @type {import('node:net').Socket} */ (keeper.stdin)
  pipe.on('error', () => undefined)
  // The maker may end without a word: that is what it is for.
  keeper.unref()
  pipe.unref()
  // Not before it has a keeper: the maker may be killed at any moment.
  mkdirSync(path, { mode: 0o700 })
  return {
    path,
    async [Symbol.asyncDispose]() {
      keeper.ref()
      pipe.end()
      await ended
      rmSync(path, { recursive: true, force: true })
    },
  }
}
