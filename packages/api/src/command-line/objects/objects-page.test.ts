/** `trunkline` as a client: the commands of docs/operate/18-automate.md, run in a shell as they stand there. */
import { putOnAir } from '@trunkline/contract/on-air/on-air.calls'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openAlarms } from '../../alarms/alarm-keeper.service.ts'
import { buildApp } from '../../app.ts'
import { addTestInput } from '../../testing/input.fixture.ts'
import { commandsOfPage, openPlace, shell, startShell, tokenOf } from '../shell.fixture.ts'

const LIMIT_MS = 60_000

async function openClient(scope: 'read' | 'operate') {
  const { site, url, folder } = await openPlace()
  const token = await tokenOf(site, scope)
  const settings = `export TRUNKLINE_URL=${url} TRUNKLINE_TOKEN=${token}\n`
  const run = async (script: string) => shell(`${settings}${script}`, folder.path)
  const start = (script: string) => startShell(`${settings}${script}`, folder.path)
  const { answer } = await site.call('admin', listInputs, { query: { searchValue: 'Marathon' } })
  return { site, url, token, run, start, inputId: answer.contributions[0]?.id ?? '' }
}

test('the commands of the page list, show, restart and tell what has happened', async () => {
  const { site, url, token, run, inputId } = await openClient('operate')
  const [calling = '', listing = '', restart = '', telling = '', ...more] =
    await commandsOfPage('18-automate.md')
  expect(more).toEqual([])

  const called = await run(calling.replace('https://console.example', url))
  expect(called.out).toContain('"title":"Camera 0"')

  const listed = await run(listing.replace('https://console.example', url).replace('trk_…', token))
  expect(listed.code).toBe(0)
  expect(listed.out).toMatch(
    /^Person: {3}Test admin, admin@\S+\nRole: {5}admin\nGroups: {3}all\nToken: {4}operate\nScope: {4}Read and commands\nExpires: {2}\d{4}-/m,
  )
  expect(listed.out).toMatch(/^Stopped {2}Camera 0 {2}127\.0\.0\.1:\d+ {2}\w+$/m)
  const json = JSON.parse(listed.out.slice(listed.out.indexOf('{'))) as Record<string, unknown>
  expect(json).toMatchObject({
    id: inputId,
    kind: 'input',
    title: 'Marathon km 30',
    encryption: { passphrase: '', passphraseSet: true },
    state: { family: 'off', word: 'Stopped' },
  })

  const restarted = await run(restart)
  expect(restarted).toEqual({
    code: 0,
    out: expect.stringMatching(/^Marathon km 30: (Starting|Running|No peer)/) as string,
  })
  expect(site.linkHost.programs.get(`input-${inputId}`)?.state).toBe('running')

  const timeline = await run(telling.replace(/^trunkline events --follow$/m, 'trunkline events'))
  expect(timeline.code).toBe(0)
  expect(timeline.out).toMatch(/ {2}input Marathon km 30 {2}Restarted {2}by Test admin$/m)
})

test('a command that is refused says why, changes nothing and ends with 1', async () => {
  const { site, run, inputId } = await openClient('operate')
  const lines = async (script: string) => {
    const { code, out } = await run(script)
    return { code, sentence: out.trim() }
  }
  expect(await lines('trunkline input start Nothing')).toEqual({
    code: 1,
    sentence:
      "There is no input 'Nothing', or this token may not see it. 'trunkline input list' shows those that it may.",
  })
  const twin = await addTestInput(site, 6200, { title: 'Marathon km 30', groupId: site.south })
  const several = await lines("trunkline input start 'marathon KM 30'")
  expect(several.code).toBe(1)
  expect(several.sentence).toContain(
    "Several have the title 'marathon KM 30'. Name one by its id: ",
  )
  expect(several.sentence).toContain(twin.id)
  expect(await lines(`trunkline input disable ${inputId}`)).toEqual({
    code: 1,
    sentence:
      "The API token 'operate' may only read and send commands. This call needs a token of the scope 'All that its owner may do'. Make one in the console, under Access, API tokens.",
  })
  await site.call('admin', contributionAction, {
    body: { id: inputId, type: 1, actionType: 'start' },
  })
  await site.call('admin', putOnAir, { params: { kind: 'input', id: inputId }, body: {} })
  const onAir = await lines(`trunkline input stop ${inputId}`)
  expect(onAir).toEqual({
    code: 1,
    sentence:
      "This interrupts what is on air. Nothing was changed. To interrupt it, add: --interrupt-on-air 'Marathon km 30'",
  })
  expect(site.linkHost.programs.get(`input-${inputId}`)?.state).toBe('running')
  const stopped = await lines(`trunkline input stop ${inputId} --interrupt-on-air 'Marathon km 30'`)
  expect(stopped).toEqual({ code: 0, sentence: expect.stringMatching(/: Stopped/) as string })
})

test('events are followed as they come, also while the API is away, until interrupted', async () => {
  const { site, start, inputId } = await openClient('read')
  let aheadMs = 0
  const keeper = openAlarms({ ...site.ctx, clock: () => Date.now() + aheadMs })
  onTestFinished(async () => keeper[Symbol.asyncDispose]())
  const following = start('trunkline events --follow')
  const printed = async (text: string) =>
    vi.waitFor(async () => {
      // Alarms are raised and cleared after a while.
      aheadMs += 1000
      await keeper.written()
      expect(following.printed()).toContain(text)
    }, LIMIT_MS)
  const command = async (actionType: 'start' | 'stop') =>
    site.call('admin', contributionAction, { body: { id: inputId, type: 1, actionType } })
  await command('start')
  site.linkHost.change(`input-${inputId}`, { state: 'fatal', pid: null, cause: 'No key.' })
  await printed('input Marathon km 30  Alarm raised, critical')
  await command('stop')
  await printed('input Marathon km 30  Alarm cleared')

  const { port } = site.app.server.address() as AddressInfo
  await site.app.close()
  await printed('does not answer')
  const again = await buildApp(site.ctx)
  onTestFinished(async () => again.close())
  await again.listen({ port, host: '127.0.0.1' })
  await printed('The API answers again.')
  following.interrupt()
  const { out } = await following.ended()
  expect(out.match(/ {2}Alarm (raised|cleared)/g)).toEqual(['  Alarm raised', '  Alarm cleared'])
})
