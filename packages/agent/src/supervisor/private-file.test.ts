/** A disk that fills up in the middle of a write, as a limit on the size of files brings it about. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writePrivate } from './private-file.ts'

const MODULE = new URL('private-file.ts', import.meta.url).href
/** In the shell's units of 512 or 1024 bytes: far less than what is written. */
const LIMIT_BLOCKS = 8

test.for(['writePrivate', 'writePrivateSoon'])(
  '%s leaves a file as it was when the disk takes only part of the next one',
  (how) => {
    const folder = mkdtempSync(join(tmpdir(), 'private-file-'))
    try {
      const file = join(folder, 'streams.json')
      writePrivate(file, 'as it was')
      const script = `import { ${how} } from '${MODULE}'; ${how}('${file}', 'x'.repeat(100_000))`
      const limited = `ulimit -f ${LIMIT_BLOCKS}; exec "$0" --input-type=module -e "$1"`
      const { status, stderr } = spawnSync('/bin/sh', ['-c', limited, process.execPath, script], {
        encoding: 'utf8',
      })
      expect(stderr).toContain('EFBIG')
      expect(status).toBe(1)
      expect(readFileSync(file, 'utf8')).toBe('as it was')
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
