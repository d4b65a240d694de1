/** Saving inputs and outputs: what two operators at once make of it, and that what runs goes on. */
import { describe, expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { openTestSite } from '../testing/test-site.ts'
import { command, startLink, TESTED_KINDS } from './link-kinds.fixture.ts'

describe.each(TESTED_KINDS)('$kind', (tested) => {
  const { kind, add, read, save } = tested

  test('API-43 API-66 an answer may be sent back as it is, with what was changed', async () => {
    await using site = await openTestSite()
    const { id } = await add(site, 0)
    const before = (await read(site, id)).answer.data
    const { status, answer } = await save(site, id, { title: 'Renamed', latency: 500 })
    expect(status).toBe(200)
    expect(answer.warnings).toEqual([])
    expect(answer.data).toEqual({
      ...before,
      title: 'Renamed',
      config: { ...before.config, latency: 500 },
      version: before.version + 1,
    })
  })

  test('Q178 saving restarts nothing: the running program keeps its settings and says so', async () => {
    await using site = await openTestSite()
    const { id } = await add(site, 0)
    await startLink(site, tested, id)
    const { pid } = site.linkHost.programs.get(`${kind}-${id}`) ?? {}
    const known = site.linkHost.calls.length
    await save(site, id, { latency: 300 })
    const calls = site.linkHost.calls.slice(known).map(({ call }) => call)
    expect(
      calls.filter((call) => call !== 'probePort'),
      'its definition is written, it is not commanded',
    ).toEqual(['applyProgram'])
    const [applied] = site.linkHost.paramsOf('applyProgram').slice(-1)
    expect(applied?.spec).toMatchObject({ outer: { latencyMs: 300 } })
    const running = site.ctx.board.program(`${kind}-${id}`)
    expect(running).toMatchObject({ state: 'running', pid, waitsForRestart: true })
    await command(site, tested, id, 'restart')
    expect(site.ctx.board.program(`${kind}-${id}`)).toMatchObject({ waitsForRestart: false })
  })

  test.each(BOTH_DATABASES)(
    'Q182 decisions 16 an old version is refused with what others have saved, on %s',
    async (database) => {
      const site = await openSiteOn(database)
      const { id, version } = await add(site, 0)
      const theirs = await save(site, id, { title: 'Theirs', version })
      const before = await databaseContent(site.ctx)
      const calls = site.linkHost.calls.length
      const mine = await save(site, id, { title: 'Mine', latency: 500, version })
      expect([mine.status, mine.failure.code]).toEqual([409, 'conflict'])
      expect(mine.failure.changed).toEqual(['title', 'config.latency'])
      expect(mine.failure.current).toEqual(theirs.answer.data)
      expect(await databaseContent(site.ctx)).toEqual(before)
      expect(site.linkHost.calls).toHaveLength(calls)
      expect((await save(site, id, { title: 'Foreign client' })).status).toBe(200)
    },
  )

  test.each(BOTH_DATABASES)(
    'F13 of saves of one version at once one is taken, on %s',
    async (database) => {
      const site = await openSiteOn(database)
      const { id, version } = await add(site, 0)
      const answers = await Promise.all(
        Array.from({ length: 8 }, async (_, index) =>
          save(site, id, { title: `Save ${index}`, version }),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 409)).toHaveLength(7)
      expect((await read(site, id)).answer.data).toMatchObject({
        title: `Save ${statuses.indexOf(200)}`,
        version: version + 1,
      })
    },
  )

  test('settings that the host refuses give a warning, and are saved', async () => {
    await using site = await openTestSite()
    const { id } = await add(site, 0)
    site.linkHost.refusals.set('applyProgram', 'This host has no tool for it.')
    const { status, answer } = await save(site, id, { latency: 300 })
    expect(status).toBe(200)
    expect(answer.warnings).toEqual([
      'The host does not take these settings: This host has no tool for it.',
    ])
  })
})
