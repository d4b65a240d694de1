/**
 * `npm run chaos -- api-killed`: makes the machine ready, builds what is stale and causes that fault
 * again and again; one JSON line to stdout says what it did to data, streams and what is shown. Without
 * a name it lists the faults. CHAOS_ROUNDS=5: so many rounds; CHAOS_DATABASE=postgres: there.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { askedNames, namedFiles, runChild, runInTurn } from './named-runs.mjs'
import { sayTo } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'

const FIRST = join(root, 'bench/kit/suppressed-faults.ts')

sayTo(process.stderr)
const files = namedFiles('bench/chaos', '.chaos.ts')
const asked = askedNames(files, 'fault')
if (asked.length === 0) {
  const width = Math.max(...[...files.keys()].map((name) => name.length))
  const lines = [...files].map(([name, file]) => `${name.padEnd(width)}  ${firstSentence(file)}`)
  process.stdout.write(`${lines.toSorted().join('\n')}\n`)
} else {
  const node = await setup('test').catch(giveUp)
  await build(node).catch(giveUp)
  await runInTurn(asked, (name) =>
    runChild([node, '--import', FIRST, files.get(name) ?? ''], {
      stdio: 'inherit',
      detached: true,
    }),
  )
}

/**
 * Of the comment that each fault begins with: what is broken, and what must hold.
 * @param {string} file
 */
function firstSentence(file) {
  const text = readFileSync(join(root, file), 'utf8')
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? ''
  const words = comment.replaceAll(/\s*\n \*?\s*/g, ' ').trim()
  return words.slice(0, words.indexOf('.') + 1)
}
