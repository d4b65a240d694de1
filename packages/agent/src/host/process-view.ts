/**
 * Whether other users of this host can read the command lines of our media tools in /proc: several
 * tools take a passphrase as an argument and no other way.
 */
import { textOf } from './files.ts'

export const MOUNTS_FILE = '/proc/self/mounts'

/** As the kernel spells them, by number before Linux 5.8 and by word since. */
const HIDING = ['1', '2', '4', 'noaccess', 'invisible', 'ptraceable']

/** `mounts`: the text of /proc/self/mounts. False where no /proc is mounted. */
export function commandLinesReadable(mounts: string): boolean {
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    // The last one mounted covers those before it.
    .findLast(([, place, type]) => place === '/proc' && type === 'proc')?.[3]
  if (options === undefined) return false
  return !options.split(',').some((option) => {
    const [name, value = ''] = option.split('=')
    return name === 'hidepid' && HIDING.includes(value)
  })
}

/** False where the file cannot be read: nothing is claimed then. */
export function readProcessView(mountsFile: string): boolean {
  return commandLinesReadable(textOf(mountsFile))
}
