import { matchInputs, setInputsStatus } from '@trunkline/contract/contributions/input.calls'
import type { MatchingLinks } from '@trunkline/contract/contributions/link.schema'
import { matchOutputs, setOutputsStatus } from '@trunkline/contract/contributions/output.calls'
import { ALL_ROWS_LIMIT } from '@trunkline/contract/paging.schema'
import { describe, expect, test } from 'vitest'
import { copyRow } from '../../testing/copied-rows.ts'
import { addTestInput, addTestOutput } from '../../testing/input.fixture.ts'
import type { PersonName } from '../../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'

function idsOf({ states }: MatchingLinks): Record<string, readonly string[]> {
  return Object.fromEntries(states.map(({ state, ids }) => [state, ids.toSorted()]))
}

describe.each(BOTH_DATABASES)('all that match on %s', (kind) => {
  test('CON-IN-09 are named by state, within the filter and what one may see', async () => {
    await using site = await openSiteOn(kind)
    const { id: first } = await addTestInput(site, 6000)
    const { id: off } = await addTestInput(site, 6002)
    const output = await addTestOutput(site, first)
    await addTestOutput(site, first)
    const body = { names: [off], isDisable: true }
    await site.call('admin', setInputsStatus, { body })
    const inputs = async (who: PersonName, query: object) =>
      (await site.call(who, matchInputs, { query })).answer.data
    const all = await inputs('admin', {})
    expect([idsOf(all), all.total]).toEqual([{ stopped: [first], disabled: [off] }, 2])
    expect(all.states.find(({ state }) => state === 'stopped')?.outputs).toEqual([2])
    expect(idsOf(await inputs('admin', { port: 6002 }))).toEqual({ disabled: [off] })
    expect(await inputs('admin', { searchValue: 'nothing' })).toEqual({ total: 0, states: [] })
    expect((await inputs('southManager', {})).total).toBe(0)
    await site.call('admin', setOutputsStatus, { body: { names: [output], isDisable: true } })
    const outputs = async (who: PersonName, contributionId: string) =>
      (await site.call(who, matchOutputs, { query: { contributionId } })).answer.data
    expect(idsOf(await outputs('northManager', first))).toMatchObject({ disabled: [output] })
    expect([(await outputs('admin', first)).total, (await outputs('admin', off)).total]).toEqual([
      2, 0,
    ])
    expect((await outputs('southManager', first)).total).toBe(0)
  })

  test('API-72 of more than a list of all has, as many are named and all are counted', async () => {
    await using site = await openSiteOn(kind)
    const { id } = await addTestInput(site, 6000)
    await copyRow(site.ctx.db, 'inputs', id, ALL_ROWS_LIMIT, ['id', 'name'])
    const { answer } = await site.call('admin', matchInputs, { query: {} })
    const named = answer.data.states.flatMap(({ ids }) => ids)
    expect(answer.data.total).toBe(ALL_ROWS_LIMIT + 1)
    expect(new Set(named).size).toBe(ALL_ROWS_LIMIT)
  })
})
