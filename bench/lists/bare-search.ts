/** The floor of a search: a page and a count of the index in SQLite. Prints what each text costs, in microseconds. */
import Sqlite from 'better-sqlite3'

const REPEATS = 300
const db = new Sqlite(process.argv[2] ?? '', { readonly: true })
const terms = Object.entries(JSON.parse(process.argv[3] ?? '{}') as Record<string, string>)
const count = db.prepare('select count(*) from encoders_search where encoders_search match ?')
const page = db.prepare(
  `select encoders.* from encoders_search
   cross join encoders_texts on encoders_texts.no = encoders_search.rowid
   cross join encoders on encoders.id = encoders_texts.id
   where encoders_search match ? order by encoders_search.rowid limit 12`,
)

function search(phrase: string): void {
  page.all(phrase)
  count.get(phrase)
}

const costs = terms.map(([kind, text]): [string, number] => {
  const phrase = `"${text}"`
  for (let at = 0; at < REPEATS / 3; at += 1) search(phrase)
  const before = process.cpuUsage()
  for (let at = 0; at < REPEATS; at += 1) search(phrase)
  const { user, system } = process.cpuUsage(before)
  return [kind, (user + system) / REPEATS]
})
process.stdout.write(JSON.stringify(Object.fromEntries(costs)))
