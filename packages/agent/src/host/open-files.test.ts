/** A process at its limit of open files, as a limit of the shell brings it about. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const MODULE = new URL('open-files.ts', import.meta.url).href
const LIMIT = 64

test('a process may open files until few descriptors are left, and again once there are more', () => {
  const script = `
    import { closeSync, openSync } from 'node:fs'
    import { isOutOfFiles, mayOpenFiles } from '${MODULE}'
    const seen = [mayOpenFiles()]
    const opened = []
    try { for (;;) opened.push(openSync('/dev/null')) } catch (error) { seen.push(isOutOfFiles(error)) }
    seen.push(mayOpenFiles())
    opened.splice(0, 3).forEach(closeSync)
    seen.push(mayOpenFiles())
    opened.forEach(closeSync)
    seen.push(mayOpenFiles())
    console.log(JSON.stringify(seen))`
  const limited = `ulimit -n ${LIMIT}; exec "$0" --input-type=module -e "$1"`
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', limited, process.execPath, script], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([true, true, false, false, true])
})
