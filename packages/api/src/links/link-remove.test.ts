/** Removing inputs and outputs: what runs is ended first, and nothing half-done is left. */
import { describe, expect, test, vi } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'
import { auditOf, programOf, startLink, TESTED_KINDS } from './link-kinds.fixture.ts'
import { addAwayServer } from './outputs/output.fixture.ts'

describe.each(TESTED_KINDS)('$kind', (tested) => {
  const { kind, add, read, remove, removeNamed } = tested

  async function addRunning(site: TestSite): Promise<string> {
    const { id } = await add(site, 0)
    await startLink(site, tested, id)
    expect(programOf(site, tested, id)?.state).toBe('running')
    return id
  }

  test.each(BOTH_DATABASES)(
    'API-44 API-67 CON-IN-31 CON-OUT-15 the program is ended, then it is gone with its port, on %s',
    async (database) => {
      const site = await openSiteOn(database)
      const id = await addRunning(site)
      const notices: Notice[] = []
      site.ctx.notices.listen((notice) => notices.push(notice))
      const { status, answer } = await remove(site, id, 'northManager')
      expect([status, answer]).toEqual([200, { status: true, id }])
      expect(programOf(site, tested, id)).toBeUndefined()
      expect(notices).toEqual([{ kind, id, change: 'removed', groupIds: [site.north] }])
      expect(await auditOf(site, `${kind}s.remove`)).toEqual([[id, 'done']])
      const content = await databaseContent(site.ctx)
      expect(content[`${kind}s`]).toEqual([])
      expect(content.port_claims?.join()).not.toContain(id)
      await add(site, 0)
      expect((await remove(site, id)).status).toBe(404)
    },
  )

  test('API-44 API-67 a host that cannot end the program keeps it: nothing is changed', async () => {
    await using site = await openTestSite()
    const id = await addRunning(site)
    const before = await databaseContent(site.ctx)
    site.linkHost.refusals.set('removeProgram', 'The disk is full.')
    const { status, failure } = await remove(site, id)
    expect(status).toBe(502)
    expect(failure.error).toContain('The disk is full.')
    expect(await databaseContent(site.ctx)).toEqual(before)
    expect(programOf(site, tested, id)).toBeDefined()
  })

  test('API-44 API-67 a silent host does not prevent it: its program is stopped when the host is back', async () => {
    await using site = await openTestSite()
    const id = await addRunning(site)
    site.linkHost.silentOn.add('removeProgram')
    site.pollFast()
    expect((await remove(site, id)).status).toBe(200)
    const call = `${kind}s.remove`
    const lines = site.ctx.db.selectFrom('audit').select('reason').where('call', '=', call)
    const [line] = await lines.execute()
    expect(line?.reason).toContain('when the host is back')
    site.linkHost.silentOn.clear()
    site.linkHost.cut()
    await vi.waitFor(() => expect(programOf(site, tested, id)).toBeUndefined(), {
      timeout: 30_000,
    })
  })

  test.each(BOTH_DATABASES)(
    'API-44 API-67 nor is a host that never answered, on %s',
    async (database) => {
      const site = await openSiteOn(database)
      const { id } = await add(site, 0, { serverId: await addAwayServer(site) })
      expect((await remove(site, id, 'northManager')).status).toBe(200)
    },
  )

  test.each(BOTH_DATABASES)(
    'T2 API-55 API-56 Q137 CON-OUT-16 several are removed by name or id; what is not there is named, on %s',
    async (database) => {
      const site = await openSiteOn(database)
      const serverId = await addAwayServer(site, [site.north, site.south])
      const foreign = await add(site, 9, { serverId, groupId: site.south })
      const [first, second, kept] = [await add(site, 0), await add(site, 1), await add(site, 2)]
      const names = [first.name, second.id, foreign.name, first.id]
      const { status, answer } = await removeNamed(site, names, 'northManager')
      expect(status).toBe(200)
      expect(answer).toMatchObject({
        msg: kind === 'input' ? 'Input remove successfully..' : 'Output remove successfully..',
        deleted: [first.name, second.name],
        failed: [
          { name: foreign.name, error: expect.stringContaining(`no such ${kind}`) as string },
        ],
      })
      for (const { id } of [kept, foreign]) expect((await read(site, id)).status).toBe(200)
      expect(await auditOf(site, `${kind}s.removeSeveral`)).toHaveLength(2)
      const before = await databaseContent(site.ctx)
      const none = await removeNamed(site, [foreign.name, foreign.id], 'northManager')
      expect(none.status).toBe(404)
      expect(await databaseContent(site.ctx)).toEqual(before)
    },
  )

  test('API-55 API-56 one whose host cannot end it stays, and is named with the host’s words', async () => {
    await using site = await openTestSite()
    const id = await addRunning(site)
    const { name } = await add(site, 1)
    site.linkHost.refusals.set('removeProgram', 'The disk is full.')
    const { answer } = await removeNamed(site, [id])
    expect(answer.deleted).toEqual([])
    expect(answer.failed[0]?.error).toContain('The disk is full.')
    expect((await read(site, id)).status).toBe(200)
    site.linkHost.refusals.clear()
    expect((await removeNamed(site, [name, id])).answer.deleted).toHaveLength(2)
  })

  test('API-55 API-56 an empty list, and one that is too long, are refused', async () => {
    await using site = await openTestSite()
    await add(site, 0)
    const before = await databaseContent(site.ctx)
    for (const names of [[], Array.from({ length: 1001 }, (_, index) => `n${index}`)]) {
      expect((await removeNamed(site, names)).status).toBe(400)
    }
    expect(await databaseContent(site.ctx)).toEqual(before)
  })
})
