/** The calls by curl, and the backup, that pages of docs/operate print, run in a shell as they stand there. */
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addPath } from '../paths/path-site.fixture.ts'
import { openTestAlarm } from '../testing/alarm.fixture.ts'
import { makeFolder } from '../testing/folder.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'
import { reach } from './as-text/apply.fixture.ts'
import { commandsOfPage, openPlace, shell, tokenOf } from './shell.fixture.ts'

/** Ends with the status of each answer on a line of its own, and fails on none. */
const CURL = `curl() { command curl --write-out '\\nstatus %{http_code}\\n' "$@"; }\n`

/** `site` is reached at `url`; answers the status of each call of a page, in their order. */
async function statusesOf(
  site: TestSite,
  url: string,
  { page, variables, change = same }: { page: string; variables: object; change?: Change },
) {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const settings = Object.entries({ API: url, TOKEN: await tokenOf(site, 'all'), ...variables })
  const before = settings.map(([name, value]) => `${name}='${value}'\n`).join('')
  const script = change((await commandsOfPage(page)).join(''))
  const { out } = await shell(CURL + before + script, folder.path)
  return [...out.matchAll(/^status (\d+)$/gm)].map(([, status]) => status)
}

type Change = (script: string) => string
const same: Change = (script) => script

test('the calls of the pages on events and alarms are answered', async () => {
  const { site, url } = await openPlace()
  const { answer } = await site.call('admin', listInputs, { query: { searchValue: 'Marathon' } })
  const ID = answer.contributions[0]?.id ?? ''
  const ofEvents = { page: '9-events.md', variables: { ID } }
  expect(await statusesOf(site, url, ofEvents)).toEqual(['200'])
  const ALARM = await openTestAlarm(site.ctx, { kind: 'input', id: ID })
  const variables = { ID, INPUT: ID, GROUP: site.north, ALARM }
  const answers = ['200', '201', '201', '200', '200', '200']
  expect(await statusesOf(site, url, { page: '11-alarms.md', variables })).toEqual(answers)
})

test('the calls of the page on air list, put on air, interrupt by title, and take off', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const { url } = await reach(site)
  const { channelId, toChannel } = await addPath(site)
  const change: Change = (script) =>
    script.replace('2026-11-27', '2099-11-27').replace('Evening%20news', 'Live')
  const variables = { ID: channelId, OUTPUT: toChannel }
  const answers = ['200', '200', '200', '200']
  expect(await statusesOf(site, url, { page: '14-on-air.md', variables, change })).toEqual(answers)
})

test('the commands of the page on backups make and check one', async () => {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const safe = join(folder.path, 'safe')
  const begin = `
mkdir '${safe}'
export TRUNKLINE_DATA_DIR='${join(folder.path, 'data')}'
trunkline user add --email you@example.com --generate >/dev/null
`
  const script = (await commandsOfPage('2-back-up.md')).join('').replaceAll('/mnt/safe', safe)
  const { code, out } = await shell(`set -e\n${begin}${script}`, folder.path)
  expect(out.match(/^Backed up \d+ rows/gm)).toHaveLength(2)
  expect(out).toContain('can be read with')
  expect(code).toBe(0)
})
