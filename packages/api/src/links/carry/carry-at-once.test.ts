/** Operators who carry encoders at the same moment. */
import { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { listOutputs } from '@trunkline/contract/contributions/output.calls'
import { findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { describe, expect, test } from 'vitest'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../../testing/test-site.ts'
import { carryBody, listeningAt, NEW_LEG } from './carry.fixture.ts'

/** How many feeders, inputs and outputs there are. */
async function counted(site: TestSite, encoderIds: readonly string[]): Promise<number[]> {
  const encoders = await Promise.all(
    encoderIds.map(async (id) => site.call('admin', findEncoder, { params: { id } })),
  )
  const inputs = (await site.call('admin', listInputs, {})).answer.total
  const outputs = (await site.call('admin', listOutputs, {})).answer.total
  const feeders = encoders.flatMap(({ answer }) => answer.data.config?.feeder ?? [])
  return [feeders.length, inputs, outputs]
}

describe.each(BOTH_DATABASES)('at the same moment on %s', (kind) => {
  test.each([
    ['input', () => ({ port: 6000, out: {} })],
    ['output', (at: number) => ({ port: 6000 + 2 * at, out: listeningAt(7000) })],
  ] as const)('F12 of those who take one port for the %s one is done', async (part, asked) => {
    const site = await openSiteOn(kind)
    const encoderIds: string[] = []
    for (const card of [0, 1, 2, 3]) encoderIds.push((await addTestEncoder(site, card)).id)
    const answers = await Promise.all(
      encoderIds.map(async (id, at) => {
        const { port, out: config } = asked(at)
        const feeder = { use: 'new', ...NEW_LEG, inputPort: 5100 + 2 * at, port } as const
        const body = carryBody(site, { title: `Carried ${at}`, feeder, config })
        return site.call('northManager', carryEncoder, { params: { id }, body })
      }),
    )
    const done = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status === 409)
    expect([done.length, refused.length]).toEqual([1, 3])
    const winner = done[0]?.answer.input.title
    for (const { failure } of refused) {
      expect(failure.field).toBe(`${part}.config.port`)
      expect(failure.error).toContain(`'${winner}'`)
    }
    expect(await counted(site, encoderIds)).toEqual([1, 1, 1])
  })
})
