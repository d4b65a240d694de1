/**
 * Keeps the database of a released version for the tests: `node tools/keep-database.ts <backup>`, of a
 * training site, made by `npx trunkline backup`. Whoever has it can neither sign in nor read a key.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'

const KEPT = fileURLToPath(new URL('../packages/api/src/db/released', import.meta.url))
/** Of each object some: the rest is more of the same. */
const SAMPLES = 3000

const [backup] = process.argv.slice(2)
if (backup === undefined) throw new Error('Use: node tools/keep-database.ts <backup>')
const folder = mkdtempSync(join(tmpdir(), 'trunkline-keep-'))
try {
  const file = join(folder, 'kept.db')
  copyFileSync(backup, file)
  const database = new Sqlite(file)
  database.exec(`
    delete from sessions;
    update users set password_hash = '';
    update audit set ip = '127.0.0.1' where ip <> '';
    delete from marks where name in ('secret key', 'bus range', 'authority of hosts');
    delete from link_samples where rowid not in (select rowid from link_samples limit ${SAMPLES});
    vacuum;
  `)
  const schema = database
    .prepare('select name from kysely_migration order by name desc limit 1')
    .pluck()
    .get() as string
  database.close()
  const kept = join(KEPT, `${schema}.db.gz`)
  writeFileSync(kept, gzipSync(readFileSync(file), { level: 9 }))
  process.stdout.write(`${kept}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
