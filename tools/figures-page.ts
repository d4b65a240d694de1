/**
 * Prints figures into a page: `npm run -s secure | node tools/figures-page.ts docs/security.md`. Each JSON
 * line becomes a row for each of its goals, in the place of the rows that the same proof had; rows of
 * proofs that are not among the lines stay as they are.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import { z } from 'zod'

const BEGIN = '<!-- figures: printed by tools/figures-page.ts -->'
const END = '<!-- end of figures -->'
const HEAD = ['| Proof | Goal | Wanted | Measured | Met | On |', '|---|---|---|---|---|---|']

const Line = z.object({
  bench: z.string(),
  git: z.string(),
  goals: z.array(
    z.object({ name: z.string(), want: z.string(), got: z.number(), ok: z.boolean() }),
  ),
})

/** `day`: of the run, as in 2026-11-27. Throws for a page without the two marks, and for what is no figure. */
export async function withFigures(page: string, lines: string, day: string): Promise<string> {
  const [before, rest] = page.split(BEGIN)
  const [table, after] = rest?.split(END) ?? []
  if (before === undefined || table === undefined || after === undefined) {
    throw new Error(`The page needs the lines '${BEGIN}' and '${END}'.`)
  }
  const rows = Map.groupBy(
    table.split('\n').filter((row) => row.startsWith('| `')),
    (row) => /`([^`]*)`/.exec(row)?.[1] ?? '',
  )
  for (const line of lines.split('\n').filter((each) => each.trim() !== '')) {
    const { bench, git, goals } = Line.parse(JSON.parse(line))
    rows.set(
      bench,
      goals.map(({ name, want, got, ok }) => {
        const cells = [
          `\`${bench}\``,
          name,
          want,
          String(got),
          ok ? 'yes' : '**no**',
          `${day}, ${git}`,
        ]
        return `| ${cells.join(' | ')} |`
      }),
    )
  }
  const sorted = [...rows].toSorted(([a], [b]) => a.localeCompare(b)).flatMap(([, some]) => some)
  const made = [before, BEGIN, '\n\n', [...HEAD, ...sorted].join('\n'), '\n\n', END, after].join('')
  return (await format('page.md', made)).code
}

const [, script, page] = process.argv
if (script === fileURLToPath(import.meta.url)) {
  if (page === undefined)
    throw new Error('Name the page: node tools/figures-page.ts docs/security.md')
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync(page, await withFigures(readFileSync(page, 'utf8'), await text(process.stdin), day))
}
