/** Inputs and outputs enabled and disabled, one or several at once. */
import { describe, expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { openTestSite } from '../testing/test-site.ts'
import { auditOf, programOf, startLink, TESTED_KINDS } from './link-kinds.fixture.ts'

describe.each(TESTED_KINDS)('$kind', (tested) => {
  const { kind, add, read, setStatus } = tested

  test.each(BOTH_DATABASES)(
    'API-53 API-54 CON-IN-37 Q138 disabling ends what runs, enabling starts nothing, on %s',
    async (database) => {
      const site = await openSiteOn(database)
      const links = [await add(site, 0), await add(site, 1)] as const
      const [first, second] = links
      for (const { id } of links) await startLink(site, tested, id)
      const names = [first.name, second.id, 'nothing']
      const { answer } = await setStatus(site, { names, isDisable: true }, 'northManager')
      expect(answer).toMatchObject({
        msg: 'Input/Output status updated successfully.',
        updated: 2,
        failed: [{ name: 'nothing' }],
      })
      expect(links.map(({ id }) => programOf(site, tested, id))).toEqual([undefined, undefined])
      const { status, failure } = await startLink(site, tested, first.id)
      expect([status, failure.error]).toEqual([409, 'Disabled'])
      const enabled = await setStatus(site, { names, isDisable: false }, 'northManager')
      expect(enabled.answer.updated).toBe(2)
      const states = links.map(({ id }) => programOf(site, tested, id)?.state)
      expect(states).toEqual(['stopped', 'stopped'])
      expect((await read(site, first.id)).answer.data).toMatchObject({
        isEnabled: true,
        version: first.version + 2,
      })
      expect(await auditOf(site, `${kind}s.setStatus`)).toHaveLength(4)
    },
  )

  test('API-53 API-54 an unchanged object is counted, and not written again', async () => {
    await using site = await openTestSite()
    const { id, version } = await add(site, 0)
    const body = { names: [id], isDisable: true }
    await setStatus(site, body)
    const before = await databaseContent(site.ctx)
    expect((await setStatus(site, body)).answer.updated).toBe(1)
    expect(await databaseContent(site.ctx)).toEqual(before)
    expect((await read(site, id)).answer.data).toMatchObject({
      isEnabled: false,
      version: version + 1,
    })
    expect(await auditOf(site, `${kind}s.setStatus`)).toEqual([[id, 'done']])
  })

  test('Q138 a link on an unreachable server is disabled too', async () => {
    await using site = await openTestSite()
    const { id } = await add(site, 0)
    await startLink(site, tested, id)
    await site.linkHost[Symbol.asyncDispose]()
    const { answer } = await setStatus(site, { names: [id], isDisable: true })
    expect(answer).toMatchObject({ updated: 1, failed: [] })
    expect(site.ctx.programs.wanted(`${kind}-${id}`)?.isEnabled).toBe(false)
  })

  test('T2 API-53 API-54 links of another group are not found, and not changed', async () => {
    await using site = await openTestSite()
    const { id, name } = await add(site, 0)
    const before = await databaseContent(site.ctx)
    const body = { names: [id, name], isDisable: true }
    expect((await setStatus(site, body, 'southManager')).status).toBe(404)
    expect(await databaseContent(site.ctx)).toEqual(before)
  })

  test('API-53 API-54 a call without names, or with too many, is refused', async () => {
    await using site = await openTestSite()
    await add(site, 0)
    const before = await databaseContent(site.ctx)
    for (const names of [[], Array.from({ length: 1001 }, (_, index) => `n${index}`)]) {
      const { status, failure } = await setStatus(site, { names, isDisable: true })
      expect([status, failure.field]).toEqual([400, 'names'])
    }
    expect(await databaseContent(site.ctx)).toEqual(before)
  })
})
