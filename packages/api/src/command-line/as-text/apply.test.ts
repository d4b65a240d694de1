import { putOnAir } from '@trunkline/contract/on-air/on-air.calls'
import {
  listDestinations,
  removeDestination,
} from '@trunkline/contract/contributions/destination.calls'
import { listInputs, updateInput } from '@trunkline/contract/contributions/input.calls'
import { addEncoder, listEncoders, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { expect, onTestFinished, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { createPostgresDatabase } from '../../testing/databases.ts'
import { PLANTED_SECRETS } from '../../testing/inject.ts'
import { palConfig } from '../../testing/encoder.fixture.ts'
import { openTestApp } from '../../testing/test-app.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import { makeApiCall } from '../api.client.ts'
import { applyText, exportOf, fillSite, type Reached, reach, SECRET_NAME } from './apply.fixture.ts'

const ENV = `env: ${SECRET_NAME}\n`
/** Of the input, not of the feeder before it. */
const INPUT_LATENCY = /(inputs:[\s\S]*?latency: )3000/

async function openFilled(): Promise<{ site: TestSite; reached: Reached; text: string }> {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  await fillSite(site)
  const reached = await reach(site)
  return { site, reached, text: await exportOf(reached.call) }
}

async function openEmpty(kind: 'SQLite' | 'PostgreSQL'): Promise<Reached> {
  if (kind === 'SQLite') {
    const app = await openTestApp()
    onTestFinished(async () => app[Symbol.asyncDispose]())
    return reach(app)
  }
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const app = await openTestApp({ databaseUrl: database.url })
  onTestFinished(async () => app[Symbol.asyncDispose]())
  return reach(app)
}

test.each(['SQLite', 'PostgreSQL'] as const)(
  'an export that is applied to an empty site on %s is exported with the same text',
  async (kind) => {
    const { text } = await openFilled()
    for (const secret of PLANTED_SECRETS) expect(text).not.toContain(secret)
    const empty = await openEmpty(kind)
    const withSecrets = text.replaceAll('keep: true\n', ENV)
    const applied = await applyText(empty, withSecrets)
    expect(applied).toMatchObject({ exitCode: 0 })
    expect(applied.text).toContain('0 refused')
    expect(await exportOf(empty.call)).toBe(text)
    // And once more plans nothing, with the secrets in place.
    expect(await applyText(empty, withSecrets)).toMatchObject({
      text: expect.stringContaining('Nothing to do') as string,
      exitCode: 0,
    })
  },
)

test('an export of a site that is applied to it plans nothing', async () => {
  const { reached, text } = await openFilled()
  const applied = await applyText(reached, text, { prunes: true, hasDetailedExitCode: true })
  expect(applied).toEqual({
    text: expect.stringMatching(/^Nothing to do: \d+ as they are\.\n$/) as string,
    exitCode: 0,
  })
})

test('a dry run shows each field and ends with 2, and changes nothing', async () => {
  const { site, reached, text } = await openFilled()
  const before = await databaseContent(site.ctx)
  const changed = text.replace(INPUT_LATENCY, '$1500')
  const applied = await applyText(reached, changed, { isDryRun: true, hasDetailedExitCode: true })
  expect(applied.exitCode).toBe(2)
  expect(applied.text).toContain('config.latency: 3000 -> 500')
  expect(applied.text).toContain('restarts nothing: a running stream takes this up')
  expect(applied.text).toContain('0 to add, 1 to change, 0 to remove')
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('a new title is another object: with prune the old one makes room for it first', async () => {
  const { site, reached, text } = await openFilled()
  const renamed = text.replaceAll('Marathon km 30', 'Marathon km 40')
  const refused = await applyText(reached, renamed.replaceAll('keep: true\n', ENV))
  expect(refused.exitCode).toBe(1)
  expect(refused.text).toContain("Port 6000 of host 127.0.0.1 is taken by input 'Marathon km 30'.")
  expect(await exportOf(reached.call)).toBe(text)
  const applied = await applyText(reached, renamed.replaceAll('keep: true\n', ENV), {
    prunes: true,
  })
  expect(applied).toMatchObject({ exitCode: 0 })
  const { answer } = await site.call('admin', listInputs, { query: { rowsPerPage: 0 } })
  expect(answer.contributions.map(({ title }) => title)).toEqual(['Marathon km 40'])
  expect(await exportOf(reached.call)).toBe(renamed)
})

test('each fault is named with its line, and nothing is changed', async () => {
  const { site, reached, text } = await openFilled()
  const before = await databaseContent(site.ctx)
  const faulty = text
    .replace('latency: 3000', 'latency: 3')
    .replace('server: Server acants', 'server: Nowhere')
  const applied = await applyText(reached, faulty)
  expect(applied.exitCode).toBe(1)
  const lineOf = (part: string) => faulty.split('\n').findIndex((line) => line.includes(part)) + 1
  expect(applied.text).toContain(`site.yaml:${lineOf('latency: 3')}: `)
  expect(applied.text).toContain('must be 20 to 30000 ms.')
  expect(applied.text).toContain(
    `site.yaml:${lineOf('server: Nowhere')}: There is no server 'Nowhere' that you may see.`,
  )
  expect(applied.text).toContain('Nothing was changed.')
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('a secret in the file, and a kept secret of what is not there, are faults', async () => {
  const { reached, text } = await openFilled()
  const empty = await openEmpty('SQLite')
  const kept = await applyText(empty, text)
  expect(kept.text).toContain('Name the secret of the new object.')
  const typed = await applyText(
    reached,
    text.replace(/passphrase:\n\s+keep: true/, "passphrase: 'in-the-clear-1'"),
  )
  expect(typed.text).toContain('no secret stands in this file')
  expect(typed.text).not.toContain('in-the-clear-1')
  const unset = await applyText(reached, text.replace('keep: true\n', 'env: NOT_SET\n'))
  expect(unset.text).toContain('is to come from the variable NOT_SET, which is not set.')
})

test('a new encoder on a new host without a key is a fault of the plan for an admin, and none for a manager', async () => {
  const { site, reached, text } = await openFilled()
  const own = /encoders:\n([\s\S]*?)feeders:/.exec(text)?.[1] ?? ''
  const added = own
    .replace('title: Camera 0', 'title: Camera 1')
    .replace('ip: 127.0.0.1', 'ip: 127.0.0.2')
    .replace(/ +apiKey:\n +keep: true\n/, '')
    .replace(/ +users:[\s\S]*/, '')
  const file = `version: 1\nencoders:\n${own}${added}`
  const line = file.split('\n').findIndex((each) => each.includes('title: Camera 1')) + 1
  const planned = await applyText(reached, file, { isDryRun: true })
  expect(planned).toMatchObject({ exitCode: 1 })
  expect(planned.text).toContain('apiKey is missing. Add it.')
  expect(planned.text).toMatch(new RegExp(`^site\\.yaml:(${line}|${line - 1}): `, 'm'))
  const { token } = site.people.northManager
  const call = makeApiCall({ url: reached.url, token }, [])
  const byManager = await applyText({ ...reached, token, call }, file)
  expect(byManager.text).toContain('+ add encoder North / Camera 1: done')
})

test('a plan of a manager is refused nothing, so that Activity has no line of it', async () => {
  const { site, reached, text } = await openFilled()
  const { token } = site.people.northManager
  const call = makeApiCall({ url: reached.url, token }, [])
  const added = text.replace(/( +ip: 127.0.0.1\n.*\n)( +apiKey:\n +keep: true\n)( +users)/, '$1$3')
  await applyText({ ...reached, token, call }, added, { isDryRun: true })
  const refused = site.ctx.db.selectFrom('audit').select('call').where('result', '=', 'refused')
  expect(await refused.execute()).toEqual([])
})

test('only with prune is removed what the file does not have', async () => {
  const { site, reached, text } = await openFilled()
  const cut = text.replace(/outputs:\n[\s\S]*$/, 'outputs: []\n')
  expect((await applyText(reached, cut)).text).toContain('Nothing to do')
  const applied = await applyText(reached, cut, { prunes: true })
  expect(applied.text).toContain('- remove output North / Marathon km 30 / to Paris: done')
  expect(await exportOf(reached.call)).toBe(cut)
  const { answer } = await site.call('admin', listEncoders, { query: { rowsPerPage: 0 } })
  expect(answer.encoders).toHaveLength(1)
})

test('with prune the key of a host is missing once its encoder is removed, and the plan says so before anything is', async () => {
  const { reached, text } = await openFilled()
  const withoutFeeders = text.replace(/feeders:\n[\s\S]*?inputs:/, 'feeders: []\ninputs:')
  const renamed = withoutFeeders.replace('Camera 0', 'Camera 1')
  const kept = await applyText(reached, renamed, { prunes: true })
  expect(kept).toMatchObject({ exitCode: 1 })
  expect(kept.text).toContain('Name the secret of the new object.')
  const keyless = renamed.replace(/ +apiKey:\n +keep: true\n(?= +users)/, '')
  const left = await applyText(reached, keyless, { prunes: true })
  expect(left.text).toContain('apiKey is missing. Add it.')
  expect(await exportOf(reached.call)).toBe(text)
  const named = renamed.replace(/keep: true\n(?= +users)/, ENV)
  const applied = await applyText(reached, named, { prunes: true })
  expect(applied.text).toContain('+ add encoder North / Camera 1: done')
  // Without prune the encoder stays, and with it the key.
  const other = named
    .replace('Camera 1', 'Camera 2')
    .replace('card-idx: 0', 'card-idx: 1')
    .replace(':5000', ':5002')
  const beside = await applyText(reached, other.replace(ENV, 'keep: true\n'))
  expect(beside.text).toContain('+ add encoder North / Camera 2: done')
})

test('what is on air is interrupted only when its title is named', async () => {
  const { site, reached, text } = await openFilled()
  const { answer } = await site.call('admin', listInputs, { query: { rowsPerPage: 0 } })
  const [input] = answer.contributions
  await site.call('admin', putOnAir, {
    params: { kind: 'input', id: input?.id ?? '' },
    body: {},
  })
  const changed = text.replace(INPUT_LATENCY, '$1500')
  const before = await databaseContent(site.ctx)
  const refused = await applyText(reached, changed)
  expect(refused.exitCode).toBe(1)
  expect(refused.text).toContain("ON AIR: input 'Marathon km 30' loses its stream")
  expect(refused.text).toContain("--interrupt-on-air 'Marathon km 30'")
  expect(await databaseContent(site.ctx)).toEqual(before)
  const applied = await applyText(reached, changed, { onAirTitles: ['Marathon km 30'] })
  expect(applied).toMatchObject({ exitCode: 0 })
  expect(await exportOf(reached.call)).toBe(changed)
})

test('a site that changes while its plan is read is left alone', async () => {
  const { site, reached, text } = await openFilled()
  const { answer } = await site.call('admin', listInputs, { query: { rowsPerPage: 0 } })
  const [input] = answer.contributions
  const changed = text.replace(INPUT_LATENCY, '$1500')
  const applied = await applyText(reached, changed, {
    confirm: async () => {
      const body = { ...input, config: { ...input?.config, latency: 900 } } as never
      const { status } = await site.call('northManager', updateInput, {
        params: { id: input?.id ?? '' },
        body,
      })
      return status === 200
    },
  })
  expect(applied.exitCode).toBe(1)
  expect(applied.text).toContain('changed since this plan was made: input North / Marathon km 30')
  expect(await exportOf(reached.call)).toContain('latency: 900')
})

test('an encoder whose settings are refused after it was added is not left behind', async () => {
  const { site, reached, text } = await openFilled()
  // Once the plan is made, its target is fed by an encoder that a manager of North does not see.
  const hidden = await site.call('admin', addEncoder, {
    body: {
      title: 'Hidden',
      ip: '127.0.0.1',
      port: 9999,
      groupId: site.south,
      apiKey: 'a-key-of-its-own',
    },
  })
  const config = {
    ...palConfig(0),
    output: [{ type: 'udp' as const, target: 'udp://127.0.0.1:5900' }],
  }
  const { token } = site.people.northManager
  const call = makeApiCall({ url: reached.url, token }, [])
  const own = /encoders:\n([\s\S]*?)feeders:/.exec(text)?.[1] ?? ''
  const second = own
    .replace('title: Camera 0', 'title: Camera 1')
    .replace('card-idx: 0', 'card-idx: 1')
    .replace(/127\.0\.0\.1:5000/, '127.0.0.1:5900')
    .replace(/ +apiKey:\n +keep: true\n/, '')
  const applied = await applyText({ ...reached, token, call }, `version: 1\nencoders:\n${second}`, {
    confirm: async () => {
      const body = { _id: hidden.answer.id, config }
      return (await site.call('admin', updateEncoder, { body })).status === 200
    },
  })
  expect(applied.exitCode).toBe(1)
  expect(applied.text).toContain(
    "+ add encoder North / Camera 1: refused. Target 127.0.0.1:5900 is fed by another group's encoder already.",
  )
  const { answer } = await site.call('admin', listEncoders, { query: { rowsPerPage: 0 } })
  expect(answer.encoders.map(({ title }) => title)).toEqual(['Camera 0', 'Hidden'])
})

test('enabled: false disables what is there, and what is added', async () => {
  const { reached, text } = await openFilled()
  // A feeder is saved against the version of its encoder, which disabling has raised.
  const off = text
    .replaceAll('enabled: true', 'enabled: false')
    .replace('latency: 3000', 'latency: 400')
  const applied = await applyText(reached, off)
  expect(applied).toMatchObject({ exitCode: 0 })
  expect(applied.text).toContain('~ disable output North / Marathon km 30 / to Paris: done')
  expect(await exportOf(reached.call)).toBe(off)
  expect(await applyText(reached, off)).toMatchObject({ exitCode: 0 })
  const empty = await openEmpty('SQLite')
  await applyText(empty, off.replaceAll('keep: true\n', ENV))
  expect(await exportOf(empty.call)).toBe(off)
})

test('a destination that was removed meanwhile is named as what is missing', async () => {
  const { site, reached, text } = await openFilled()
  const id = await destinationId(reached)
  await site.call('admin', removeDestination, { params: { id } })
  const cut = text.replace(/destinations:\n[\s\S]*?encoders:/, 'destinations: []\nencoders:')
  const applied = await applyText(reached, cut)
  expect(applied.text).toContain("There is no destination 'North / Paris' that you may see.")
})

async function destinationId({ call }: Reached): Promise<string> {
  const { destinations } = await call(listDestinations, { query: {} })
  return destinations[0]?.id ?? ''
}
