/**
 * T2: every id of another group, wherever a call takes one, in the place of an id that nothing has.
 * The answers must be the same byte for byte: else they tell that it exists. And as fast.
 */
import { findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { Role } from '@trunkline/contract/roles'
import type { Route } from '@trunkline/contract/route'
import { expect, test } from 'vitest'
import { createPostgresDatabase } from '@trunkline/api/testing/databases'
import { inject, type InjectInput } from '@trunkline/api/testing/inject'
import { RECIPES } from '@trunkline/api/testing/role-walk/recipes'
import type { Recipe } from '@trunkline/api/testing/role-walk/rules'
import { openWalkSite, tokenOf, type WalkSite } from '@trunkline/api/testing/role-walk/site'
import { newId } from '@trunkline/api/id'
import { atLeast, atMost, median, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { printProof } from './proof.ts'

const ROLES_OF_GROUPS = ['manager', 'editor', 'monitor'] as const satisfies readonly Role[]
/** Pairs of which the time is taken. */
const PAIRS = settingOf('PAIRS', 1000)

test('an id of another group answers as one that nothing has', async () => {
  const faults: string[] = []
  const apartMs: number[] = []
  let swaps = 0
  for (const database of ['SQLite', 'PostgreSQL'] as const) {
    await using stack = new AsyncDisposableStack()
    const databaseUrl = database === 'SQLite' ? null : stack.use(await createPostgresDatabase()).url
    const walk = await openWalkSite(stack, { databaseUrl })
    apartMs.push(Math.abs(await timeApartMs(walk)))
    for (const recipe of RECIPES.filter(({ places }) => places.includes('foreign'))) {
      for (const role of ROLES_OF_GROUPS) {
        const outcome = await swapIds(walk, recipe, role)
        swaps += outcome.swaps
        faults.push(...outcome.faults.map((fault) => `${database}: ${fault}`))
      }
    }
  }
  const missed = printProof('swaps', {
    ours: { swaps, apartMs: apartMs.map(round) },
    faults,
    goals: [
      atMost('leaks', faults.length, 0, 'swaps'),
      atLeast('swaps', swaps, 500, 'swaps'),
      atMost('time apart, p50', Math.max(...apartMs), 1, 'ms'),
    ],
  })
  expect(missed).toEqual([])
})

async function swapIds(walk: WalkSite, recipe: Recipe, role: Role) {
  const { call, variant } = recipe
  const input = await recipe.input(walk, 'foreign', role)
  const text = JSON.stringify(input)
  const outcome = { swaps: 0, faults: [] as string[] }
  for (const id of foreignIds(walk).filter((known) => text.includes(known))) {
    const other = newId()
    const swapped = JSON.parse(text.replaceAll(id, other)) as InjectInput<Route>
    const [there, nothing] = [
      await answerTo(walk, role, call, input),
      await answerTo(walk, role, call, swapped),
    ]
    outcome.swaps += 1
    if (there.replaceAll(id, 'ID') === nothing.replaceAll(other, 'ID')) continue
    outcome.faults.push(
      `${call.name} ${variant} as ${role}: ${there.slice(0, 300)} for ${id}, ${nothing.slice(0, 300)} for nothing`,
    )
  }
  return outcome
}

function foreignIds({ foreign, groupless }: WalkSite): string[] {
  const { encoderId, channelId, acantsId, channelServerId, inputId, outputId, userId, groupId } =
    foreign
  const ids = [encoderId, channelId, acantsId, channelServerId, inputId, outputId, userId, groupId]
  return [...ids, groupless.channelId, groupless.userId, groupless.groupId]
}

async function answerTo(walk: WalkSite, role: Role, call: Route, input: InjectInput<Route>) {
  const token = await tokenOf(walk.site, role)
  const { status, text } = await inject(walk.site.app, call, token, input)
  // The time of the answer, which some have in them, says nothing of the id.
  return `${status} ${text.replaceAll(/\b1\d{12}\b/g, 'NOW')}`
}

/** Taken in turn, so that what else the machine does falls on both. */
async function timeApartMs(walk: WalkSite): Promise<number> {
  const token = await tokenOf(walk.site, 'manager')
  const timeOf = async (id: string) => {
    const beginMs = performance.now()
    await inject(walk.site.app, findEncoder, token, { params: { id } })
    return performance.now() - beginMs
  }
  const there: number[] = []
  const nothing: number[] = []
  for (let at = 0; at < PAIRS; at += 1) {
    there.push(await timeOf(walk.foreign.encoderId))
    nothing.push(await timeOf(newId()))
  }
  return median(there) - median(nothing)
}
