/**
 * F20: the database is backed up while four people save, and the backup must hold what was acknowledged before it
 * began and nothing half; an API starts on it. SQLite only, by the product's own backup.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeBackup } from '@trunkline/api/db/backup/backup-file'
import { openDatabase } from '@trunkline/api/db/open'
import { signIn } from '@trunkline/testbed/seed'
import { atMost, printFigure, spread } from '../kit/figure.ts'
import { EMAIL, PASSWORD, startApi } from '../kit/large-site.ts'
import { openApiSite, storedPlace } from './rig/api-site.ts'
import { People } from './rig/people.ts'
import { roundsOf } from './rig/rounds.ts'

const ROUNDS = roundsOf(20)
const SAVING_MS = 700

await using site = await openApiSite(1)
const people = await People.meet(site)
const end = new AbortController()
const saving = people.saveUntil(end.signal)
const from = storedPlace(site.dataDir, null)
const backupMs: number[] = []
const startMs: number[] = []
const faults: string[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  await pause(SAVING_MS)
  const place = join(site.dataDir, '..', `backup${at}`)
  mkdirSync(place)
  const moment = people.moment()
  const startedMs = performance.now()
  await writeBackup(from, join(place, 'trunkline.db'))
  backupMs.push(performance.now() - startedMs)
  await people.answered()
  const db = await openDatabase(storedPlace(place, null))
  const { lost, unexpected, torn, damaged } = await people.faultsSince(moment, db)
  await db.destroy()
  faults.push(...lost, ...unexpected, ...torn, ...damaged)
  startMs.push(await startOn(place))
}
end.abort()
await saving
const { figures, goals } = await people.finish()
printFigure({
  bench: 'backup',
  rounds: ROUNDS,
  ours: {
    ...figures,
    faultsOfBackups: faults.slice(0, 20),
    backupMs: spread(backupMs),
    startMs: spread(startMs),
  },
  limit: {},
  goals: [...goals, atMost('changes lost or torn in a backup', faults.length, 0, 'changes')],
})

/** Until somebody has signed in there. */
async function startOn(place: string): Promise<number> {
  const startedMs = performance.now()
  const secret = `${site.dataDir}.key`
  await using restored = await startApi(place, { TRUNKLINE_SECRET_FILE: secret })
  await signIn(`http://127.0.0.1:${restored.port}`, EMAIL, PASSWORD)
  return performance.now() - startedMs
}
