/**
 * The floor of a search in PostgreSQL: a page and a count by the index, as prepared statements of
 * several connections. Arguments: the database, and the texts. Prints what each text takes, in
 * microseconds of the time that passes, divided by the searches done in it.
 */
import pg from 'pg'

const CONNECTIONS = 8
const MEASURE_MS = 700

const [url = '', texts = '{}'] = process.argv.slice(2)
const terms = Object.entries(JSON.parse(texts) as Record<string, string>)
const clients = await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    const client = new pg.Client(url)
    await client.connect()
    return client
  }),
)

async function search(client: pg.Client, pattern: string): Promise<void> {
  await client.query({
    name: 'page',
    text: 'select * from encoders where search like $1 order by created_at, id limit 12',
    values: [pattern],
  })
  const text = 'select count(*) from encoders where search like $1'
  await client.query({ name: 'count', text, values: [pattern] })
}

async function microsecondsOf(pattern: string): Promise<number> {
  let done = 0
  const startedAt = performance.now()
  const repeat = async (client: pg.Client) => {
    for (; performance.now() - startedAt < MEASURE_MS; done += 1) await search(client, pattern)
  }
  await Promise.all(clients.map(repeat))
  return ((performance.now() - startedAt) * 1000) / done
}

const figures: [string, number][] = []
for (const [kind, text] of terms) {
  await microsecondsOf(`%${text}%`)
  figures.push([kind, await microsecondsOf(`%${text}%`)])
}
await Promise.all(clients.map(async (client) => client.end()))
process.stdout.write(JSON.stringify(Object.fromEntries(figures)))
