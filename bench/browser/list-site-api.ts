/** A site of `fillLists` in a folder of its own, an API on it, and its superadmin signed in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApi } from '../kit/large-site.ts'
import { fillLists, PASSWORD, SUPERADMIN } from '../lists/list-site.ts'
import { sessionAt } from './signed-in.ts'

/** `prepare`: changes more of the database, before the API reads it. */
export async function openListSite(
  rows: number,
  prepare: (dataDir: string) => Promise<void> = async () => undefined,
) {
  await using opening = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-lists-'))
  opening.defer(() => rmSync(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  await fillLists(dataDir, rows)
  await prepare(dataDir)
  const api = opening.use(await startApi(dataDir))
  const url = `http://127.0.0.1:${api.port}`
  const session = await sessionAt(url, { email: SUPERADMIN, password: PASSWORD })
  const opened = opening.move()
  return { api, url, session, [Symbol.asyncDispose]: async () => opened.disposeAsync() }
}
