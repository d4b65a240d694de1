/**
 * T4, T9, T10: secrets planted wherever the product takes one. Every call of every role, the live
 * stream of each, the log, the database and its files are searched for them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROLES } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import pino from 'pino'
import { sql } from 'kysely'
import { createPostgresDatabase } from '@trunkline/api/testing/databases'
import { FAKE_MEDIA_KEY } from '@trunkline/api/testing/fake-media-server'
import { PLANTED_SECRETS } from '@trunkline/api/testing/inject'
import { LiveReader } from '@trunkline/api/testing/live-reader'
import { TEST_PASSWORD } from '@trunkline/api/testing/people'
import { RECIPES } from '@trunkline/api/testing/role-walk/recipes'
import { openWalkSite, tokenOf, type WalkSite } from '@trunkline/api/testing/role-walk/site'
import { cellsOf, faultOf } from '@trunkline/api/testing/role-walk/walk'
import { atLeast, atMost } from '../kit/figure.ts'
import { printProof } from './proof.ts'

/** In every record that has a secret: keys of hosts, passphrases of links, communities, passwords. */
const SECRETS = [...PLANTED_SECRETS, FAKE_MEDIA_KEY, TEST_PASSWORD]

test('no secret is in an answer, the live stream, the log or the database', async () => {
  const faults: string[] = []
  let [answers, characters] = [0, 0]
  for (const database of ['SQLite', 'PostgreSQL'] as const) {
    await using stack = new AsyncDisposableStack()
    const databaseUrl = database === 'SQLite' ? null : stack.use(await createPostgresDatabase()).url
    const logged: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) })
    const walk = await openWalkSite(stack, { databaseUrl }, { log })
    const address = await walk.site.app.listen({ port: 0, host: '127.0.0.1' })
    const live: LiveReader[] = []
    for (const role of ROLES) {
      live.push(stack.use(await LiveReader.open(address, await tokenOf(walk.site, role))))
    }
    for (const cell of RECIPES.flatMap(cellsOf)) {
      answers += 1
      // Answers are searched by `inject`, which throws; another fault is for the proof of roles.
      const fault = await faultOf(walk, cell).catch((error: unknown) => String(error))
      if (fault.includes(' holds ')) faults.push(`${database}: ${fault}`)
    }
    const places: Record<string, string> = {
      'live stream': live.map(({ events }) => JSON.stringify(events)).join('\n'),
      log: logged.join(''),
      database: await storedText(walk),
      files: textOfFiles(walk),
    }
    for (const [place, text] of Object.entries(places)) {
      characters += text.length
      faults.push(
        ...SECRETS.filter((secret) => text.includes(secret)).map(
          (secret) => `${database}: the ${place} holds ${secret}`,
        ),
      )
    }
  }
  const missed = printProof('canaries', {
    ours: { secrets: SECRETS.length, answers, charactersSearched: characters },
    faults,
    goals: [
      atMost('canaries seen', faults.length, 0, 'places'),
      atLeast('characters searched beside the answers', characters, 100_000, 'characters'),
    ],
  })
  expect(missed).toEqual([])
})

/** Every table as text. */
async function storedText({ site }: WalkSite): Promise<string> {
  const { db } = site.ctx
  const tables = await db.introspection.getTables()
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    texts.push(JSON.stringify(rows))
  }
  return texts.join('\n')
}

/** Of the data folder: the database with what is not yet in its main file, and whatever else is there. */
function textOfFiles({ site }: WalkSite): string {
  const { dataDir, secretFile } = site.ctx.config
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => file !== secretFile)
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n')
}
